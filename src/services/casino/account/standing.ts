import assert from 'node:assert/strict'
import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Standing } from '../../../domain/account/billing.ts'
import { isOver } from '../../../domain/account/state.ts'
import { formatUsd, parseUsd } from '../../../domain/money.ts'

/** Where a tenant's account stands with its bill. A suspended or closed one stands as it did before, and comes back so. */
export function standingOf(tenant: TenantRow): Standing {
  const state = tenant.state_before ?? tenant.state
  return { state, credit: parseUsd(tenant.credit_usd), graceUntil: tenant.grace_until }
}

/** What a new standing changes in a tenant's row. */
export function standingChange(tenant: TenantRow, standing: Standing): Partial<TenantRow> {
  const { state, credit, graceUntil } = standing
  assert(!isOver(state), 'the bill alone neither suspends nor closes an account')
  const money = { credit_usd: formatUsd(credit), grace_until: graceUntil }
  return tenant.state_before === null ? { ...money, state } : { ...money, state_before: state }
}
