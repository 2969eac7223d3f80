import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { oneLine } from '../../src/cli/terminal/text.ts'
import { plannedCall } from '../../src/cli/topics/chat/arguments.ts'
import { confirmPublic } from '../../src/cli/topics/chat/confirm-public.ts'
import { sayOnce } from '../../src/cli/topics/chat/idempotent-send.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { readPhrasebook, refuseGuarded, textFlags } from '../../src/cli/topics/chat/outgoing-text.ts'
import { messageSchema } from '../../src/cli/topics/rooms/view.ts'
import { realAmbient } from '../../src/kit/ambient.ts'

export default class RoomsReply extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Reply to a customer in a room'
  static override description =
    'Shows the newest messages first, and fails if the customer or another agent writes in the meantime. Marks the room as read up to the reply. Text that looks like an internal note is rejected. If the response is lost, the message is looked up by its ID; if its state stays unknown, run the command again with the --client-id it prints.'
  static override examples = ['countroom rooms reply room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 "It has arrived now." --yes']
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = {
    ...roomArg,
    text: Args.string({ required: true, description: 'Text of the reply' }),
  }
  static override flags = {
    'client-id': Flags.string({ summary: 'Message ID; a message with this ID is sent only once', helpValue: 'ID' }),
    'after-seq': Flags.integer({ summary: 'Number of the last message you have seen', min: 0, helpValue: 'SEQ' }),
    macros: textFlags.macros,
    'allow-guard': textFlags['allow-guard'],
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      clientMessageId: Type.String(),
      message: Type.Union([messageSchema(shapes), Type.Null()]),
      duplicate: Type.Boolean(),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsReply)
    const phrases = await readPhrasebook(this.settings.paths, flags.macros)
    refuseGuarded(args.text, phrases, flags['allow-guard'] ?? [])
    const clientMessageId = flags['client-id'] ?? realAmbient().id()
    const agent = await this.services.agent()
    const room = await agent.room({ params: { roomId: args.room } })
    // Looks up the ID first: a message sent earlier counts as success, whatever was written since.
    const expectedLastSeq = flags['after-seq'] ?? room.lastSeq
    const input = {
      params: { roomId: args.room },
      body: { text: args.text, clientMessageId, expectedLastSeq },
    }
    const result = { clientMessageId, message: null, duplicate: false, dryRun: this.isDryRun, request: null }
    if (this.isDryRun) {
      const contracts = await import('../../src/services/chat/api/contract.ts')
      const request = plannedCall(contracts.agent, 'reply', input)
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { ...result, request }
    }
    const to = oneLine(room.customerDisplayName ?? room.customerAccount)
    const shown = `To ${to} (${oneLine(room.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${args.text}\n`
    await confirmPublic(this, shown, `Send this to ${to}`, flags.yes)
    const { duplicate, ...message } = await sayOnce({
      flag: '--client-id',
      key: clientMessageId,
      send: () => agent.reply(input),
      // The ID makes a second attempt safe: an existing message is found, a missing one is sent if nobody wrote since.
      look: () => agent.reply(input),
      note: (text) => this.note(text),
    })
    this.log(`${duplicate ? 'Already sent' : 'Sent'} to ${to}.`)
    return { ...result, message, duplicate }
  }
}
