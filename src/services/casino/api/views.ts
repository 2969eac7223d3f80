import type { PlayerRow, RoundRow, TableRow, TransferRow } from '../../../db/schema/casino.ts'
import type { Player, Round, Table, TransferRecord } from './schemas/index.ts'

/** Formats a time as the API does: UTC with milliseconds. */
export function toMoment(at: number): string {
  return new Date(at).toISOString()
}

function toMomentOrNull(at: number | null): string | null {
  return at === null ? null : toMoment(at)
}

export function toPlayer(row: PlayerRow, online: boolean): Player {
  return {
    username: row.username,
    nickname: row.nickname,
    status: row.status,
    currency: row.currency,
    balance: row.balance,
    online,
    createdAt: toMoment(row.created_at),
    lastLoginAt: toMomentOrNull(row.last_login_at),
  }
}

export function toTransferRecord(row: TransferRow, username: string): TransferRecord {
  return {
    txnId: row.txn_id,
    username,
    dir: row.dir,
    amount: row.amount,
    status: 'done',
    balance: row.balance,
    at: toMoment(row.at),
  }
}

/** Returns a table as a tenant sees it; the provider is included for other merchants' tables only. */
export function toTable(row: TableRow, viewer: string, enabled: boolean): Table {
  return {
    tableId: row.table_id,
    game: row.game,
    variants: JSON.parse(row.variants),
    name: JSON.parse(row.names),
    status: row.status,
    betSeconds: row.bet_seconds,
    enabled,
    ...(row.provider === null || row.owner === viewer ? {} : { provider: { name: row.provider } }),
  }
}

/** Returns a round that was settled or voided. */
export function toRound(row: RoundRow & { status: Round['status'] }): Round {
  return {
    roundId: row.id,
    tableId: row.table_id,
    shoe: row.shoe,
    round: row.round,
    status: row.status,
    code: row.code,
    cardInfo: row.card_info,
    result: row.result === null ? null : JSON.parse(row.result),
    complete: row.complete === null ? null : row.complete === 1,
    rev: row.rev,
    openedAt: toMoment(row.opened_at),
    settledAt: toMomentOrNull(row.settled_at),
  }
}
