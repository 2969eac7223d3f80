/** Creating and listing. Source: 2-payment-gateway-api, "Endpoints", Idempotency and Pagination; compatibility, sections 5 to 10. */

/** Every POST that creates something, with a body and a change that makes another request of it; `{…}` stands for ids that exist. */
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

/** Lists: where their items lie, how they are paged, and whether they count; 0-based pages, or offsets. */
export const lists = [
  { endpoint: 'GET /payment/', items: 'data', by: 'page', counts: 'total' },
  { endpoint: 'GET /payout', items: 'payouts', by: 'page', counts: null },
  { endpoint: 'GET /conversion', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /sub-partner', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /sub-partner/transfers', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /subscriptions/plans', items: 'result', by: 'offset', counts: 'count' },
  { endpoint: 'GET /subscriptions', items: 'result', by: 'offset', counts: 'count' },
] as const

/** Lists that say how many they give where nothing is asked for. */
export const defaultLimit = 10
