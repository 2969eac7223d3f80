import { setAllowlist, setTenantState } from '../../../src/services/casino/admin/index.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { aPlayer, aTenant } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { everyCode, type Refused } from '../every-code.ts'
import { shared } from '../shared.ts'
import { ask } from './casino.ts'
import * as book from './errors.ts'
import { demo } from './limits.ts'

const tenant = shared(async (world) => {
  const made = await aTenant(world, { code: 'CODES', tables: ['BAC-01'] })
  await aPlayer(made, { username: 'amy', balance: '100' })
  await aPlayer(made, { username: 'lou', balance: '100' })
  await made.client.updatePlayer({ body: { username: 'lou', status: 'locked' } })
  return made
})
const { world } = { world: () => tenant().world }
const refused = (endpoint: string, sent: Record<string, unknown> = {}, more = {}) => ask(tenant(), endpoint, sent, more)
const launch = (sent: Record<string, unknown>) => refused('POST /player/launch', sent)
const withdraw = (sent: Record<string, unknown>) =>
  refused('POST /wallet/withdraw', { username: 'amy', txnId: 'w-1', amount: '1', currency: 'USD', ...sent })

everyCode(
  { book: Object.fromEntries(book.errors.map(({ code, http }) => [code, http])), contract: casino.problems },
  {
    UNAUTHORIZED: () => refused('GET /tables', {}, { secret: 'another' }),
    async IP_NOT_ALLOWED() {
      const other = await aTenant(world())
      await setAllowlist(world().casino, other.code, ['203.0.113.7'])
      return ask(other, 'GET /tables')
    },
    async TENANT_SUSPENDED() {
      const other = await aTenant(world())
      await setTenantState(world().casino, other.code, 'SUSPENDED')
      return ask(other, 'GET /tables')
    },
    async RATE_LIMITED() {
      const other = await aTenant(await testWorld({ rateLimits: true }), { plan: 'free' })
      let last: Refused | undefined
      for (let i = 0; i < 11; i++) last = await ask(other, 'GET /tables')
      return last ?? { status: 0, body: {} }
    },
    PAYLOAD_TOO_LARGE: () => launch({ username: 'x'.repeat(70_000) }),
    INVALID_JSON: () => refused('POST /player/launch', {}, { body: '[]' }),
    NOT_FOUND: () => refused('GET /nothing'),
    async INTERNAL_ERROR() {
      const other = await aTenant(await testWorld())
      await other.world.store.close()
      return ask(other, 'GET /tables')
    },
    INVALID_PARAMETER: () => launch({ username: 'amy', lang: 'KLINGON' }),
    INVALID_USERNAME: () => launch({ username: 'a b' }),
    INVALID_CURRENCY: () => launch({ username: 'new', currency: 'US' }),
    CURRENCY_NOT_ENABLED: () => launch({ username: 'new', currency: 'JPY' }),
    INVALID_AMOUNT: () => withdraw({ amount: '0' }),
    INVALID_CURSOR: () => refused('GET /bets', { cursor: '2026' }),
    CURRENCY_MISMATCH: () => withdraw({ currency: 'EUR' }),
    PLAYER_NOT_FOUND: () => withdraw({ username: 'nobody' }),
    PLAYER_LOCKED: () => launch({ username: 'lou' }),
    async PLAYER_LIMIT() {
      const free = await aTenant(world(), { plan: 'free' })
      for (let i = 0; i < demo.players; i++) await aPlayer(free, { balance: '0' })
      return ask(free, 'POST /player/launch', { username: 'one-more' })
    },
    TXN_CONFLICT: () => withdraw({ txnId: 'first-amy' }),
    INSUFFICIENT_BALANCE: () => withdraw({ amount: '100.0001' }),
    TXN_NOT_FOUND: () => refused('GET /wallet/transfer', { txnId: 'never' }),
    ROUND_NOT_FOUND: () => refused(`GET /rounds/${'0'.repeat(26)}`),
    async QUOTA_EXCEEDED() {
      const free = await aTenant(world(), { plan: 'free', tables: ['BAC-01', 'DT-01'] })
      return ask(free, 'POST /tables/enable', { tableId: 'NN-01' })
    },
    async ACCOUNT_LOCKED() {
      // A suspended tenant is refused everywhere; its sandbox has the same account and is not.
      const other = await aTenant(world())
      await setTenantState(world().casino, other.code, 'CLOSED')
      return ask(other.sandbox, 'POST /tables/enable', { tableId: 'BAC-01' })
    },
  },
)
