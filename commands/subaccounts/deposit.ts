import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { subMoveArgs } from '../../src/cli/topics/gateway/subaccount-fields.ts'

export default class SubaccountsDeposit extends CountroomCommand {
  static override summary = 'Transfer funds from the main account to a sub-account'
  static override examples = ['countroom subaccounts deposit 5000000194 25 usdttrc20']

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles
  static override args = subMoveArgs
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.SubTransfer)

  override async run() {
    const { args, flags } = await this.parse(SubaccountsDeposit)
    const { moveFunds } = await import('../../src/cli/topics/gateway/subaccount-move.ts')
    return moveFunds(this, 'depositToSub', args, flags)
  }
}
