import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { environmentFlag, environmentOf } from '../../src/cli/topics/console/merchant.ts'

export default class SimMails extends CountroomCommand {
  static override summary = 'List the emails of the world, newest first'
  static override description =
    'The world has no mail server: emails to customers are stored and listed here. Subscribers by email get the links to their bills this way, and customers of the chat their transcripts, which are listed in the environment production.'
  static override examples = ['countroom sim mails --to ann@mail.example --environment sandbox']
  static override flags = {
    to: Flags.string({ summary: 'Emails to this address only', helpValue: 'ADDRESS' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
    ...environmentFlag,
    ...listFlags,
  }
  static override data = ({ Type }: Shapes) => {
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
    const { store } = await this.services.world()
    const { mailsTo } = await import('../../src/services/gateway/queries/subscriptions.ts')
    const environment = environmentOf(this, flags)
    const mailRows = await store.read((reader) => mailsTo(reader, environment, flags.to, flags.limit + 1))
    const { rows, more } = this.upTo(flags.limit, mailRows)
    const mails = rows.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      body: row.body,
      at: new Date(row.created_at).toISOString(),
    }))
    this.table(mails, [{ key: 'at', whole: true }, 'to', 'subject', 'body'], 'No emails.')
    return { mails, more }
  }
}
