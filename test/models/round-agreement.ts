import { expect } from 'vitest'
import { allBets, refuses, type TestTenant } from '../support/worlds/people.ts'
import type { TestWorld } from '../support/worlds/world.ts'
import { type Model, players, type Real, sumsOf } from './round-model.ts'
import { money, unit } from './slip-reference.ts'

/** Compares everything a tenant can read with the model. */
export async function agree(model: Model, { tenant, world }: Real): Promise<void> {
  for (const round of model.rounds) {
    const read = tenant.client.round({ params: { roundId: round.id } })
    const last = round.revisions.at(-1)
    if (!last) await refuses('ROUND_NOT_FOUND', read)
    else {
      const first = round.revisions[0]
      expect(await read).toMatchObject({
        status: round.status,
        rev: round.revisions.length,
        code: last.outcome?.code ?? null,
        cardInfo: last.outcome?.cardInfo ?? null,
        settledAt: first?.status === 'settled' ? new Date(first.at).toISOString() : null,
      })
    }
  }
  const { items } = await allBets(tenant, { from: '2026-03-01T00:00:00.000Z', limit: 1000 })
  const seen = items.map(
    ({
      roundId,
      username,
      rev,
      status,
      stake,
      hold,
      validStake,
      rolling,
      payout,
      winLoss,
      delta,
      result,
      bets,
      ...more
    }) => ({
      ...{ roundId, username, rev, status, stake, validStake, rolling, payout, winLoss, delta },
      ...(hold === undefined ? {} : { hold }),
      ...(more.game === 'holdem' ? { rake: more.rake, onsite: more.onsite } : {}),
      result: { code: result.code, cardInfo: result.cardInfo },
      bets: Object.fromEntries(bets.map((leg) => [leg.zone, leg.return])),
    }),
  )
  expect(seen).toEqual(model.records)
  for (const revisions of Map.groupBy(items, ({ slipId }) => slipId).values()) {
    const total = revisions.reduce((all, { delta }) => all + Math.round(Number(delta) * unit), 0)
    expect([money(total), revisions.map(({ rev }) => rev)]).toEqual([
      revisions.at(-1)?.payout,
      revisions.map((_, i) => i + 1),
    ])
  }
  for (const [username, balance] of model.balances)
    expect(await tenant.client.balance({ query: { username } })).toEqual({ balance: money(balance), currency: 'USD' })
  await agreeOnSummaries(model, tenant)
  await agreeOnWebhooks(model, tenant, world, items)
}

/** Rulebook 1.5: the latest revision counts, on the day of the first; a voided slip adds to `slips` alone. */
async function agreeOnSummaries(model: Model, tenant: TestTenant): Promise<void> {
  const days = Map.groupBy(
    model.rounds.filter(({ revisions }) => revisions.length > 0),
    ({ revisions }) => new Date(revisions[0]?.at ?? 0).toISOString().slice(0, 10),
  )
  for (const [date, rounds] of days) {
    const expected = players.flatMap((username) => {
      const slips = rounds.flatMap((round) => {
        const bets = round.slips.get(username)
        const last = round.revisions.at(-1)
        return bets && last ? [{ ...sumsOf(username, bets, last), isVoid: last.status === 'void' }] : []
      })
      if (slips.length === 0) return []
      const counted = slips.filter(({ isVoid }) => !isVoid)
      const sum = (of: (slip: (typeof slips)[number]) => number) =>
        money(counted.reduce((all, slip) => all + of(slip), 0))
      return [
        {
          username,
          slips: slips.length,
          stake: sum(({ stake }) => stake),
          validStake: sum(({ validStake }) => validStake),
          rolling: sum(({ rolling }) => rolling),
          payout: sum(({ payout, hold }) => payout - hold),
          winLoss: sum(({ payout, stake, hold }) => payout - stake - hold),
          rake: sum(({ rake }) => rake),
        },
      ]
    })
    const { players: summaryPlayers } = await tenant.client.summary({ query: { date } })
    expect(summaryPlayers.toSorted((a, b) => (a.username < b.username ? -1 : 1))).toEqual(expected)
  }
}

/** One event per round and revision, with exactly the records of GET /bets. */
async function agreeOnWebhooks(
  model: Model,
  tenant: TestTenant,
  world: TestWorld,
  items: readonly { roundId: string; rev: number }[],
) {
  const queued = await world.store.read(({ q }) =>
    q.selectFrom('outbox_deliveries').select(['event', 'subject', 'body']).where('owner', '=', tenant.code).execute(),
  )
  const webhooks = queued.map(({ event, subject, body }) => ({ event, subject, ...JSON.parse(body) }))
  expect(webhooks).toHaveLength(model.events.length)
  for (const { event, round, revision } of model.events) {
    const [one, ...more] = webhooks.filter(
      ({ subject, round: { rev } }) => subject === round.id && rev === revision.rev,
    )
    expect([one?.event, more]).toEqual([event, []])
    expect(one?.round).toMatchObject({
      roundId: round.id,
      rev: revision.rev,
      resultCode: revision.outcome?.code ?? null,
      cardInfo: revision.outcome?.cardInfo ?? null,
    })
    expect(one?.bets).toEqual(items.filter((item) => item.roundId === round.id && item.rev === revision.rev))
  }
}
