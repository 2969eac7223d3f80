import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { asFlag, dangerFlags, Flags } from '../../../../src/cli/framework/flags.ts'
import { moneyExits } from '../../../../src/cli/outcome/exit-codes.ts'
import { depositArg, fundsSchema } from '../../../../src/cli/topics/merchants/fields.ts'

export default class ConsoleMerchantsFundsReturn extends CountroomCommand {
  static override summary = 'Return a frozen or foreign deposit to an address'
  static override description =
    'Sends the whole deposit, less the network fee. A token that the gateway does not support has no price, so no fee is deducted. The deposit must be confirmed on its chain, and the address must not be on the sanctions list.'
  static override examples = [
    'countroom console merchants funds return 01KJKQ4GR0XF2M6ZP1YVZ8C3TN --to TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa',
  ]
  static override exits = moneyExits
  static override writes = true
  static override args = depositArg
  static override flags = {
    to: Flags.string({ summary: 'Address to return to', required: true, helpValue: 'ADDRESS' }),
    ...asFlag,
    ...dangerFlags,
  }
  static override data = fundsSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsFundsReturn)
    const { returnFunds } = await import('../../../../src/cli/topics/merchants/funds.ts')
    return returnFunds(this, args.id, flags)
  }
}
