import { describe, expect, test } from 'vitest'
import { approveShare, createTable, setSharing, shareTable } from '../../../../src/services/casino/admin/index.ts'
import { allBets, aPlayer, aRound, aTenant, refuses, type TestTenant } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

/** A merchant with its own studio, a tenant it shares with, and one it does not. */
async function aStudio() {
  const world = await testWorld()
  const owner = await aTenant(world, { code: 'ACME' })
  const guest = await aTenant(world, { code: 'GUEST' })
  const stranger = await aTenant(world, { code: 'OTHER' })
  const app = world.casino
  await createTable(app, 'ACME', { tableId: 'ACME-01', game: 'baccarat', name: 'Acme One', provider: 'Acme Studio' })
  const sees = async ({ client }: TestTenant) =>
    (await client.tables({})).tables.find((table) => table.tableId === 'ACME-01')
  const share = (...codes: string[]) => shareTable(app, 'live', 'ACME-01', codes)
  const approve = (isApproved = true) => approveShare(app, 'live', 'ACME-01', isApproved)
  return { world, app, owner, guest, stranger, sees, share, approve }
}

const enable = ({ client }: TestTenant) => client.enableTable({ body: { tableId: 'ACME-01' } })

describe('a tenant’s own table', () => {
  test('is in its list without a provider, and in no other tenant’s, nor in its sandbox’s', async () => {
    const { owner, guest, sees } = await aStudio()
    expect(await sees(owner)).toEqual({
      tableId: 'ACME-01',
      game: 'baccarat',
      variants: ['classic'],
      name: { ENG: 'Acme One' },
      status: 'open',
      betSeconds: 20,
      enabled: false,
    })
    expect(await sees(guest)).toBeUndefined()
    expect(await sees(owner.sandbox)).toBeUndefined()
    expect(await enable(owner)).toMatchObject({ enabled: true, used: 1 })
    await refuses('NOT_FOUND', enable(guest))
  })

  test('has an id of its own, an existing game, and compatible variants', async () => {
    const { app } = await aStudio()
    await refuses('CONFLICT', createTable(app, 'OTHER', { tableId: 'ACME-01', game: 'niuniu' }))
    await refuses('CONFLICT', createTable(app, 'OTHER', { tableId: 'BAC-01', game: 'niuniu' }))
    await refuses('INVALID_PARAMETER', createTable(app, 'OTHER', { tableId: 'X-01', game: 'roulette' }))
    await refuses('INVALID_PARAMETER', createTable(app, 'OTHER', { tableId: 'X 01', game: 'niuniu' }))
    const variants = ['casino', 'nlhe']
    await refuses('INVALID_PARAMETER', createTable(app, 'OTHER', { tableId: 'X-01', game: 'holdem', variants }))
  })
})

describe('a shared table', () => {
  test('precedes those the owner included once the platform approved it, and names its provider', async () => {
    const { guest, stranger, owner, sees, share, approve } = await aStudio()
    expect(await share('guest')).toMatchObject({ owner: 'ACME', sharedWith: ['GUEST'], approved: false })
    expect(await sees(guest)).toBeUndefined()
    await approve()
    expect(await sees(guest)).toMatchObject({ provider: { name: 'Acme Studio' }, enabled: false })
    expect(await sees(owner)).not.toHaveProperty('provider')
    expect(await sees(stranger)).toBeUndefined()
    expect(await enable(guest)).toEqual({ tableId: 'ACME-01', enabled: true, used: 1, quota: null })
    expect(await guest.client.account({})).toMatchObject({ tablesUsed: 1 })
    await refuses('NOT_FOUND', enable(stranger))
  })

  test('is played under the tenant’s own limits, and its slips are only the tenant’s', async () => {
    const { guest, owner, share, approve } = await aStudio()
    await share('GUEST')
    await approve()
    await enable(guest)
    await enable(owner)
    const amy = await aPlayer(guest, { username: 'amy' })
    await aPlayer(owner, { username: 'amy' })
    const round = { tableId: 'ACME-01', slips: [{ username: 'amy', bets: { B: '100' } }] }
    const { roundId } = await aRound(guest, round)
    await aRound(owner, round)
    const mine = (await allBets(guest)).items
    expect(mine.map((record) => [record.roundId, record.tableId])).toEqual([[roundId, 'ACME-01']])
    expect((await allBets(owner)).items).toHaveLength(1)
    expect((await guest.client.balance({ query: { username: amy.username } })).balance).toBe('1095')
    const usage = await guest.client.usage({ query: { from: '2026-03-10', to: '2026-03-10' } })
    expect(usage.days[0]?.tableDays).toBe(1)
  })

  test('has rounds for tenants with access, and for those whose players bet in them', async () => {
    const { guest, owner, stranger, share, approve } = await aStudio()
    await share('GUEST')
    await approve()
    await enable(guest)
    await aPlayer(guest, { username: 'amy' })
    const { roundId } = await aRound(guest, { tableId: 'ACME-01', slips: [{ username: 'amy', bets: { B: '100' } }] })
    const { roundId: withoutBets } = await aRound(guest, { tableId: 'ACME-01', slips: [] })
    const reads = ({ client }: TestTenant, id: string) => client.round({ params: { roundId: id } })
    for (const tenant of [guest, owner])
      for (const id of [roundId, withoutBets]) expect(await reads(tenant, id)).toMatchObject({ tableId: 'ACME-01' })
    await refuses('ROUND_NOT_FOUND', reads(stranger, roundId))
    await share()
    expect(await reads(guest, roundId)).toMatchObject({ tableId: 'ACME-01' })
    await refuses('ROUND_NOT_FOUND', reads(guest, withoutBets))
  })

  test.each(['the owner takes the tenant out', 'the approval is taken back', 'the platform ends sharing'])(
    'is lost at once when %s: disabled, not in the list, no more bets',
    async (how) => {
      const { app, guest, owner, sees, share, approve } = await aStudio()
      await share('GUEST', 'OTHER')
      await approve()
      await enable(guest)
      await enable(owner)
      await aPlayer(guest, { username: 'amy' })
      if (how.includes('owner')) await share('OTHER')
      else if (how.includes('approval')) await approve(false)
      else await setSharing(app, false)
      expect(await sees(guest)).toBeUndefined()
      expect(await guest.client.account({})).toMatchObject({ tablesUsed: 0 })
      expect(await sees(owner)).toMatchObject({ enabled: true })
      const bet = { tableId: 'ACME-01', slips: [{ username: 'amy', bets: { B: '100' } }] }
      await refuses('BET_REFUSED', aRound(guest, bet))
      await refuses('NOT_FOUND', enable(guest))
      await refuses('NOT_FOUND', guest.client.disableTable({ body: { tableId: 'ACME-01' } }))
      await refuses('INVALID_PARAMETER', guest.client.launch({ body: { username: 'amy', table: 'ACME-01' } }))
      // After it is shared again each tenant has to enable it again.
      await setSharing(app, true)
      await share('GUEST')
      await approve()
      expect(await sees(guest)).toMatchObject({ enabled: false })
      expect(await enable(guest)).toMatchObject({ used: 1 })
    },
  )

  test('is shared with tenants of its own environment, not with its owner; a platform table is not shared', async () => {
    const { app, share } = await aStudio()
    await refuses('INVALID_PARAMETER', share('ACME'))
    await refuses('INVALID_PARAMETER', share('GUEST-SBX'))
    await refuses('NOT_FOUND', share('NOBODY'))
    await refuses('CONFLICT', shareTable(app, 'live', 'BAC-01', ['GUEST']))
    await refuses('NOT_FOUND', approveShare(app, 'sandbox', 'ACME-01', true))
  })
})
