import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { subTransferFields } from '../../src/cli/topics/gateway/subaccount-fields.ts'

export default class SubaccountsTransfers extends CountroomCommand {
  static override summary = 'List transfers between sub-accounts and the main account, newest first'
  static override examples = ['countroom subaccounts transfers', 'countroom subaccounts transfers 5000000196']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = { id: Args.string({ description: 'Transfer ID (default: all)' }) }
  static override flags = { asc: Flags.boolean({ summary: 'Sort ascending (oldest first)' }), ...gatewayListFlags }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      transfers: Type.Array(gateway.SubTransfer),
      count: Type.Integer(),
      more: Type.Boolean(moreThere),
    })

  override async run() {
    const { args, flags } = await this.parse(SubaccountsTransfers)
    const { gateway } = await this.services.gateway()
    if (args.id !== undefined) {
      const { result } = await gateway.subTransfer({ params: { id: args.id } })
      this.fields(result, subTransferFields)
      return { transfers: [result], count: 1, more: false }
    }
    let count = 0
    const { rows: transfers, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const reply = await gateway.subTransfers({ query: { limit, offset, order: flags.asc ? 'ASC' : 'DESC' } })
      count = reply.count
      return reply.result
    })
    this.table(transfers, [...subTransferFields, { key: 'created_at', title: 'created' }], 'No transfers.')
    return { transfers, count, more }
  }
}
