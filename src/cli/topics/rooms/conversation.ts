import type { ConversationLine } from '../../../operator/tickets/parse.ts'
import type { Paint } from '../../terminal/color.ts'
import { oneLine, printableLines, wrap } from '../../terminal/text.ts'

/**
 * Formats the messages of a room as a conversation: the date once; above each message the time, the sender and its number;
 * the text below, indented. Only our lines start at the margin, so no text can imitate another message.
 */

const indent = ' '.repeat(7)
/** Maximum width; longer lines are hard to read. */
const widest = 100
const narrowest = 20

export function conversationText(
  lines: readonly ConversationLine[],
  { width, paint, margin = '' }: { width: number; paint: Paint; margin?: string },
): string {
  const room = Math.max(narrowest, Math.min(width, widest) - margin.length)
  let day = ''
  const textLines = lines.flatMap((line, i) => {
    const { on, at } = momentOf(line)
    const isNewDay = on !== '' && on !== day
    day = on === '' ? day : on
    return [
      ...(isNewDay ? [...(i === 0 ? [] : ['']), paint('dim', `${on} (UTC)`)] : []),
      ...headOf(line, at, room).map((part) => paint(line.senderType === 'customer' ? ['bold', 'cyan'] : 'bold', part)),
      ...wordsOf(line).flatMap((part) =>
        wrap(part, room - indent.length).map((piece) => `${indent}${piece}`.trimEnd()),
      ),
    ]
  })
  return textLines.map((line) => `${margin}${line}\n`).join('')
}

/** The kind of sender comes first: after an Arabic name the rest of the line would be reversed. */
function headOf({ by, senderType, seq, at: timestamp }: ConversationLine, at: string, room: number): string[] {
  const sender = oneLine(senderType === null || senderType === by ? by : `${senderType} ${by}`)
  // Other instances may format times differently; an unparseable one is shown unchanged.
  const when = at === noTime && timestamp !== null ? ` (${oneLine(timestamp)})` : ''
  const [first = '', ...more] = wrap(`${sender}${when}${seq === null ? '' : ` #${seq}`}`, room - indent.length)
  return [`${at.padEnd(indent.length)}${first}`, ...more.map((part) => `${indent}${part}`)]
}

/** Lines of a message: its files, then its text. */
function wordsOf({ text, files }: ConversationLine): string[] {
  const content = printableLines(text).join('\n').trimEnd()
  return [...files.map((name) => `[${oneLine(name)}]`), ...(content === '' ? [] : [content])]
}

const noTime = '--:--'

function momentOf({ at }: ConversationLine): { on: string; at: string } {
  const ms = at === null ? Number.NaN : Date.parse(at)
  if (Number.isNaN(ms)) return { on: '', at: noTime }
  const [on = '', time = ''] = new Date(ms).toISOString().split('T')
  return { on, at: time.slice(0, 5) }
}
