import { coinAmountFault, tickerFault } from '../../../domain/payments/order-faults.ts'
import { definedFields } from '../../../kit/defined-fields.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { payoutsFromCsv, totalsOf, totalsText } from '../../../operator/gateway-orders/payout-file.ts'
import { type CoinNeed, rehearsePayouts } from '../../../operator/gateway-orders/payout-rehearsal.ts'
import type { PayoutItemInput } from '../../../services/gateway/api/schemas.ts'
import type { GatewayClients } from '../../../world/clients/gateway.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { readBytes } from '../../terminal/read-input.ts'
import type { Column } from '../../terminal/table.ts'
import { payoutColumns } from './arguments.ts'
import { order } from './order.ts'

interface PayoutFlags {
  readonly file?: string | undefined
  readonly 'external-id'?: string | undefined
  readonly callback?: string | undefined
  readonly description?: string | undefined
  readonly 'execute-at'?: string | undefined
  readonly key?: string | undefined
}

/** Creates one payout, or a batch from a CSV file. */
export async function createPayouts(context: CommandContext, args: Single, flags: PayoutFlags) {
  const isFile = flags.file !== undefined
  const { withdrawals, lines } = await payoutsOf(args, flags)
  const totals = totalsOf(withdrawals)
  const body = {
    ...definedFields({
      ipn_callback_url: flags.callback,
      payout_description: flags.description,
      execute_at: flags['execute-at'],
    }),
    withdrawals,
  }
  let needs: readonly CoinNeed[] | null = null
  const destination = isFile ? `in ${countText(withdrawals.length, 'payout')}` : `to ${args.address}`
  const { reply, order: facts } = await order(context, 'createPayouts', { body }, flags, {
    action: `Pay out ${totalsText(totals)} ${destination}`,
    pays: totalToConfirm(context, totals),
    rehearse: async ({ gateway }) => {
      needs = await checkWithPlatform(context, gateway, withdrawals, lines)
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
    context.table(reply.withdrawals, payoutColumns)
    context.footnote(`Nothing is sent yet. To confirm with a 2FA code: countroom payouts verify ${reply.id}`)
  }
  return { ...reply, ...facts, needs }
}

/** Returns the payouts of the arguments, or of the file with their line numbers. */
async function payoutsOf(
  args: Single,
  flags: PayoutFlags,
): Promise<{ withdrawals: PayoutItemInput[]; lines: readonly number[] | undefined }> {
  if (flags.file === undefined) return { withdrawals: [single(args, flags['external-id'])], lines: undefined }
  if (args.address !== undefined || flags['external-id'] !== undefined)
    throw new Problem('INVALID_USAGE', 'Pass either ADDRESS AMOUNT CURRENCY or --file, not both')
  const payouts = await payoutsFromCsv(await readBytes(flags.file))
  return { withdrawals: payouts.map(({ item }) => item), lines: payouts.map(({ line }) => line) }
}

/** Asks the platform about the whole batch and reports all errors. No error is not a guarantee. */
async function checkWithPlatform(
  context: CommandContext,
  gateway: GatewayClients['gateway'],
  withdrawals: readonly PayoutItemInput[],
  lines: readonly number[] | undefined,
): Promise<readonly CoinNeed[]> {
  const { needs, faults } = await rehearsePayouts(gateway, withdrawals)
  context.table([...needs], needColumns)
  const [first] = faults
  if (first === undefined) return needs
  const messages = faults.map(({ item, message }) =>
    lines !== undefined && item !== null ? `Line ${lines[item] ?? item + 2}: ${message}` : message,
  )
  const shown = messages.slice(0, maxListedErrors).join('. ')
  const more = messages.length > maxListedErrors ? `. And ${messages.length - maxListedErrors} more` : ''
  throw new Problem(first.code, `The platform would reject the batch: ${shown}${more}`, {
    faults,
    needs,
    remoteCode: null,
  })
}

function totalToConfirm(context: CommandContext, totals: readonly { currency: string; amount: string }[]) {
  const [only, ...more] = totals
  const { profile } = context.profile
  if (only !== undefined && more.length === 0) return only
  if (profile.kind === 'remote' && profile.environment === 'live')
    throw new Problem(
      'INVALID_USAGE',
      'On a live profile a batch must have one currency, so that you can confirm its total',
    )
  return only ?? { amount: '0', currency: '' }
}

/** Required amounts of each coin, one row per coin. */
const needColumns = [
  { key: 'currency' },
  { key: 'payouts', kind: 'count' },
  ...['amount', 'fees', 'total', 'available'].map((key) => ({ key, kind: 'amount' as const })),
] satisfies readonly Column[]

/** Maximum number of errors in the message; --json has all. */
const maxListedErrors = 10

interface Single {
  readonly address?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}

function single({ address, amount, currency }: Single, externalId: string | undefined): PayoutItemInput {
  if (address === undefined || amount === undefined || currency === undefined)
    throw new Problem('INVALID_USAGE', 'Missing payout: pass ADDRESS AMOUNT CURRENCY, or --file FILE for a batch')
  refuseFaults([coinAmountFault(amount), tickerFault(currency)])
  return { address, amount, currency: currency.toLowerCase(), ...definedFields({ unique_external_id: externalId }) }
}
