import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'

export default class SubaccountsList extends CountroomCommand {
  static override summary = 'List sub-accounts, oldest first'
  static override examples = ['countroom subaccounts list']
  static override exits = ['permission', 'temporary'] as const
  static override flags = { desc: Flags.boolean({ summary: 'Sort descending (newest first)' }), ...gatewayListFlags }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      subaccounts: Type.Array(gateway.Subaccount),
      count: Type.Integer(),
      more: Type.Boolean(moreThere),
    })

  override async run() {
    const { flags } = await this.parse(SubaccountsList)
    const { gateway } = await this.services.gateway()
    let count = 0
    const { rows: subaccounts, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const reply = await gateway.subaccounts({ query: { limit, offset, order: flags.desc ? 'DESC' : 'ASC' } })
      count = reply.count
      return reply.result
    })
    this.table(
      subaccounts,
      [wholeColumn('id', 'sub-account'), 'name', { key: 'created_at', title: 'created' }],
      'No sub-accounts.',
    )
    return { subaccounts, count, more }
  }
}
