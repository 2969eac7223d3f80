import { checkMoments } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { payoutColumns } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { payoutStatuses } from '../../src/domain/payments/payout.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class PayoutsList extends CountroomCommand {
  static override summary = 'List payouts, newest first'
  static override examples = [
    'countroom payouts list',
    { command: 'countroom payouts list --status creating', description: 'List payouts that need a 2FA code' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    batch: Flags.string({ summary: 'Payouts of this batch only', helpValue: 'ID' }),
    status: Flags.string({ summary: 'Payouts in this status only', options: [...payoutStatuses] }),
    from: Flags.string({ summary: 'Created on or after this day or time', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Created on or before this day or time', helpValue: 'DATE' }),
    asc: Flags.boolean({ summary: 'Sort ascending (oldest first)' }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ payouts: Type.Array(gateway.Payout), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(PayoutsList)
    checkMoments(flags.from, flags.to)
    const { gateway } = await this.services.gateway()
    const { rows: payouts, more } = await listPages(this, flags.limit, async (limit, page) => {
      const query = {
        limit,
        page,
        order_by: 'dateCreated',
        order: flags.asc ? 'asc' : 'desc',
        ...definedFields({ batch_id: flags.batch, status: flags.status, date_from: flags.from, date_to: flags.to }),
      }
      return (await gateway.payouts({ query })).payouts
    })
    if (this.profile.profile.kind === 'remote')
      rememberNames(
        this.settings.paths,
        'payouts',
        payouts.map(({ id }) => id),
        this.profile.name,
      )
    this.table(payouts, payoutColumns, 'No payouts.')
    return { payouts, more }
  }
}
