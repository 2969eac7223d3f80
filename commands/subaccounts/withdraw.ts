import { SubMoveCommand } from '../../src/cli/topics/gateway/subaccount-move.ts'

export default class SubaccountsWithdraw extends SubMoveCommand {
  static override summary = 'Transfer funds from a sub-account to the main account'
  static override examples = ['countroom subaccounts withdraw 5000000194 25 usdttrc20']

  override async run() {
    const { args, flags } = await this.parse(SubaccountsWithdraw)
    return this.moveFunds('writeOffSub', args, flags)
  }
}
