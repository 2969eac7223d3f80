import { SubMoveCommand } from '../../src/cli/topics/gateway/subaccount-move.ts'

export default class SubaccountsDeposit extends SubMoveCommand {
  static override summary = 'Transfer funds from the main account to a sub-account'
  static override examples = ['countroom subaccounts deposit 5000000194 25 usdttrc20']

  override async run() {
    const { args, flags } = await this.parse(SubaccountsDeposit)
    return this.moveFunds('depositToSub', args, flags)
  }
}
