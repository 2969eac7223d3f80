import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'

export default class SubaccountsCreate extends CountroomCommand {
  static override summary = 'Create a sub-account'
  static override examples = ['countroom subaccounts create player-7']
  static override args = {
    name: Args.string({
      required: true,
      description: 'Name, at most 30 characters and not an email address',
    }),
  }
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Subaccount)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(SubaccountsCreate)
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createSubaccount', { body: { name: args.name } }, flags, {
      action: `Create sub-account ${args.name}`,
      again: { args: [args.name] },
    })
    if (reply) this.fields(reply.result, [{ key: 'id', title: 'sub-account' }, 'name'])
    return { ...reply?.result, ...facts }
  }
}
