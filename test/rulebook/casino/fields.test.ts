import { describe, expect, test } from 'vitest'
import { streamSources } from '../../../src/domain/account/billing.ts'
import { accountStates, plans } from '../../../src/domain/account/state.ts'
import { gameNames, variantsOf } from '../../../src/domain/games/game.ts'
import { BetRecord, Round, Table, TransferRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { allBets, aPlayer, aRound, aSlip, aTenant } from '../../support/worlds/people.ts'
import { shared } from '../shared.ts'
import { ask, verdictOf } from './casino.ts'
import * as book from './fields.ts'

const tenant = shared(async (world) => {
  const tables = ['BAC-01', 'HE-01', 'NN-01']
  const made = await aTenant(world, { code: 'BOOK', tables, currency: 'USD', currencies: ['USDT', 'ABCDE'] })
  await aPlayer(made, { username: 'amy', balance: '100' })
  return made
})

const { patterns } = book
const each = (of: { accepts: readonly string[]; refuses: readonly string[] }) => [
  ...of.accepts.map((text) => ({ text, is: true })),
  ...of.refuses.map((text) => ({ text, is: false })),
]
let made = 0
const fresh = () => `new-${++made}`
const deposit = (sent: Record<string, unknown>) =>
  ask(tenant(), 'POST /wallet/deposit', { username: 'amy', txnId: fresh(), amount: '1', currency: 'USD', ...sent })

describe('shared types', () => {
  test.each(each(patterns.username))('username $text: $is', async ({ text, is }) => {
    expect(verdictOf(await ask(tenant(), 'POST /player/launch', { username: text }))).toBe(
      is ? 'ok' : 'INVALID_USERNAME',
    )
    const read = verdictOf(await ask(tenant(), 'GET /player', { username: text }))
    expect(read).toBe(is ? 'ok' : 'INVALID_USERNAME')
  })

  test('usernames that differ only in case are one player, shown as first written', async () => {
    await ask(tenant(), 'POST /player/launch', { username: 'CaMel' })
    for (const username of ['CaMel', 'camel', 'CAMEL'])
      expect((await ask(tenant(), 'GET /player', { username })).body.data.username).toBe('CaMel')
  })

  test.each(each(patterns.txnId))('txnId $text: $is', async ({ text, is }) => {
    expect(verdictOf(await deposit({ txnId: text }))).toBe(is ? 'ok' : 'INVALID_PARAMETER')
    expect(verdictOf(await ask(tenant(), 'GET /wallet/transfer', { txnId: text }))).toBe(
      is ? 'ok' : 'INVALID_PARAMETER',
    )
  })

  test.each(each(patterns.positiveAmount))('amount $text: $is', async ({ text, is }) => {
    // A withdrawal shows whether it was parsed as an amount: amy has less than most.
    const order = { username: 'amy', txnId: fresh(), amount: text, currency: 'USD' }
    const verdict = verdictOf(await ask(tenant(), 'POST /wallet/withdraw', order))
    expect(is ? ['ok', 'INSUFFICIENT_BALANCE'] : ['INVALID_AMOUNT']).toContain(verdict)
  })

  test.each([1, 0.5, null, true, [], {}, ['1']])('an amount of %j is no text', async (amount) => {
    expect(verdictOf(await deposit({ amount }))).toBe('INVALID_AMOUNT')
  })

  test.each(each(patterns.currency))('currency $text of a new player: $is', async ({ text, is }) => {
    const verdict = verdictOf(await ask(tenant(), 'POST /player/launch', { username: fresh(), currency: text }))
    expect(is ? ['ok', 'CURRENCY_NOT_ENABLED'] : ['INVALID_CURRENCY']).toContain(verdict)
    expect(verdictOf(await deposit({ username: fresh(), currency: text }))).toBe(verdict)
  })

  test.each([...book.languages, ...book.languages.map((lang) => lang.toLowerCase())])('lang %s', async (lang) => {
    expect(verdictOf(await ask(tenant(), 'POST /player/launch', { username: 'amy', lang }))).toBe('ok')
  })

  test.each(book.notLanguages)('lang %j is invalid', async (lang) => {
    expect(verdictOf(await ask(tenant(), 'POST /player/launch', { username: 'amy', lang }))).toBe('INVALID_PARAMETER')
  })

  test.each([...each(patterns.date), ...patterns.date.unreal.map((text) => ({ text, is: false }))])(
    'date $text: $is',
    async ({ text, is }) => {
      const verdict = is ? 'ok' : 'INVALID_PARAMETER'
      expect(verdictOf(await ask(tenant(), 'GET /bets/summary', { date: text }))).toBe(verdict)
      expect(verdictOf(await ask(tenant(), 'GET /account/usage', { from: text, to: text }))).toBe(verdict)
    },
  )

  test.each(each(patterns.cursor))('cursor $text: $is', async ({ text, is }) => {
    expect(verdictOf(await ask(tenant(), 'GET /bets', { cursor: text }))).toBe(is ? 'ok' : 'INVALID_CURSOR')
  })

  test.each(each(patterns.roundId))('round id $text: $is', async ({ text, is }) => {
    expect(verdictOf(await ask(tenant(), `GET /rounds/${text}`))).toBe(is ? 'ROUND_NOT_FOUND' : 'NOT_FOUND')
  })

  test('names of statuses and directions, in the shapes of the contract', () => {
    const enumValues = (schema: object) =>
      [...JSON.stringify(schema).matchAll(/"(?:enum":\[|const":)([^\]}]*)/g)].join(' ')
    const lists = [
      [Table.properties.status, book.tableStatuses],
      [Round.properties.status, book.roundStatuses],
      [BetRecord.properties.status, book.slipStatuses],
      [TransferRecord.properties.dir, book.transferDirections],
    ] as const
    for (const [schema, names] of lists) {
      const written = new Set(
        [...enumValues(schema).matchAll(/"([a-z]+)"/g)]
          .map(([, name]) => name)
          .filter((name) => name !== 'enum' && name !== 'const'),
      )
      expect([...written].toSorted()).toEqual([...names].toSorted())
    }
  })

  test('names of games, states, plans and sources', () => {
    expect(gameNames).toEqual(book.games)
    expect(accountStates).toEqual(book.accountStates)
    expect(plans).toEqual(book.accountPlans)
    expect(streamSources).toEqual(book.streamSources)
    expect(variantsOf).toMatchObject(book.variants)
  })
})

describe('player/update and player/launch', () => {
  const update = async (sent: object) =>
    verdictOf(await ask(tenant(), 'POST /player/update', { username: 'amy', ...sent }))
  const launch = async (sent: object) =>
    verdictOf(await ask(tenant(), 'POST /player/launch', { username: 'amy', ...sent }))

  test.each(book.playerStatuses)('status %s', async (status) => {
    const username = fresh()
    await ask(tenant(), 'POST /player/launch', { username })
    expect((await ask(tenant(), 'POST /player/update', { username, status })).body.data.status).toBe(status)
  })

  test.each(book.notPlayerStatuses)('status %j is invalid', async (status) => {
    expect(await update({ status })).toBe('INVALID_PARAMETER')
  })

  test.each(book.limitProfileIds.refuses)('limitProfileId %j', async (limitProfileId) => {
    expect([await update({ limitProfileId }), await launch({ limitProfileId })]).toEqual(
      Array(2).fill('INVALID_PARAMETER'),
    )
  })

  test('limitProfileId null is the default', async () => {
    expect([await update({ limitProfileId: null }), await launch({ limitProfileId: null })]).toEqual(['ok', 'ok'])
  })

  test.each(book.passwords.accepts)('a password of %i characters', async (length) => {
    expect(await update({ password: 'p'.repeat(length) })).toBe('ok')
  })

  test.each(book.passwords.refuses)('a password of %i characters is refused', async (length) => {
    expect(await update({ password: 'p'.repeat(length) })).toBe('INVALID_PARAMETER')
  })

  test.each(book.lobbyUrls.accepts)('lobbyUrl %s', async (lobbyUrl) => expect(await launch({ lobbyUrl })).toBe('ok'))

  test.each(book.lobbyUrls.refuses)('lobbyUrl %j is refused', async (lobbyUrl) => {
    expect(await launch({ lobbyUrl })).toBe('INVALID_PARAMETER')
  })

  test.each(book.devices)('device %j', async (device) => expect(await launch({ device })).toBe('ok'))

  test('a nickname is cleared by null and by an empty text', async () => {
    for (const nickname of [null, '']) {
      await update({ nickname: 'Amy' })
      const { body } = await ask(tenant(), 'POST /player/update', { username: 'amy', nickname })
      expect(body.data.nickname).toBeNull()
    }
  })

  test('a launch has its two fields and its format', async () => {
    const { body } = await ask(tenant(), 'POST /player/launch', { username: 'amy' })
    const { fields, path, parameter, expiresIn } = book.launchResult
    expect(Object.keys(body.data)).toEqual(fields)
    const url = new URL(body.data.url)
    expect([url.pathname, [...url.searchParams.keys()], body.data.expiresIn]).toEqual([path, [parameter], expiresIn])
  })
})

describe('records have the fields of their tables', () => {
  const keys = (value: object) => Object.keys(value).toSorted()
  const sorted = (...fields: readonly (readonly string[])[]) => fields.flat().toSorted()
  const data = async (endpoint: string, sent: Record<string, unknown> = {}) =>
    (await ask(tenant(), endpoint, sent)).body.data
  const { fieldsOf } = book

  test('player, balance, transfers', async () => {
    expect(keys(await data('GET /player', { username: 'amy' }))).toEqual(sorted(fieldsOf.player))
    expect(keys(await data('GET /wallet/balance', { username: 'amy' }))).toEqual(sorted(fieldsOf.balance))
    expect(keys(await data('GET /wallet/transfer', { txnId: 'first-amy' }))).toEqual(sorted(fieldsOf.transferRecord))
    const order = { username: 'amy', txnId: 'first-amy', amount: '100', currency: 'USD' }
    const again = await data('POST /wallet/deposit', order)
    expect(keys(again)).toEqual(sorted(fieldsOf.transferResult))
    expect(again).toMatchObject({ status: 'done', duplicate: true, balance: '100' })
  })

  test('tables and their switches', async () => {
    const { tables } = await data('GET /tables')
    for (const table of tables) expect(keys(table)).toEqual(sorted(fieldsOf.table))
    expect(new Set(tables.map((table: { game: string }) => table.game))).toEqual(new Set(book.games))
    expect(keys(await data('POST /tables/enable', { tableId: 'BAC-01' }))).toEqual(sorted(fieldsOf.toggled))
  })

  test('account, usage, statements', async () => {
    expect(keys(await data('GET /account'))).toEqual(sorted(fieldsOf.account))
    const { days } = await data('GET /account/usage', { from: '2026-03-10', to: '2026-03-10' })
    for (const day of days) expect(keys(day)).toEqual(sorted(fieldsOf.usageDay))
    expect(days).toHaveLength(1)
    expect(keys(await data('GET /account/statements'))).toEqual(['statements'])
  })

  test('rounds, bet records and the summary', async () => {
    const player = { tenant: tenant(), username: 'amy', currency: 'USD' }
    const slips = (bets: Record<string, string>, more: object = {}) => [{ username: 'amy', bets, ...more }]
    const { roundId } = await aSlip(player)
    await aRound(tenant(), { tableId: 'NN-01', code: '57A09', slips: slips({ P1D: '1', P1E: '1' }) })
    const cardInfo = 'AH 7C 2D 9S 4H||QH 4D'
    await aRound(tenant(), { tableId: 'HE-01', cardInfo, slips: slips({ ANTE: '1', CALL: '2' }, { hole: 'AS KD' }) })
    expect(keys(await data(`GET /rounds/${roundId}`))).toEqual(sorted(fieldsOf.round))
    expect(keys(await data('GET /bets'))).toEqual(sorted(fieldsOf.bets))
    const extra: Record<string, readonly string[]> = {
      niuniu: fieldsOf.betRecordOfNiuNiu,
      holdem: fieldsOf.betRecordOfHoldem,
    }
    const { items } = await allBets(tenant())
    for (const record of items) {
      expect(keys(record)).toEqual(sorted(fieldsOf.betRecord, extra[record.game] ?? []))
      for (const moment of [record.placedAt, record.settledAt]) expect(moment).toMatch(book.moment)
    }
    expect(items.map((record) => record.game)).toEqual(['baccarat', 'niuniu', 'holdem'])
    expect(keys(items[2]?.hand ?? {})).toEqual(sorted(fieldsOf.hand))
    const summary = await data('GET /bets/summary', { date: '2026-03-10' })
    expect(keys(summary)).toEqual(sorted(fieldsOf.summary))
    for (const one of summary.players) expect(keys(one)).toEqual(sorted(fieldsOf.summaryItem))
  })

  test('keys have the prefix of their environment', () => {
    expect(tenant().key.apiKey.startsWith(book.keyPrefixes.live)).toBe(true)
    expect(tenant().sandbox.key.apiKey.startsWith(book.keyPrefixes.sandbox)).toBe(true)
  })
})
