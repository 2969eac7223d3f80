import { describe, expect, onTestFinished, test } from 'vitest'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { type ActionName, runAction } from '../../../src/world/desk/actions/index.ts'
import { openReceiver } from '../../../src/world/desk/receiver.ts'
import { deskViews, readView } from '../../../src/world/desk/views/index.ts'
import { openWorld } from '../../../src/world/world.ts'
import { named } from '../../support/databases/engines.ts'

/** Views and actions of the desk on both kinds of database. */

const engines = [named('SQLite in a file'), named('PostgreSQL')]

describe.each(engines)('the desk on $name', (engine) => {
  test('shows every view of a world with data', async () => {
    const database = await engine.database()
    await database.fill(worldMigrations)
    const db = database.url ?? ''
    const world = await openWorld({ db, records: { requests: true, hasDesk: true } })
    onTestFinished(() => world.close())
    await ensureDemoWorld(world)
    const dependencies = { world, db, receiver: openReceiver(() => true, Date.now) }
    const act = async (name: ActionName, input: object) =>
      (await runAction(dependencies, name, { ...input })) as Record<string, unknown>
    const read = async (name: string, query: object = {}) =>
      JSON.parse(JSON.stringify(await readView(dependencies, name, { ...query })))

    const [{ id: merchant }] = (await read('parties')).merchants
    await act('round.play', { tenant: 'DEMO', rounds: 8, players: 4, days: 0 })
    const { payment } = await act('payment.create', {
      merchant,
      price: '100',
      priceCurrency: 'usd',
      payCurrency: 'usdttrc20',
    })
    const part = await act('payment.pay-part', { payment, amount: '40', confirm: true })
    expect(part).toMatchObject({ payment, status: expect.any(String), paid: expect.any(Number) })
    // An action waits only a limited time for the work that it made due.
    await world.settle()
    const paid = { status: 'partially_paid', paid: '40' }
    expect((await read('gateway.payments', { merchant })).payments).toMatchObject([paid])
    const { room } = await act('room.open', { tenant: 'DEMO', account: 'amy' })
    await act('room.reply', { tenant: 'DEMO', room, text: 'Hello' })
    const { ticket } = await act('ticket.create', { tenant: 'DEMO', title: 'Deposit is missing', account: 'amy' })

    const { rounds } = await read('casino.rounds', { environment: 'live' })
    const { round } = rounds[0]
    expect((await read('casino.round', { round })).slips[0].revisions).toMatchObject([{ rev: 1 }])
    expect((await read('casino.players', { tenant: 'DEMO', name: 'A' })).players).toMatchObject([{ username: 'amy' }])
    expect((await read('casino.players', { tenant: 'DEMO', name: '_' })).players).toEqual([])
    await act('player.adjust', { tenant: 'DEMO', user: 'amy', amount: '5', txn: 't-1' })
    const transfersOf = async (user: string) =>
      (await read('casino.transfer', { tenant: 'DEMO', user, txn: 't-1' })).transfers
    expect(await transfersOf('amy')).toMatchObject([{ txn: 't-1', dir: 'adjust', amount: '5' }])
    expect(await transfersOf('bob')).toEqual([])
    expect((await read('casino.bets', { tenant: 'DEMO' })).players).not.toEqual([])
    expect((await read('gateway.payments', { merchant })).payments).toMatchObject([{ payment, coin: 'usdttrc20' }])
    expect((await read('gateway.payment', { payment })).deposits).toMatchObject([{ amount: '40', state: 'confirmed' }])
    expect((await read('gateway.balances', { merchant })).entries).not.toEqual([])
    expect((await read('chat.room', { tenant: 'DEMO', room })).messages).toMatchObject([
      { from: 'agent', text: 'Hello' },
    ])
    expect((await read('chat.ticket', { tenant: 'DEMO', ticket: String(ticket) })).next).toContain('in_progress')

    const queries: Readonly<Record<string, object>> = {
      'casino.player': { tenant: 'DEMO', user: 'amy' },
      'casino.tables': { environment: 'live' },
      'casino.billing': { tenant: 'DEMO' },
      'gateway.payouts': { merchant },
      'chat.rooms': { tenant: 'DEMO', keyword: 'amy' },
      'chat.tickets': { tenant: 'DEMO' },
      'chat.widget': { tenant: 'DEMO' },
      mails: { environment: 'sandbox' },
    }
    const shown = [
      'casino.transfer',
      'casino.rounds',
      'casino.round',
      'casino.players',
      'casino.bets',
      'delivery',
      'request',
    ]
    const others = Object.keys(deskViews).filter(
      (name) => !/^(gateway\.(payment|balances)|chat\.(room|ticket)$)/.test(name),
    )
    for (const name of others.filter((each) => !shown.includes(each)))
      expect(await read(name, queries[name]), name).toBeTypeOf('object')
  })
})
