import type { SlipHistory, SlipVersion } from '../../src/domain/bets/slip-history.ts'

const cent = 10_000n

/** A lost bet of 10 by amy, settled on the day of the tests; in units, so that 10 is 100000n. */
export function aVersion(change: Partial<SlipVersion> = {}): SlipVersion {
  const stake = change.stake ?? 10n * cent
  const payout = change.payout ?? 0n
  const hold = change.hold ?? 0n
  const username = change.username ?? 'amy'
  return {
    slipId: 'S1',
    rev: 1,
    status: 'settled',
    player: username.toLowerCase(),
    username,
    currency: 'USD',
    game: 'baccarat',
    variant: 'classic',
    tableId: 'BAC-01',
    roundId: 'R1',
    isOnsite: false,
    stake,
    hold,
    validStake: stake,
    rolling: payout < stake ? stake - payout : 0n,
    payout,
    winLoss: payout - stake - hold,
    rake: 0n,
    delta: payout,
    legs: [{ zone: 'P', amount: stake, return: payout, hold }],
    recSeq: 1,
    placedAt: noon - 60_000,
    settledAt: noon,
    unreadable: [],
    differing: [],
    ...change,
  }
}

/** A voided version of a slip in the platform's format. */
export function voided(version: SlipVersion, rev: number): SlipVersion {
  const payout = version.stake + version.hold
  return {
    ...version,
    rev,
    status: 'void',
    payout,
    winLoss: 0n,
    validStake: 0n,
    rolling: 0n,
    rake: 0n,
    delta: payout - (rev === 1 ? 0n : version.payout),
    legs: version.legs.map((leg) => ({ ...leg, return: leg.amount + leg.hold })),
  }
}

export const aSlip = (...versions: SlipVersion[]): SlipHistory => ({ slipId: versions[0]?.slipId ?? '', versions })

/** The day of the tests, in UTC. */
export const from = Date.UTC(2026, 2, 10)
export const to = Date.UTC(2026, 2, 11)
export const noon = Date.UTC(2026, 2, 10, 12)
