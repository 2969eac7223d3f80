import assert from 'node:assert/strict'
import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Standing } from '../../../domain/account/billing.ts'
import { isOver } from '../../../domain/account/state.ts'
import { formatUsd, parseUsd } from '../../../domain/money.ts'

/** Returns the billing standing of a tenant. A suspended or closed one keeps its earlier standing and returns to it. */
export function standingOf(tenant: TenantRow): Standing {
  const state = tenant.state_before ?? tenant.state
  return { state, credit: parseUsd(tenant.credit_usd), graceUntil: tenant.grace_until }
}

/** Returns the columns of a tenant's row that a new standing changes. */
export function standingChange(tenant: TenantRow, standing: Standing): Partial<TenantRow> {
  const { state, credit, graceUntil } = standing
  assert(!isOver(state), 'the bill alone neither suspends nor closes an account')
  const money = { credit_usd: formatUsd(credit), grace_until: graceUntil }
  return tenant.state_before === null ? { ...money, state } : { ...money, state_before: state }
}
