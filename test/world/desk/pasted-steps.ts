import type { ActionName } from '../../../src/world/desk/actions/index.ts'

/** Clicks on the desk, with values that a shell, a macro or a text for customers reads in another way. */

export type Input = Readonly<Record<string, unknown>>

/** Kinds of things whose newest a step acts on. */
export type Thing =
  | 'receiver'
  | 'delivery'
  | 'round'
  | 'payment'
  | 'sandbox payment'
  | 'address'
  | 'sandbox address'
  | 'batch'
  | 'payout'
  | 'room'
  | 'ticket'

/** Returns the newest thing of a kind in a world: its ID, address or URL. */
export type Find = (thing: Thing) => Promise<string>

/** A click with the values of its form, a command that both worlds run, or a comparison of the worlds. */
export type Step =
  | readonly [action: ActionName, input: Input | ((find: Find) => Promise<Input>)]
  | { readonly both: (find: Find) => Promise<readonly string[]> }
  | 'compare'

/** Returns a date relative to today. The clock cannot be set back, so a fixed date would fail once it has passed. */
const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`

const demo = { tenant: 'DEMO' }
const sandbox = { tenant: 'DEMO-SBX' }
export const merchant = '5000000001'
export const sandboxMerchant = '5000000002'
const inSandbox = { merchant: sandboxMerchant, profile: 'local.demo-sbx' }

const awkward = `Ünïcode "double" 'single' $HOME \`id\` !! \\ 日本語 *`
const lines = `${awkward}\nline 2`
const exactRound = (username: string) =>
  JSON.stringify(
    {
      tableId: 'BAC-01',
      variant: 'nocomm',
      cardInfo: 'QD3D4C3SAH--',
      slips: [{ username, bets: { B: '100', S6: '10' } }],
    },
    null,
    2,
  )

const on =
  (thing: Thing, name: string, more: Input = {}) =>
  async (find: Find): Promise<Input> => ({ [name]: await find(thing), ...more })
const verify = { both: async (find: Find) => ['payouts', 'verify', await find('batch'), '--yes'] }

const casino: readonly Step[] = [
  ['clock.set', { to: inDays(90) }],
  ['clock.advance', { by: '2h30m' }],
  'compare',
  ['snapshot.save', { name: 'first' }],
  ['webhook.set', async (find) => ({ ...demo, url: `${await find('receiver')}?a=1&b=$HOME` })],
  ['webhook.test', demo],
  ['delivery.resend', on('delivery', 'delivery')],
  ['player.adjust', { ...demo, user: 'amy', amount: '-12.5', txn: '-x:1' }],
  ['player.adjust', { ...sandbox, user: 'bob', amount: '0.0001', txn: 'a_1' }],
  ['player.lock', { ...sandbox, user: 'amy' }],
  ['player.unlock', { ...sandbox, user: 'amy' }],
  ['player.lock', { ...demo, user: 'cho' }],
  ['player.no-bet', { ...sandbox, user: 'dee' }],
  ['player.launch', { ...demo, user: 'amy', table: 'BAC-01', device: 'mobile' }],
  ['player.launch', { ...sandbox, user: 'bob' }],
  ['player.kick', { ...demo, user: 'amy' }],
  ['credit.topup', { ...demo, amount: '100.25', ref: awkward }],
  ['table.maintenance', { table: 'BAC-01', environment: 'live' }],
  ['table.open', { table: 'BAC-01', environment: 'live' }],
  ['table.maintenance', { table: 'DT-01', environment: 'sandbox' }],
  ['round.deal', { ...demo, round: exactRound('amy') }],
  ['round.correct', on('round', 'round', { cardInfo: '5H4S3C5D----' })],
  ['round.dispute', on('round', 'round')],
  ['round.deal', { ...demo, round: exactRound('dee') }],
  ['round.void', on('round', 'round')],
  ['round.deal', { ...sandbox, round: exactRound('bob') }],
  'compare',
]

const gateway: readonly Step[] = [
  ['merchant.ipn-url', async (find) => ({ merchant, url: `${await find('receiver')}?it's=1` })],
  ['merchant.ipn-test', { merchant }],
  ['payment.create', { merchant, price: '100.123456', priceCurrency: 'usd', payCurrency: 'usdttrc20', order: awkward }],
  ['payment.pay-part', on('payment', 'payment', { amount: '40.000001', confirm: true })],
  ['payment.pay', on('payment', 'payment', { confirm: false })],
  ['payment.confirm', on('payment', 'payment')],
  ['payment.refund', on('payment', 'payment')],
  ['payment.create', { ...inSandbox, price: '20', priceCurrency: 'eur', payCurrency: 'btc' }],
  ['payment.pay', on('sandbox payment', 'payment')],
  ['payment.reorg', on('sandbox payment', 'payment')],
  ['payment.pay', on('sandbox payment', 'payment', { sanctioned: true, confirm: true })],
  ['payment.create', { merchant, price: '15', priceCurrency: 'usd', payCurrency: 'eth' }],
  ['payment.pay', on('payment', 'payment')],
  ['chain.block', { network: 'eth', blocks: 3, environment: 'production' }],
  ['payment.create', { merchant, price: '15', priceCurrency: 'usd', payCurrency: 'usdttrc20' }],
  ['payment.pay-late', on('payment', 'payment', { by: '8d', confirm: true })],
  ['address.sanction', { address: 'TPHewPLGYnNLGMXvQGABTqBwJCFJtX8imD' }],
  ['merchant.fund', { merchant, coin: 'usdttrc20', amount: '12.000001' }],
  'compare',
  ['payout.create', on('address', 'address', { merchant, amount: '10.5', coin: 'usdttrc20' })],
  verify,
  ['payout.reject', on('batch', 'batch')],
  ['payout.create', on('address', 'address', { merchant, amount: '11', coin: 'usdttrc20' })],
  verify,
  ['payout.approve', on('batch', 'batch')],
  ['payout.drop', on('payout', 'payout')],
  ['payout.create', on('sandbox address', 'address', { ...inSandbox, amount: '10', coin: 'usdttrc20' })],
  ['rate.set', { asset: 'btc', usd: '61234.56789' }],
  ['rate.set', { asset: 'eth', usd: 'none' }],
  ['rate.age', { age: '1h' }],
  'compare',
  ['rate.reset', {}],
]

const chat: readonly Step[] = [
  ['room.open', { ...demo, account: "o'neil", name: awkward }],
  ['room.say', on('room', 'room', { ...demo, text: lines })],
  ['room.reply', on('room', 'room', { ...demo, text: lines })],
  ...['-', '--help', '@ 5 %', 'refused: %s'].map((text): Step => ['room.reply', on('room', 'room', { ...demo, text })]),
  ['room.say', on('room', 'room', { ...demo, text: '-' })],
  ['room.close', on('room', 'room', demo)],
  ['room.reopen', on('room', 'room', demo)],
  ['room.open', { tenant: 'DEMO-FREE', account: 'zoe' }],
  ['widget.set', { ...demo, color: '#123abc', theme: 'dark', label: awkward, greeting: lines }],
  ['widget.set', { tenant: 'DEMO-FREE', color: 'teal', theme: 'auto' }],
  ['ticket.create', { ...demo, title: awkward, account: 'amy' }],
  ['ticket.comment', on('ticket', 'ticket', { ...demo, text: lines, public: true })],
  ['ticket.comment', on('ticket', 'ticket', { ...demo, text: 'refused: {{name}}', public: true })],
  ...['-', '@greet'].map((text): Step => ['ticket.comment', on('ticket', 'ticket', { ...demo, text })]),
  ['ticket.status', on('ticket', 'ticket', { ...demo, status: 'in_progress', comment: awkward })],
  ['ticket.status', on('ticket', 'ticket', { ...demo, status: 'resolved', comment: '@greet' })],
  'compare',
]

const rest: readonly Step[] = [
  [
    'fault.add',
    {
      ...{ kind: 'slow', service: 'casino', endpoint: 'POST /wallet/*', times: 2, every: 3, chance: '0.5' },
      ...{ until: '1h', for: '3s' },
    },
  ],
  ['fault.add', { kind: 'refuse', service: 'gateway', code: 'RATE_LIMITED', retryAfter: 5 }],
  ['fault.add', { kind: 'status', status: '503', until: inDays(1_000) }],
  ['fault.clear', { fault: '2' }],
  'compare',
  ['fault.clear-all', {}],
  [
    'signature.check',
    {
      ...{ ...demo, method: 'GET', path: "/api/tenant/v1/tables?a='b'", timestamp: '1772323200' },
      ...{ nonce: '4f9d0c2b7a615e38', body: awkward },
    },
  ],
  ['snapshot.diff', { from: 'first' }],
  ['snapshot.load', { name: 'first' }],
  'compare',
  ['snapshot.delete', { name: 'first' }],
  // These deal other cards each time.
  ['round.play', { ...sandbox, rounds: 1, players: 1, days: 0 }],
  ['live.on', {}],
  ['live.off', {}],
]

export const steps: readonly Step[] = [...casino, ...gateway, ...chat, ...rest]
