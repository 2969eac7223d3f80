import { Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import { environmentFlag, MerchantCommand } from '../../src/cli/topics/console/merchant-command.ts'

export default class SimMails extends MerchantCommand {
  static override summary = 'Read the mails that the payment gateway sent to customers, the latest first'
  static override description =
    'No mail server is part of the world: what would be mailed is kept, and read here. Subscribers by e-mail find the links of their bills in it.'
  static override examples = ['countroom sim mails --to ann@mail.example --environment sandbox']
  static override flags = {
    to: Flags.string({ summary: 'Only mails to this address', helpValue: 'ADDRESS' }),
    limit: Flags.integer({ summary: 'How many at most', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
    ...environmentFlag,
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const mail = Type.Object({
      id: Type.String(),
      to: Type.String(),
      subject: Type.String(),
      body: Type.String(),
      at: Type.String(),
    })
    return Type.Object({ mails: Type.Array(mail), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { flags } = await this.parse(SimMails)
    const { store } = await this.world()
    const { mailsTo } = await import('../../src/services/gateway/queries/subscriptions.ts')
    const environment = this.environmentOf(flags)
    const found = await store.read((reader) => mailsTo(reader, environment, flags.to, flags.limit + 1))
    const { rows, more } = this.upTo(flags.limit, found)
    const mails = rows.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      body: row.body,
      at: new Date(row.created_at).toISOString(),
    }))
    this.table(mails, [{ key: 'at', whole: true }, 'to', 'subject', 'body'], 'No mails.')
    return { mails, more }
  }
}
