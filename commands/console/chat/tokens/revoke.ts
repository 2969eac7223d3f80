import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { countText } from '../../../../src/kit/text/count-text.ts'

export default class ConsoleChatTokensRevoke extends CountroomCommand {
  static override summary = 'Revoke the customer tokens of one room or of all rooms of a merchant'
  static override description =
    "Also closes the streams opened with them. The room and its messages stay. The merchant's server and the widget's signed identity can get a new token for it. A customer without an account starts a new room."
  static override examples = [
    'countroom console chat tokens revoke DEMO --account player-77',
    { command: 'countroom console chat tokens revoke DEMO --all', description: 'Revoke the tokens of every room' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    room: Flags.string({ summary: 'Room ID', helpValue: 'ROOM' }),
    account: Flags.string({
      summary: 'Account of the customer whose room it is',
      helpValue: 'ACCOUNT',
      exclusive: ['room'],
    }),
    all: Flags.boolean({ summary: 'All rooms of the merchant', exclusive: ['room', 'account'] }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) => Type.Object({ code: Type.String(), rooms: Type.Integer() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTokensRevoke)
    const { room, account, all } = flags
    if (room === undefined && account === undefined && !all)
      throw new Problem('INVALID_USAGE', 'Missing tokens to revoke: pass --room, --account or --all')
    const { chat } = await this.services.world()
    const { revokeRoomTokens } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const of = room === undefined ? (account === undefined ? {} : { account }) : { roomId: room }
    const rooms = await revokeRoomTokens(chat, code, of)
    this.log(`Revoked the tokens of ${countText(rooms, 'room')}.`)
    return { code, rooms }
  }
}
