import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'

/** The countroom command that makes the same request, where there is one. */

/** Values of a request by their names, from its path, query and body. */
type Values = Readonly<Record<string, string | undefined>>

/** Words and flags of a command; a flag without a value is omitted. */
interface CommandForm {
  readonly words: string
  readonly args: readonly string[]
  readonly flags?: Readonly<Record<string, string>>
}

const forms: Readonly<Record<string, Readonly<Record<string, CommandForm>>>> = {
  casino: {
    launch: { words: 'launch', args: ['username'], flags: { table: 'table', lang: 'lang' } },
    logout: { words: 'players kick', args: ['username'] },
    player: { words: 'players show', args: ['username'] },
    deposit: { words: 'wallet deposit', args: ['username', 'amount', 'currency'], flags: { txn: 'txnId' } },
    withdraw: { words: 'wallet withdraw', args: ['username', 'amount', 'currency'], flags: { txn: 'txnId' } },
    transfer: { words: 'wallet transfer', args: ['txnId'], flags: { user: 'username' } },
    balance: { words: 'wallet balance', args: ['username'] },
    summary: { words: 'summary show', args: ['date'] },
    round: { words: 'rounds show', args: ['roundId'] },
    tables: { words: 'tables list', args: [] },
    enableTable: { words: 'tables enable', args: ['tableId'] },
    disableTable: { words: 'tables disable', args: ['tableId'] },
    account: { words: 'account show', args: [] },
    usage: { words: 'account usage', args: [], flags: { from: 'from', to: 'to' } },
    statements: { words: 'statements list', args: [] },
  },
  gateway: {
    currencies: { words: 'coins list', args: [] },
    fullCurrencies: { words: 'coins list', args: [] },
    currency: { words: 'coins show', args: ['code'] },
    balance: { words: 'coins balance', args: [] },
    createPayment: {
      words: 'payments create',
      args: ['price_amount', 'price_currency', 'pay_currency'],
      flags: { order: 'order_id', description: 'order_description' },
    },
    payment: { words: 'payments show', args: ['payment_id'] },
    payments: { words: 'payments list', args: [] },
    invoice: { words: 'invoices show', args: ['id'] },
    payout: { words: 'payouts show', args: ['id'] },
    payouts: { words: 'payouts list', args: [] },
    conversion: { words: 'conversions show', args: ['id'] },
    conversions: { words: 'conversions list', args: [] },
  },
  chat: {
    room: { words: 'rooms show', args: ['roomId'] },
    rooms: { words: 'rooms list', args: [] },
    ticket: { words: 'tickets show', args: ['ticketId'] },
    tickets: { words: 'tickets list', args: [] },
  },
}

/** Returns all commands that are named here, for the test that they exist. */
export const namedCommands = Object.values(forms).flatMap((each) => Object.values(each))

/** Returns the command that makes the same request, or null. `quoted` quotes a word for a shell. */
export function equalCommand(
  service: string | null,
  { kind, endpointName, delivery }: Pick<Exchange, 'kind' | 'endpointName' | 'delivery'>,
  values: Values,
  quoted: (word: string) => string,
): string | null {
  if (kind === 'callback' && delivery)
    return `countroom ${service === 'casino' ? 'webhooks' : 'ipn'} show ${quoted(delivery.id)}`
  const form = endpointName === undefined || service === null ? undefined : forms[service]?.[endpointName]
  if (form === undefined) return null
  const args = form.args.map((name) => values[name])
  if (args.some((value) => value === undefined)) return null
  const flags = Object.entries(form.flags ?? {}).flatMap(([flag, name]) => {
    const value = values[name]
    return value === undefined ? [] : [`--${flag} ${quoted(value)}`]
  })
  return ['countroom', form.words, ...args.map((value) => quoted(value ?? '')), ...flags].join(' ')
}
