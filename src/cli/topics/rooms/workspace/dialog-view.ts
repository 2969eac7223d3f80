import { filesOf } from '../../../../operator/tickets/workspace/dialogs.ts'
import { answerKeys, queueKeys } from '../../../../operator/tickets/workspace/keys.ts'
import type { Dialog, WorkspaceState } from '../../../../operator/tickets/workspace/state.ts'
import type { Paint } from '../../../terminal/color.ts'
import { cutTo, oneLine, printable, printableLines, wrap } from '../../../terminal/text.ts'
import type { Layout } from './layout.ts'

/** The lines of a question or list, which are shown in place of the conversation. */
export function dialogLines(
  state: WorkspaceState,
  dialog: Dialog,
  { conversationWidth, body, columns }: Layout,
  paint: Paint,
): string[] {
  const cut = (lines: readonly string[]) => lines.map((line) => cutTo(line, conversationWidth))
  const title = (text: string) => paint('bold', cutTo(text, conversationWidth))
  switch (dialog.kind) {
    case 'help':
      return helpLines(columns, body, paint)
    case 'macros':
      return [
        title('Macros'),
        '',
        ...listed(state.macros.map(oneLine), dialog.at, { width: conversationWidth, rows: body - 4, paint }),
        '',
        ...cut(['Enter or 1-9 inserts, Esc cancels.']),
      ]
    case 'files': {
      const names = filesOf(state, state.open).map(
        ({ fileName, sizeBytes }) => `${oneLine(fileName)} (${sizeText(sizeBytes)})`,
      )
      return [
        title('Files of the customer and agents, newest first'),
        '',
        ...listed(names, dialog.at, { width: conversationWidth, rows: body - 4, paint }),
        '',
        ...cut(['Enter or 1-9 saves, Esc cancels.']),
      ]
    }
    case 'open-file':
      return [
        title('File saved'),
        ...wrap(oneLine(dialog.path), conversationWidth),
        '',
        ...wrap(
          'It comes from a stranger: check it before you open it. Press o to open it with the program of this system, any other key to go on.',
          conversationWidth,
        ),
      ]
    case 'take':
    case 'other-holder':
      return holderLines(dialog, conversationWidth, title)
    case 'guard':
      return guardLines(dialog, conversationWidth, title)
    case 'line':
      return [title('Type below. Enter confirms, Esc cancels.')]
  }
}

function holderLines(
  { kind, holder }: Extract<Dialog, { kind: 'take' | 'other-holder' }>,
  width: number,
  title: (text: string) => string,
): string[] {
  const [head, keys] =
    kind === 'take'
      ? ['Take over', 'y to take it over']
      : ['Room of another agent', 's to send anyway, t to take it over and send']
  return [
    title(head),
    '',
    ...wrap(`The room is held by ${oneLine(holder)}. Press ${keys}, any other key to cancel.`, width),
  ]
}

function guardLines(
  { hits, rules, text }: Extract<Dialog, { kind: 'guard' }>,
  width: number,
  title: (text: string) => string,
): string[] {
  return [
    title('This text failed the checks for public texts'),
    '',
    ...wrap(printable(hits), width),
    '',
    ...wrap(`To send it anyway, type ${rules.join(' ')} and press Enter. Enter alone cancels.`, width),
    '',
    ...printableLines(text).flatMap((line) => wrap(line, width)),
  ]
}

/** The keys of the queue and of the answer, next to each other where both fit. */
function helpLines(width: number, rows: number, paint: Paint): string[] {
  const half = Math.floor(width / 2)
  const fits = [...queueKeys, ...answerKeys].every((key) => key.length < half - 1)
  const left = ['In the queue', ...queueKeys]
  const right = ['In the answer', ...answerKeys]
  const lines = fits
    ? left.map((key, i) => ` ${key.padEnd(half - 1)}${right[i] ?? ''}`)
    : [...left, '', ...right].map((key) => cutTo(` ${key}`, width))
  const [title = '', ...keys] = lines
  return [paint('bold', title), ...keys.slice(0, rows - 3), '', cutTo(' Any key goes on.', width)]
}

/** Formats a list with its selected row in view. */
function listed(
  names: readonly string[],
  at: number,
  { width, rows, paint }: { width: number; rows: number; paint: Paint },
): string[] {
  const space = Math.max(1, rows)
  const from = Math.max(0, Math.min(at - space + 1, names.length - space))
  return names.slice(from, from + space).map((name, i) => {
    const number = from + i < 9 ? `${from + i + 1} ` : '  '
    const line = cutTo(` ${number}${name}`, width)
    return from + i === at ? paint('inverse', line) : line
  })
}

function sizeText(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`
}
