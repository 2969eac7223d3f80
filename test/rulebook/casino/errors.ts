/** Errors. Source: 1-tenant-api, "Errors" and "Endpoints". */

/** "Errors": codes with their HTTP status; `any` may come from every endpoint. */
export const errors = [
  { code: 'UNAUTHORIZED', http: 401, any: true },
  { code: 'IP_NOT_ALLOWED', http: 403, any: true },
  { code: 'TENANT_SUSPENDED', http: 403, any: true },
  { code: 'RATE_LIMITED', http: 429, any: true },
  { code: 'PAYLOAD_TOO_LARGE', http: 413, any: true },
  { code: 'INVALID_JSON', http: 400, any: true },
  { code: 'NOT_FOUND', http: 404, any: true },
  { code: 'INTERNAL_ERROR', http: 500, any: true },
  { code: 'INVALID_PARAMETER', http: 400, any: false },
  { code: 'INVALID_USERNAME', http: 400, any: false },
  { code: 'INVALID_CURRENCY', http: 400, any: false },
  { code: 'CURRENCY_NOT_ENABLED', http: 400, any: false },
  { code: 'INVALID_AMOUNT', http: 400, any: false },
  { code: 'INVALID_CURSOR', http: 400, any: false },
  { code: 'CURRENCY_MISMATCH', http: 400, any: false },
  { code: 'PLAYER_NOT_FOUND', http: 404, any: false },
  { code: 'PLAYER_LOCKED', http: 403, any: false },
  { code: 'PLAYER_LIMIT', http: 403, any: false },
  { code: 'TXN_CONFLICT', http: 409, any: false },
  { code: 'INSUFFICIENT_BALANCE', http: 409, any: false },
  { code: 'TXN_NOT_FOUND', http: 404, any: false },
  { code: 'ROUND_NOT_FOUND', http: 404, any: false },
  { code: 'QUOTA_EXCEEDED', http: 409, any: false },
  { code: 'ACCOUNT_LOCKED', http: 409, any: false },
] as const

/** "Endpoints": each with the codes it may refuse with, in addition to the common ones. */
export const endpoints = [
  {
    method: 'POST',
    path: '/player/launch',
    errors: [
      'INVALID_PARAMETER',
      'INVALID_USERNAME',
      'INVALID_CURRENCY',
      'CURRENCY_NOT_ENABLED',
      'PLAYER_LOCKED',
      'PLAYER_LIMIT',
    ],
  },
  { method: 'POST', path: '/player/logout', errors: ['INVALID_PARAMETER', 'INVALID_USERNAME', 'PLAYER_NOT_FOUND'] },
  { method: 'GET', path: '/player', errors: ['INVALID_USERNAME', 'PLAYER_NOT_FOUND'] },
  { method: 'POST', path: '/player/update', errors: ['INVALID_PARAMETER', 'INVALID_USERNAME', 'PLAYER_NOT_FOUND'] },
  {
    method: 'POST',
    path: '/wallet/deposit',
    errors: [
      ...['INVALID_PARAMETER', 'INVALID_AMOUNT', 'INVALID_USERNAME', 'INVALID_CURRENCY', 'CURRENCY_NOT_ENABLED'],
      ...['CURRENCY_MISMATCH', 'PLAYER_LIMIT', 'TXN_CONFLICT'],
    ],
  },
  {
    method: 'POST',
    path: '/wallet/withdraw',
    errors: [
      ...['INVALID_PARAMETER', 'INVALID_AMOUNT', 'INVALID_USERNAME', 'CURRENCY_MISMATCH', 'PLAYER_NOT_FOUND'],
      ...['TXN_CONFLICT', 'INSUFFICIENT_BALANCE'],
    ],
  },
  { method: 'GET', path: '/wallet/transfer', errors: ['INVALID_PARAMETER', 'TXN_NOT_FOUND'] },
  { method: 'GET', path: '/wallet/balance', errors: ['INVALID_USERNAME', 'PLAYER_NOT_FOUND'] },
  { method: 'GET', path: '/bets', errors: ['INVALID_CURSOR', 'INVALID_PARAMETER'] },
  { method: 'GET', path: '/bets/summary', errors: ['INVALID_PARAMETER'] },
  { method: 'GET', path: '/rounds/{roundId}', errors: ['ROUND_NOT_FOUND', 'NOT_FOUND'] },
  { method: 'GET', path: '/tables', errors: [] },
  {
    method: 'POST',
    path: '/tables/enable',
    errors: ['INVALID_PARAMETER', 'NOT_FOUND', 'QUOTA_EXCEEDED', 'ACCOUNT_LOCKED'],
  },
  { method: 'POST', path: '/tables/disable', errors: ['INVALID_PARAMETER', 'NOT_FOUND'] },
  { method: 'GET', path: '/account', errors: [] },
  { method: 'GET', path: '/account/usage', errors: ['INVALID_PARAMETER'] },
  { method: 'GET', path: '/account/statements', errors: [] },
] as const

/** "Errors": the text of an UNAUTHORIZED message. */
export const unauthorizedMessages = {
  credentials: 'invalid credentials',
  timestamp: 'timestamp outside the window',
  nonce: 'nonce already used',
} as const

/**
 * Bad input with its refusal; `missing` as a value omits the field. The player amy exists with US dollars and a balance
 * of 100, lou is locked, and EUR is enabled while JPY is not.
 */
export const refusals = [
  { endpoint: 'POST /player/launch', sent: {}, code: 'INVALID_USERNAME|INVALID_PARAMETER' },
  { endpoint: 'POST /player/launch', sent: { username: 'a b' }, code: 'INVALID_USERNAME' },
  { endpoint: 'POST /player/launch', sent: { username: 'new', currency: 'US' }, code: 'INVALID_CURRENCY' },
  { endpoint: 'POST /player/launch', sent: { username: 'new', currency: 'JPY' }, code: 'CURRENCY_NOT_ENABLED' },
  { endpoint: 'POST /player/launch', sent: { username: 'amy', lang: 'FRA' }, code: 'INVALID_PARAMETER', names: 'lang' },
  {
    endpoint: 'POST /player/launch',
    sent: { username: 'amy', limitProfileId: 999_999_999 },
    code: 'INVALID_PARAMETER',
    names: 'limitProfileId',
  },
  {
    endpoint: 'POST /player/launch',
    sent: { username: 'amy', limitProfileId: 0 },
    code: 'INVALID_PARAMETER',
    names: 'limitProfileId',
  },
  {
    endpoint: 'POST /player/launch',
    sent: { username: 'amy', lobbyUrl: 'casino.example' },
    code: 'INVALID_PARAMETER',
    names: 'lobbyUrl',
  },
  { endpoint: 'POST /player/launch', sent: { username: 'lou' }, code: 'PLAYER_LOCKED' },
  { endpoint: 'POST /player/logout', sent: { username: 'a b' }, code: 'INVALID_USERNAME' },
  { endpoint: 'POST /player/logout', sent: { username: 'nobody' }, code: 'PLAYER_NOT_FOUND' },
  { endpoint: 'GET /player', sent: {}, code: 'INVALID_USERNAME' },
  { endpoint: 'GET /player', sent: { username: 'a b' }, code: 'INVALID_USERNAME' },
  { endpoint: 'GET /player', sent: { username: 'nobody' }, code: 'PLAYER_NOT_FOUND' },
  {
    endpoint: 'POST /player/update',
    sent: { username: 'amy', status: 'blocked' },
    code: 'INVALID_PARAMETER',
    names: 'status',
  },
  {
    endpoint: 'POST /player/update',
    sent: { username: 'amy', password: '12345' },
    code: 'INVALID_PARAMETER',
    names: 'password',
  },
  {
    endpoint: 'POST /player/update',
    sent: { username: 'amy', nickname: 5 },
    code: 'INVALID_PARAMETER',
    names: 'nickname',
  },
  { endpoint: 'POST /player/update', sent: { username: 'a b' }, code: 'INVALID_USERNAME' },
  { endpoint: 'POST /player/update', sent: { username: 'nobody', status: 'locked' }, code: 'PLAYER_NOT_FOUND' },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', txnId: 'a b', amount: '1', currency: 'USD' },
    code: 'INVALID_PARAMETER',
    names: 'txnId',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', amount: '1', currency: 'USD' },
    code: 'INVALID_PARAMETER',
    names: 'txnId',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', txnId: 'e1', amount: '0', currency: 'USD' },
    code: 'INVALID_AMOUNT',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', txnId: 'e1', amount: 1, currency: 'USD' },
    code: 'INVALID_AMOUNT',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'a b', txnId: 'e1', amount: '1', currency: 'USD' },
    code: 'INVALID_USERNAME',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'new', txnId: 'e1', amount: '1', currency: 'US' },
    code: 'INVALID_CURRENCY',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'new', txnId: 'e1', amount: '1', currency: 'JPY' },
    code: 'CURRENCY_NOT_ENABLED',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', txnId: 'e1', amount: '1', currency: 'EUR' },
    code: 'CURRENCY_MISMATCH',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'amy', txnId: 'first-amy', amount: '1', currency: 'USD' },
    code: 'TXN_CONFLICT',
  },
  {
    endpoint: 'POST /wallet/deposit',
    sent: { username: 'lou', txnId: 'first-amy', amount: '100', currency: 'USD' },
    code: 'TXN_CONFLICT',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'amy', txnId: 'a b', amount: '1', currency: 'USD' },
    code: 'INVALID_PARAMETER',
    names: 'txnId',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'amy', txnId: 'e1', amount: '-1', currency: 'USD' },
    code: 'INVALID_AMOUNT',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'a b', txnId: 'e1', amount: '1', currency: 'USD' },
    code: 'INVALID_USERNAME',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'amy', txnId: 'e1', amount: '1', currency: 'EUR' },
    code: 'CURRENCY_MISMATCH',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'nobody', txnId: 'e1', amount: '1', currency: 'USD' },
    code: 'PLAYER_NOT_FOUND',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'amy', txnId: 'first-amy', amount: '100', currency: 'USD' },
    code: 'TXN_CONFLICT',
  },
  {
    endpoint: 'POST /wallet/withdraw',
    sent: { username: 'amy', txnId: 'e1', amount: '100.0001', currency: 'USD' },
    code: 'INSUFFICIENT_BALANCE',
  },
  { endpoint: 'GET /wallet/transfer', sent: {}, code: 'INVALID_PARAMETER', names: 'txnId' },
  { endpoint: 'GET /wallet/transfer', sent: { txnId: 'a b' }, code: 'INVALID_PARAMETER', names: 'txnId' },
  { endpoint: 'GET /wallet/transfer', sent: { txnId: 'never' }, code: 'TXN_NOT_FOUND' },
  { endpoint: 'GET /wallet/transfer', sent: { txnId: 'never', username: 'amy' }, code: 'TXN_NOT_FOUND' },
  { endpoint: 'GET /wallet/balance', sent: {}, code: 'INVALID_USERNAME' },
  { endpoint: 'GET /wallet/balance', sent: { username: 'nobody' }, code: 'PLAYER_NOT_FOUND' },
  { endpoint: 'GET /bets', sent: { cursor: 'abc' }, code: 'INVALID_CURSOR' },
  { endpoint: 'GET /bets', sent: { limit: '0' }, code: 'INVALID_PARAMETER', names: 'limit' },
  { endpoint: 'GET /bets', sent: { limit: '1001' }, code: 'INVALID_PARAMETER', names: 'limit' },
  { endpoint: 'GET /bets', sent: { from: 'yesterday' }, code: 'INVALID_PARAMETER', names: 'from' },
  { endpoint: 'GET /bets/summary', sent: {}, code: 'INVALID_PARAMETER', names: 'date' },
  { endpoint: 'GET /bets/summary', sent: { date: '2026-02-30' }, code: 'INVALID_PARAMETER', names: 'date' },
  { endpoint: 'GET /rounds/01JZZZZZZZZZZZZZZZZZZZZZZZ', sent: {}, code: 'ROUND_NOT_FOUND' },
  { endpoint: 'GET /rounds/01jzzzzzzzzzzzzzzzzzzzzzzz', sent: {}, code: 'NOT_FOUND' },
  { endpoint: 'GET /rounds/short', sent: {}, code: 'NOT_FOUND' },
  { endpoint: 'POST /tables/enable', sent: {}, code: 'INVALID_PARAMETER', names: 'tableId' },
  { endpoint: 'POST /tables/enable', sent: { tableId: '' }, code: 'INVALID_PARAMETER', names: 'tableId' },
  { endpoint: 'POST /tables/enable', sent: { tableId: 'NO-SUCH' }, code: 'NOT_FOUND' },
  { endpoint: 'POST /tables/disable', sent: {}, code: 'INVALID_PARAMETER', names: 'tableId' },
  { endpoint: 'POST /tables/disable', sent: { tableId: 'NO-SUCH' }, code: 'NOT_FOUND' },
  { endpoint: 'GET /account/usage', sent: {}, code: 'INVALID_PARAMETER' },
  { endpoint: 'GET /account/usage', sent: { from: '2026-03-01' }, code: 'INVALID_PARAMETER', names: 'to' },
  { endpoint: 'GET /account/usage', sent: { to: '2026-03-01' }, code: 'INVALID_PARAMETER', names: 'from' },
  {
    endpoint: 'GET /account/usage',
    sent: { from: '2026-02-30', to: '2026-03-01' },
    code: 'INVALID_PARAMETER',
    names: 'from',
  },
  { endpoint: 'GET /wallet/deposit', sent: {}, code: 'NOT_FOUND' },
  { endpoint: 'POST /tables', sent: {}, code: 'NOT_FOUND' },
  { endpoint: 'GET /nothing', sent: {}, code: 'NOT_FOUND' },
] as const

/** "Errors": bodies that are no JSON object. */
export const notObjects = [
  '',
  'null',
  '[]',
  '1',
  '"text"',
  'true',
  '{',
  '{"username":}',
  'username=amy',
  '{}{}',
] as const
