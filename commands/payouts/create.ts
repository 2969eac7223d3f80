import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import {
  callbackFlag,
  coinAmountFault,
  given,
  payoutColumns,
  tickerFault,
} from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { payoutsFromCsv, totalsOf, totalsText } from '../../src/cli/topics/gateway/payout-file.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { CoinNeed } from '../../src/operator/gateway-orders/payout-rehearsal.ts'
import type { PayoutItemOrder } from '../../src/services/gateway/api/schemas.ts'
import type { GatewayClients } from '../../src/world/clients/gateway.ts'

export default class PayoutsCreate extends CountroomCommand {
  static override summary = 'Create one payout, or a batch from a CSV file'
  static override description =
    'Reserves the funds and the network fees; nothing is sent before "payouts verify" confirms the batch with a 2FA code. The addresses must be whitelisted. The file has the columns address,currency,amount and optionally description,external_id,execute_at. The order is written to the book with its Idempotency-Key before it is sent; running the command again with the same --key creates no second batch. --dry-run checks the addresses, minimums, fees and balance with the platform. Whitelist and limits are checked only when the batch is created.'
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
    file: Flags.string({ summary: 'CSV file of payouts, or - for stdin', helpValue: 'FILE' }),
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
    const isFile = flags.file !== undefined
    const withdrawals = isFile ? await this.#fromFile(args, flags) : [single(args, flags['external-id'])]
    const totals = await totalsOf(withdrawals)
    const body = {
      ...given({
        ipn_callback_url: flags.callback,
        payout_description: flags.description,
        execute_at: flags['execute-at'],
      }),
      withdrawals,
    }
    let needs: readonly CoinNeed[] | null = null
    const where = isFile
      ? `in ${withdrawals.length === 1 ? '1 payout' : `${withdrawals.length} payouts`}`
      : `to ${args.address}`
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createPayouts', { body }, flags, {
      order: `Pay out ${totalsText(totals)} ${where}`,
      pays: this.#total(totals),
      rehearse: async ({ gateway }) => {
        needs = await this.#rehearse(gateway, withdrawals, isFile)
        return 'Valid: addresses, minimums, fees and balance were checked with the platform'
      },
      again: {
        args: [args.address, args.amount, args.currency].filter((word) => word !== undefined),
        flags: {
          file: flags.file,
          description: flags.description,
          'external-id': flags['external-id'],
          'execute-at': flags['execute-at'],
          callback: flags.callback,
        },
      },
    })
    if (reply) {
      this.table(reply.withdrawals, payoutColumns)
      this.footnote(`Nothing is sent yet. To confirm with a 2FA code: countroom payouts verify ${reply.id}`)
    }
    return { ...reply, ...facts, needs }
  }

  /** Line numbers of the payouts of a file. */
  #lines: readonly number[] = []

  /** Asks the platform about the whole batch and reports all errors. No error is not a guarantee. */
  async #rehearse(
    gateway: GatewayClients['gateway'],
    withdrawals: readonly PayoutItemOrder[],
    isFile: boolean,
  ): Promise<readonly CoinNeed[]> {
    const { rehearsePayouts } = await import('../../src/operator/gateway-orders/payout-rehearsal.ts')
    const { needs, faults } = await rehearsePayouts(gateway, withdrawals)
    this.table([...needs], needColumns)
    const [first] = faults
    if (first === undefined) return needs
    const said = faults.map(({ item, message }) =>
      isFile && item !== null ? `Line ${this.#lines[item] ?? item + 2}: ${message}` : message,
    )
    const shown = said.slice(0, mostSaid).join('. ')
    const more = said.length > mostSaid ? `. And ${said.length - mostSaid} more` : ''
    throw new Problem(first.code, `The platform would reject the batch: ${shown}${more}`, {
      faults,
      needs,
      remoteCode: null,
    })
  }

  async #fromFile(
    args: Single,
    flags: { file?: string | undefined; 'external-id'?: string | undefined },
  ): Promise<PayoutItemOrder[]> {
    if (args.address !== undefined || flags['external-id'] !== undefined)
      throw new Problem('INVALID_USAGE', 'Pass either ADDRESS AMOUNT CURRENCY or --file, not both')
    const payouts = await payoutsFromCsv(await readBytes(flags.file ?? '-'))
    this.#lines = payouts.map(({ line }) => line)
    return payouts.map(({ item }) => item)
  }

  #total(totals: readonly { currency: string; amount: string }[]) {
    const [only, ...more] = totals
    const { profile } = this.profile
    if (only !== undefined && more.length === 0) return only
    if (profile.kind === 'remote' && profile.environment === 'live')
      throw new Problem(
        'INVALID_USAGE',
        'On a live profile a batch must have one currency, so that you can confirm its total',
      )
    return only ?? { amount: '0', currency: '' }
  }
}

/** Required amounts of each coin, one row per coin. */
const needColumns = [
  { key: 'currency' },
  { key: 'payouts', kind: 'count' },
  ...['amount', 'fees', 'total', 'available'].map((key) => ({ key, kind: 'amount' as const })),
] satisfies readonly Column[]

/** Maximum number of errors in the message; --json has all. */
const mostSaid = 10

interface Single {
  readonly address?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}

function single({ address, amount, currency }: Single, externalId: string | undefined): PayoutItemOrder {
  if (address === undefined || amount === undefined || currency === undefined)
    throw new Problem('INVALID_USAGE', 'Missing payout: pass ADDRESS AMOUNT CURRENCY, or --file FILE for a batch')
  refuseFaults([coinAmountFault(amount), tickerFault(currency)])
  return { address, amount, currency: currency.toLowerCase(), ...given({ unique_external_id: externalId }) }
}
