import { realAmbient } from '../../../kit/ambient.ts'
import { readPhrases, refuseGuarded } from '../../../operator/tickets/text/phrases.ts'
import { agent as agentContract } from '../../../services/chat/api/contract.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { oneLine } from '../../terminal/text.ts'
import { confirmPublic } from '../chat/confirm-public.ts'
import { sendOnce } from '../chat/idempotent-send.ts'
import { plannedCall } from '../chat/planned-call.ts'

interface ReplyFlags {
  readonly 'client-id'?: string | undefined
  readonly 'after-seq'?: number | undefined
  readonly macros?: string | undefined
  readonly 'allow-guard'?: readonly string[] | undefined
  readonly yes: boolean
}

/** Replies to the customer of a room. */
export async function reply(
  context: CommandContext,
  args: { readonly room: string; readonly text: string },
  flags: ReplyFlags,
) {
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  refuseGuarded(args.text, phrases, flags['allow-guard'] ?? [])
  const clientMessageId = flags['client-id'] ?? realAmbient().id()
  const agent = await context.services.agent()
  const room = await agent.room({ params: { roomId: args.room } })
  // Looks up the ID first: a message sent earlier counts as success, after any later messages.
  const expectedLastSeq = flags['after-seq'] ?? room.lastSeq
  const input = {
    params: { roomId: args.room },
    body: { text: args.text, clientMessageId, expectedLastSeq },
  }
  const result = { clientMessageId, message: null, duplicate: false, dryRun: context.isDryRun, request: null }
  if (context.isDryRun) {
    const request = plannedCall(agentContract, 'reply', input)
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { ...result, request }
  }
  const to = oneLine(room.customerDisplayName ?? room.customerAccount)
  const shown = `To ${to} (${oneLine(room.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${args.text}\n`
  await confirmPublic(context, shown, `Send this to ${to}`, flags.yes)
  const { duplicate, ...message } = await sendOnce({
    flag: '--client-id',
    key: clientMessageId,
    send: () => agent.reply(input),
    // The ID makes a second attempt safe: an existing message is found, a missing one is sent if no newer message exists.
    look: () => agent.reply(input),
    note: (text) => context.note(text),
  })
  context.log(`${duplicate ? 'Already sent' : 'Sent'} to ${to}.`)
  return { ...result, message, duplicate }
}
