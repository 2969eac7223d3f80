import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { chainSchema, paymentArg, paymentIdFrom } from '../../../src/cli/topics/sim/chain-fields.ts'

export default class SimChainDeposit extends CountroomCommand {
  static override summary = 'Pay to the deposit address of a payment, as the customer would'
  static override description =
    'Pays the amount due, or --amount to pay less or more. You can pay several times, and after the payment ended. The deposit is detected at once; it counts after enough confirmations, which --confirm adds. A deposit of another token, or from a sanctioned address, is never credited.'
  static override examples = [
    'countroom sim chain deposit 5745459419 --confirm',
    {
      command: 'countroom sim chain deposit 5745459419 --amount 10',
      description: 'Pay a part, without confirmations',
    },
    {
      command: 'countroom sim chain deposit 5745459419 --contract usdc',
      description: 'Send the wrong token to the address',
    },
    {
      command: 'countroom sim chain deposit 5745459419 --sanctioned --confirm',
      description: 'Pay from a sanctioned address',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = paymentArg
  static override flags = {
    ...dryRunFlag,
    amount: Flags.string({
      summary: 'Amount in the coin of the payment (default: the amount due)',
      helpValue: 'AMOUNT',
    }),
    confirm: Flags.boolean({ summary: 'Add the confirmations the deposit needs' }),
    sender: Flags.string({ summary: 'Address of the sender', helpValue: 'ADDRESS' }),
    sanctioned: Flags.boolean({ summary: 'Put the sender on the sanctions list first' }),
    contract: Flags.string({
      summary: 'Another token on the same network: a coin code, a contract or "native"',
      helpValue: 'TOKEN',
    }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ txId: Type.String(), hash: Type.String(), ...chainSchema(shapes) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainDeposit)
    const { depositToPayment } = await import('../../../src/cli/topics/sim/chain.ts')
    return depositToPayment(this, paymentIdFrom(args.payment), flags)
  }
}
