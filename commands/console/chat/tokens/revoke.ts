import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatTokensRevoke extends WorldCommand {
  static override summary = 'End the room tokens of customers at once: of one room, or of all rooms of a merchant'
  static override description =
    'Streams that came in by them end too. The room stays, with all that was said: the merchant’s back end and the widget’s identity get a new token for it. A customer whom only the token knew begins a new room.'
  static override examples = [
    'countroom console chat tokens revoke DEMO --account player-77',
    { command: 'countroom console chat tokens revoke DEMO --all', description: 'Of every room' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    room: Flags.string({ summary: 'The room', helpValue: 'ROOM' }),
    account: Flags.string({ summary: 'The customer whose room it is', helpValue: 'ACCOUNT', exclusive: ['room'] }),
    all: Flags.boolean({ summary: 'All rooms of the merchant', exclusive: ['room', 'account'] }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ code: Type.String(), rooms: Type.Integer() })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTokensRevoke)
    const { room, account, all } = flags
    if (room === undefined && account === undefined && !all)
      throw new Problem('INVALID_USAGE', 'Say whose tokens: --room, --account or --all')
    const { chat } = await this.world()
    const { revokeRoomTokens } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const of = room === undefined ? (account === undefined ? {} : { account }) : { roomId: room }
    const rooms = await revokeRoomTokens(chat, code, of)
    this.log(`The tokens of ${rooms === 1 ? 'one room' : `${rooms} rooms`} are revoked.`)
    return { code, rooms }
  }
}
