import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { OrderCommand, orderedSchema, orderFlags } from '../../src/cli/topics/gateway/order-command.ts'

export default class SubaccountsCreate extends OrderCommand {
  static override summary = 'Create a sub-account'
  static override examples = ['countroom subaccounts create player-7']
  static override args = {
    name: Args.string({
      required: true,
      description: 'Name, at most 30 characters and not an e-mail address',
    }),
  }
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Subaccount)

  override async run() {
    const { args, flags } = await this.parse(SubaccountsCreate)
    const { reply, order } = await this.order('createSubaccount', { body: { name: args.name } }, flags, {
      order: `Create sub-account ${args.name}`,
      again: { args: [args.name] },
    })
    if (reply) this.fields(reply.result, [{ key: 'id', title: 'sub-account' }, 'name'])
    return { ...reply?.result, ...order }
  }
}
