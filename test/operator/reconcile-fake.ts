import fc from 'fast-check'
import type { Platform } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import type { BetRecord } from '../../src/services/casino/api/schemas/index.ts'

/**
 * A platform made from a list of records, which computes its summary independently: days by the machine's calendar,
 * sums in ten-thousandths as plain integers. Agreement with the rules compares two different computations.
 */
export function aFakePlatform(records: readonly BetRecord[], zone: string) {
  const written = inWriteOrder(records)
  const calls: string[] = []
  const platform: Platform = {
    async account() {
      calls.push('account')
      return {
        plan: 'paid',
        state: 'PAID',
        balanceUsd: '0',
        tablesUsed: 0,
        tablesQuota: null,
        streamGbMonth: '0.000',
        avgDailyUsd7d: '0',
        daysLeft: null,
        graceUntil: null,
      }
    },
    async summary({ query: { date } }) {
      calls.push('summary')
      return { date, timezone: zone, players: summaryOf(written, date, zone) }
    },
    async bets({ query }) {
      calls.push(query.cursor === undefined ? `from ${query.from}` : `cursor ${query.cursor}`)
      const limit = query.limit ?? 500
      const start =
        query.cursor === undefined
          ? written.findIndex(({ settledAt }) => settledAt >= (query.from ?? ''))
          : written.findIndex((record) => cursorOf(record) > numbered(query.cursor ?? ''))
      const items = start < 0 ? [] : written.slice(start, start + limit)
      const last = items.at(-1)
      return {
        items,
        nextCursor: last ? textOf(cursorOf(last)) : (query.cursor ?? '202601.0'),
        hasMore: start >= 0 && start + limit < written.length,
      }
    },
  }
  return { platform, calls, written }
}

const numbered = (cursor: string) => Number(cursor.slice(0, 6)) * 1e9 + Number(cursor.slice(7))
const textOf = (cursor: number) => `${Math.floor(cursor / 1e9)}.${cursor % 1e9}`
const cursorOf = ({ settledAt, recSeq }: BetRecord) => Number(settledAt.slice(0, 7).replace('-', '')) * 1e9 + recSeq

/** In the order of settlement, numbered from 1 in each UTC month. */
export function inWriteOrder(records: readonly BetRecord[]): BetRecord[] {
  const sorted = [...records].sort((a, b) =>
    a.settledAt < b.settledAt ? -1 : a.settledAt > b.settledAt ? 1 : a.rev - b.rev,
  )
  let month = ''
  let recSeq = 0
  return sorted.map((record) => {
    if (record.settledAt.slice(0, 7) !== month) recSeq = 0
    month = record.settledAt.slice(0, 7)
    recSeq += 1
    return { ...record, recSeq }
  })
}

function summaryOf(records: readonly BetRecord[], date: string, zone: string) {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  const firsts = records.filter(({ rev, settledAt }) => rev === 1 && calendar.format(new Date(settledAt)) === date)
  const sums = new Map<string, Record<'slips' | (typeof summed)[number], bigint>>()
  for (const first of firsts) {
    const [latest] = records.filter(({ slipId }) => slipId === first.slipId).sort((a, b) => b.rev - a.rev)
    if (!latest || latest.onsite) continue
    const sum = sums.get(latest.username) ?? {
      slips: 0n,
      stake: 0n,
      validStake: 0n,
      rolling: 0n,
      winLoss: 0n,
      rake: 0n,
    }
    sum.slips += 1n
    if (latest.status !== 'void') for (const field of summed) sum[field] += tenThousandths(latest[field] ?? '0')
    sums.set(latest.username, sum)
  }
  return [...sums].map(([username, sum]) => ({
    username,
    slips: Number(sum.slips),
    stake: decimal(sum.stake),
    validStake: decimal(sum.validStake),
    rolling: decimal(sum.rolling),
    payout: decimal(sum.stake + sum.winLoss),
    winLoss: decimal(sum.winLoss),
    rake: decimal(sum.rake),
  }))
}

const summed = ['stake', 'validStake', 'rolling', 'winLoss', 'rake'] as const

export function tenThousandths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'))
  return text.startsWith('-') ? -size : size
}

export function decimal(units: bigint): string {
  const size = units < 0n ? -units : units
  const fraction = String(size % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${size / 10_000n}${fraction === '' ? '' : `.${fraction}`}`
}

/** One generated slip. */
export interface Draft {
  readonly username: string
  readonly game: 'baccarat' | 'niuniu' | 'holdem'
  readonly stake: bigint
  readonly payouts: readonly bigint[]
  readonly isVoided: boolean
  readonly isOnsite: boolean
  /** Time of its first settlement. */
  readonly at: number
}

/** Slips of a day and the hours around it, many of them at its edges, where a wrong rule has an effect. */
export function drafts(start: number, end: number): fc.Arbitrary<Draft[]> {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 9n })
  const draft = fc.record({
    username: fc.constantFrom('amy', 'Bob', 'c.h-o@1', '-dee'),
    game: fc.constantFrom('baccarat' as const, 'niuniu' as const, 'holdem' as const),
    stake: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    payouts: fc.array(amount, { minLength: 1, maxLength: 3 }),
    isVoided: fc.boolean(),
    isOnsite: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    at: fc.oneof(
      fc.integer({ min: start - aroundMs, max: end + aroundMs }),
      fc.constantFrom(start - 1, start, start + 1, end - 30_000, end - 1, end, end + 1),
    ),
  })
  return fc.array(draft, { minLength: 1, maxLength: 25 })
}

const aroundMs = 5_400_000

/** The records of a slip: settled, corrected, voided, in the platform's format. */
export function recordsOf(draft: Draft, i: number): BetRecord[] {
  const { stake, game } = draft
  const hold = game === 'niuniu' ? stake * 2n : 0n
  const zone = { baccarat: 'P', niuniu: 'P1D', holdem: 'POT' }[game]
  const rounds = draft.payouts.map((payout) => ({ payout, status: 'settled' as BetRecord['status'] }))
  if (draft.isVoided) rounds.push({ payout: stake + hold, status: 'void' })
  return rounds.map(({ payout, status }, n): BetRecord => {
    const isVoid = status === 'void'
    const lost = payout < stake + hold && !isVoid ? stake + hold - payout : 0n
    return {
      recSeq: 0,
      slipId: `SLIP${String(i).padStart(4, '0')}`,
      rev: n + 1,
      status: isVoid ? 'void' : n === 0 ? 'settled' : 'recalculated',
      username: draft.username,
      currency: 'USD',
      tableId: 'T-01',
      game,
      variant: game === 'holdem' ? 'nlhe' : 'standard',
      roundId: `ROUND${String(i).padStart(21, '0')}`,
      shoe: '',
      round: i,
      bets: [
        {
          zone,
          amount: decimal(stake),
          // At no-limit Hold'em the return is the uncalled part, for any pot; a void returns everything.
          return: decimal(game === 'holdem' && !isVoid ? 0n : payout),
          ...(game === 'niuniu' ? { hold: decimal(hold), mult: isVoid ? 0 : 1 } : {}),
        },
      ],
      stake: decimal(stake),
      ...(game === 'niuniu' ? { hold: decimal(hold) } : {}),
      validStake: decimal(isVoid ? 0n : stake),
      rolling: decimal(lost),
      payout: decimal(payout),
      winLoss: decimal(payout - stake - hold),
      delta: decimal(payout - (n === 0 ? 0n : (rounds[n - 1]?.payout ?? 0n))),
      result: { code: '', cardInfo: '' },
      ...(game === 'holdem' ? { rake: decimal(isVoid ? 0n : payout / 20n), onsite: draft.isOnsite } : {}),
      placedAt: new Date(draft.at - 20_000).toISOString(),
      settledAt: new Date(draft.at + n * 45_000).toISOString(),
    }
  })
}
