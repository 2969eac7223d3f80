import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import { ChatCommand, plannedTicketCall } from '../../src/cli/topics/chat/command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class RoomsOpen extends ChatCommand {
  static override summary = 'Open the chat room of a customer account, or find the one there is'
  static override description =
    'The same account is always the same room. Channel and inbox category are fixed once it exists; the first message is written into an empty room only.'
  static override examples = [
    'countroom rooms open amy --message "Where is my deposit?" --language zh-TW',
    { command: 'countroom rooms open amy --json', description: 'Only its id' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override writes = true
  static override args = { account: Args.string({ required: true, description: "The customer's account" }) }
  static override flags = {
    name: Flags.string({ summary: "The customer's name", helpValue: 'NAME' }),
    language: Flags.string({ summary: "The customer's language tag", helpValue: 'TAG' }),
    channel: Flags.string({ summary: 'The channel, for a bot one that names it', helpValue: 'NAME' }),
    inbox: Flags.string({ summary: 'The inbox category', helpValue: 'CODE' }),
    message: Flags.string({ summary: 'The first message, as the customer', helpValue: 'TEXT' }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      roomId: Type.Union([Type.String(), Type.Null()], { description: 'Null in a dry run' }),
      created: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null where the instance does not tell' }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsOpen)
    const { bot } = await this.chat()
    const body = {
      customerAccount: args.account,
      ...(flags.name === undefined ? {} : { customerDisplayName: flags.name }),
      ...(flags.language === undefined ? {} : { customerLanguage: flags.language }),
      ...(flags.channel === undefined ? {} : { channel: flags.channel }),
      ...(flags.inbox === undefined ? {} : { inboxCategoryCode: flags.inbox }),
      ...(flags.message === undefined ? {} : { initialMessage: flags.message }),
    }
    if (this.isDryRun) {
      const request = plannedTicketCall('openRoom', { body })
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { roomId: null, created: null, dryRun: true, request }
    }
    const [{ asked }, { readRoomId }, contracts] = await Promise.all([
      import('../../src/operator/tickets/tickets-request.ts'),
      import('../../src/operator/tickets/parse.ts'),
      import('../../src/services/chat/api/contract.ts'),
    ])
    const room = readRoomId(await asked(contracts.chat, bot.patient, 'openRoom', { body }))
    if (!room)
      throw new Problem('REMOTE_UNINTELLIGIBLE', 'POST /rooms answered without a roomId', { outcome: 'unknown' })
    this.log(`${room.roomId}${room.created === null ? '' : room.created ? ' is new.' : ' was there.'}`)
    return { ...room, dryRun: false, request: null }
  }
}
