import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { callbackFlag } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'

export default class PayoutsCreate extends CountroomCommand {
  static override summary = 'Create one payout, or a batch from a CSV file'
  static override description = [
    'Reserves the funds and the network fees. Nothing is sent until "payouts verify" confirms the batch with a 2FA code. The addresses must be whitelisted.',
    'The file has the columns address,currency,amount and optionally description,external_id,execute_at.',
    'The order is written to the book with its Idempotency-Key before it is sent; running the command again with the same --key creates no second batch. --dry-run checks the addresses, minimums, fees and balance with the platform. Whitelist and limits are checked only when the batch is created.',
  ].join('\n\n')
  static override examples = [
    'countroom payouts create TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa 100 usdttrc20',
    {
      command: 'countroom payouts create --file friday.csv --key friday-2026-03-06',
      description: 'Create a batch that is safe to run again',
    },
    {
      command: 'countroom payouts create --file friday.csv --profile house --yes --confirm-total 1500.50:usdttrc20',
      description: 'Pay real money from a script',
    },
  ]
  static override completes = { file: 'files' }
  static override args = {
    address: Args.string({ description: 'Whitelisted address' }),
    amount: Args.string({ description: 'Amount, without the network fee' }),
    currency: Args.string({ description: 'Coin code' }),
  }
  static override flags = {
    file: Flags.string({ summary: 'CSV file of payouts, or - for stdin', helpValue: 'FILE|-' }),
    description: Flags.string({ summary: 'Description of the payout', helpValue: 'TEXT' }),
    'external-id': Flags.string({ summary: 'Your reference for a single payout', helpValue: 'ID' }),
    'execute-at': Flags.string({ summary: 'Time to send it (default: at once)', helpValue: 'ISO' }),
    ...callbackFlag,
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    const text = Type.String()
    const need = Type.Object({
      currency: text,
      payouts: Type.Integer(),
      amount: text,
      fees: text,
      total: text,
      available: text,
      minimum: text,
    })
    const { properties } = orderedSchema(shapes, gateway.PayoutBatch)
    const needs = Type.Union([Type.Array(need), Type.Null()], {
      description: 'With --dry-run: required and available amounts of each coin.',
    })
    return Type.Object({ ...properties, needs })
  }

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(PayoutsCreate)
    const { createPayouts } = await import('../../src/cli/topics/gateway/create-payouts.ts')
    return createPayouts(this, args, flags)
  }
}
