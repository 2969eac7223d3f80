/** Creating and listing. Source: 2-payment-gateway-api, "Endpoints", Idempotency and Pagination; compatibility, sections 5 to 10. */

/**
 * Every POST that creates an object, with a body and a change that makes it another request; `{…}` stands for existing
 * ids.
 */
export const creating = [
  {
    endpoint: 'POST /payment',
    body: { price_amount: 100, price_currency: 'usd', pay_currency: 'trx' },
    other: { price_amount: 101 },
  },
  { endpoint: 'POST /invoice', body: { price_amount: 100, price_currency: 'usd' }, other: { price_amount: 101 } },
  {
    endpoint: 'POST /invoice-payment',
    body: { iid: '{invoice}', pay_currency: 'trx' },
    other: { pay_currency: 'btc' },
  },
  {
    endpoint: 'POST /payout',
    body: { withdrawals: [{ address: '{wallet}', currency: 'usdttrc20', amount: 10 }] },
    other: { payout_description: 'another' },
  },
  {
    endpoint: 'POST /conversion',
    body: { amount: 10, from_currency: 'usdttrc20', to_currency: 'trx' },
    other: { amount: 11 },
  },
  { endpoint: 'POST /sub-partner/balance', body: { name: 'once' }, other: { name: 'twice' } },
  {
    endpoint: 'POST /sub-partner/transfer',
    body: { currency: 'usdttrc20', amount: 1, from_id: '{sub}', to_id: '{other sub}' },
    other: { amount: 2 },
  },
  {
    endpoint: 'POST /sub-partner/deposit',
    body: { currency: 'usdttrc20', amount: 1, sub_partner_id: '{sub}' },
    other: { amount: 2 },
  },
  {
    endpoint: 'POST /sub-partner/write-off',
    body: { currency: 'usdttrc20', amount: 1, sub_partner_id: '{sub}' },
    other: { amount: 2 },
  },
  {
    endpoint: 'POST /sub-partner/payment',
    body: { currency: 'usdttrc20', amount: 50, sub_partner_id: '{sub}' },
    other: { amount: 51 },
  },
  {
    endpoint: 'POST /subscriptions/plans',
    body: { title: 'Monthly', interval_day: 30, amount: 10, currency: 'usd' },
    other: { amount: 11 },
  },
  {
    endpoint: 'POST /subscriptions',
    body: { subscription_plan_id: '{plan}', email: 'ann@example.com' },
    other: { email: 'bob@example.com' },
  },
] as const

/** POSTs that create nothing. */
export const notCreating = [
  ...['POST /auth', 'POST /payment/{payment_id}/update-merchant-estimate', 'POST /payout/validate-address'],
  ...['POST /payout/{id}/verify', 'POST /payout/{id}/cancel', 'POST /payout/{id}/cancel-batch'],
] as const

/** Lists: the field of their items, their paging, and whether they count; 0-based pages, or offsets. */
export const lists = [
  { endpoint: 'GET /payment/', items: 'data', by: 'page', counts: 'total' },
  // Our own: docs/decisions.md, "Staff decisions about payments".
  { endpoint: 'GET /invoice', items: 'data', by: 'page', counts: 'total' },
  { endpoint: 'GET /payout', items: 'payouts', by: 'page', counts: null },
  { endpoint: 'GET /conversion', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /sub-partner', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /sub-partner/transfers', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /subscriptions/plans', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /subscriptions', items: 'result', by: 'offset', counts: 'count' },
] as const

/** Lists with a documented default size. */
export const defaultLimit = 10

/** Compatibility, section 7: the orders of the list of payouts, in any case; empty is the default. */
export const payoutOrders = {
  accepts: ['id', 'batchId', 'dateCreated', 'dateRequested', 'dateUpdated', 'currency', 'status', 'batchid', 'STATUS'],
  refuses: ['amount', 'date_created', 'address', 'x'],
  directions: { accepts: ['asc', 'desc', 'ASC', 'DESC'], refuses: ['up', 'down', 'ascending'] },
} as const

/** Compatibility, section 7: the only interval of a batch. */
export const intervals = { accepts: ['ONETIME'], refuses: ['DAILY', 'WEEKLY', 'MONTHLY', 'once'] } as const

/** Compatibility, section 1, 8: outcomes that a sandbox payment can be created with, and the statuses that an hour later have been called back. */
export const sandboxCases = [
  { case: 'success', statuses: ['waiting', 'confirming', 'confirmed', 'finished'] },
  { case: 'common', statuses: ['waiting'] },
  { case: 'partially_paid', statuses: ['waiting', 'confirming', 'partially_paid'] },
  { case: 'failed', statuses: ['waiting', 'failed'] },
  { case: 'fail', statuses: ['waiting', 'failed'] },
] as const
export const noSandboxCases = ['paid', 'expired', 'finished'] as const

/** Compatibility, section 10: the currency of a plan that is billed by email. */
export const emailPlans = [
  { currency: 'usd', by: 'email', is: 200 },
  { currency: 'btc', by: 'email', is: 400 },
  { currency: 'btc', by: 'sub_partner_id', is: 200 },
] as const

/** Compatibility, section 4: `fiat_equivalent` is returned only on request. */
export const minimums = [
  { query: 'currency_from=btc', fields: ['currency_from', 'currency_to', 'min_amount'] },
  { query: 'currency_from=usd&currency_to=btc', fields: ['currency_from', 'currency_to', 'min_amount'] },
  {
    query: 'currency_from=btc&fiat_equivalent=usd',
    fields: ['currency_from', 'currency_to', 'min_amount', 'fiat_equivalent'],
  },
] as const
