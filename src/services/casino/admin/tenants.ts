import type { TenantRow } from '../../../db/schema/casino.ts'
import { type Environment, isOver, type Plan } from '../../../domain/account/state.ts'
import { type Language, languages } from '../../../domain/players/player.ts'
import { isWithinLength, textLimits } from '../../../domain/text-limits.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import { isZone } from '../../../domain/time/day.ts'
import { Problem } from '../../../kit/problem.ts'
import { sandboxCode, theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { isPaying } from '../api/limits.ts'
import { countPastDays } from '../bets/summary.ts'
import { allTenants, insertTenant, saveTenant, tenantOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { keepWithinQuota } from '../tables/tables.ts'
import { addKey, type NewKey } from './keys.ts'

/** Longest interval of reality checks that a player or an operator can set. */
const longestCheckMinutes = 120

/** A tenant with its keys, in the form that profiles are made from. */
export interface NewTenant {
  readonly companyCode: string
  readonly timezone: string
  readonly live: NewKey
  readonly sandbox: NewKey
}

export interface TenantInput {
  readonly code: string
  readonly plan: Plan
  readonly timezone: string
  readonly currency: string
  /** Additional enabled currencies. */
  readonly currencies: readonly string[]
  readonly languages?: readonly string[]
}

/** Creates a live tenant with its paired sandbox and a key for each, or nothing. */
export async function createTenant(app: Casino, input: TenantInput): Promise<NewTenant> {
  const code = checkedCode(input.code)
  const timezone = checkedTimezone(input.timezone)
  const currencies = [...new Set([input.currency, ...input.currencies].map(checkedCurrency))]
  const languages = (input.languages ?? []).map(checkedLanguage)
  return app.store.write(async (tx) => {
    if (await tenantOf(tx, code)) throw new Problem('CONFLICT', `Tenant ${code} already exists`)
    const row = (environment: Environment): TenantRow => ({
      code: environment === 'live' ? code : sandboxCode(code),
      environment,
      live_code: code,
      plan: environment === 'live' ? input.plan : 'free',
      state: environment === 'live' ? firstState(input.plan) : 'FREE',
      disabled: 0,
      timezone,
      currency: currencies[0] ?? input.currency,
      currencies: JSON.stringify(currencies),
      languages: JSON.stringify(languages),
      rate_per_second: null,
      rate_burst: null,
      tables_quota: null,
      players_limit: null,
      online_limit: null,
      day_bets_limited: null,
      idle_days: null,
      viewers_limit: null,
      view_minutes: null,
      side_bets: null,
      site_url: null,
      check_minutes: null,
      paid_day: null,
      active_at: tx.now,
      state_before: null,
      credit_usd: '0',
      grace_until: null,
      // The day of creation is the first charged day.
      charged_through: null,
      created_at: tx.now,
    })
    const live = row('live')
    const sandbox = row('sandbox')
    await insertTenant(tx, live)
    await insertTenant(tx, sandbox)
    return {
      companyCode: code,
      timezone,
      live: await addKey(app, tx, live),
      sandbox: await addKey(app, tx, sandbox),
    }
  })
}

/** Returns the state of a new account on a plan. */
function firstState(plan: Plan): 'FREE' | 'PAID' {
  return plan === 'paid' ? 'PAID' : 'FREE'
}

function checkedCode(text: string): string {
  const code = text.toUpperCase()
  if (!/^[A-Z0-9][A-Z0-9-]{0,30}$/.test(code) || code.endsWith('-SBX'))
    throw refuse('INVALID_PARAMETER', 'code must be 1 to 31 letters, digits or dashes and must not end in -SBX')
  return code
}

function checkedTimezone(zone: string): string {
  if (!isZone(zone)) throw refuse('INVALID_PARAMETER', `${zone} is not an IANA time zone`)
  return zone
}

function checkedCurrency(text: string): string {
  if (!/^[A-Za-z]{3,5}$/.test(text))
    throw refuse('INVALID_CURRENCY', `${text} is not a currency code of 3 to 5 letters`)
  return text.toUpperCase()
}

function checkedLanguage(text: string): Language {
  const language = languages.find((known) => known === text.toUpperCase())
  if (!language) throw refuse('INVALID_PARAMETER', `${text} is not one of ${languages.join(', ')}`)
  return language
}

function checkedSite(text: string): string {
  if (text === '') return ''
  const { protocol, href } = URL.parse(text) ?? {}
  if (!isWithinLength(href ?? text, textLimits.url))
    throw refuse('INVALID_PARAMETER', `A site URL has at most ${textLimits.url} characters`)
  if (href === undefined || !/^https?:$/.test(protocol ?? ''))
    throw refuse('INVALID_PARAMETER', `${text} is not a site URL such as https://casino.example`)
  return href
}

function checkedMinutes(minutes: number): number {
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > longestCheckMinutes)
    throw refuse('INVALID_PARAMETER', `The interval of reality checks must be 0 to ${longestCheckMinutes} minutes`)
  return minutes
}

/** Settings of an operator in the Console. */
export interface TenantChange {
  readonly timezone?: string
  /** The primary currency. */
  readonly currency?: string
  /** Additional enabled currencies; replaces the existing ones. */
  readonly currencies?: readonly string[]
  readonly languages?: readonly string[]
  /** Target of the back button on the players' page; empty for no button. */
  readonly siteUrl?: string
  /** Longest interval of reality checks, in minutes; 0 for none. */
  readonly checkMinutes?: number
}

/**
 * Changes an operator's settings; a live tenant's also for its sandbox. Players keep the currency that they
 * have.
 */
export async function changeTenant(app: Casino, code: string, change: TenantChange): Promise<TenantRow> {
  const timezone = change.timezone === undefined ? undefined : checkedTimezone(change.timezone)
  const primary = change.currency === undefined ? undefined : checkedCurrency(change.currency)
  const further = change.currencies?.map(checkedCurrency)
  const languages = change.languages?.map(checkedLanguage)
  const site = change.siteUrl === undefined ? undefined : checkedSite(change.siteUrl)
  const check = change.checkMinutes === undefined ? undefined : checkedMinutes(change.checkMinutes)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const known: string[] = JSON.parse(tenant.currencies)
    const currency = primary ?? tenant.currency
    const currencies = [...new Set([currency, ...(further ?? known)])]
    const row: Partial<TenantRow> = {
      currency,
      currencies: JSON.stringify(currencies),
      ...(timezone === undefined ? {} : { timezone }),
      ...(languages === undefined ? {} : { languages: JSON.stringify([...new Set(languages)]) }),
      ...(site === undefined ? {} : { site_url: site === '' ? null : site }),
      ...(check === undefined ? {} : { check_minutes: check || null }),
    }
    await saveTenant(tx, tenant.code, row)
    if (tenant.environment === 'live') await saveTenant(tx, sandboxCode(tenant.code), row)
    if (timezone !== undefined && timezone !== tenant.timezone) {
      await countPastDays(tx, tenant.code)
      if (tenant.environment === 'live') await countPastDays(tx, sandboxCode(tenant.code))
    }
    return { ...tenant, ...row }
  })
}

export function listTenants(app: Casino): Promise<TenantRow[]> {
  return app.store.read((reader) => allTenants(reader))
}

/** Suspends, closes or enables a tenant: ENABLED restores the state before suspending or closing. */
export function setTenantState(app: Casino, code: string, to: 'SUSPENDED' | 'CLOSED' | 'ENABLED' | 'DISABLED') {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const change = stateChange(tenant, to)
    await saveTenant(tx, tenant.code, change)
    return { ...tenant, ...change }
  })
}

function stateChange(tenant: TenantRow, to: 'SUSPENDED' | 'CLOSED' | 'ENABLED' | 'DISABLED'): Partial<TenantRow> {
  const { state, state_before: before } = tenant
  switch (to) {
    case 'DISABLED':
      return { disabled: 1 }
    case 'ENABLED':
      return { disabled: 0, ...(before === null ? {} : { state: before, state_before: null }) }
    default:
      return { state: to, state_before: isOver(state) ? before : state }
  }
}

/**
 * Changes the plan of a live tenant. On the free plan, tables beyond its quota are disabled; the current day is still
 * charged.
 */
export function setPlan(app: Casino, code: string, plan: Plan): Promise<TenantRow> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    if (tenant.environment === 'sandbox') throw new Problem('CONFLICT', `${tenant.code} is a sandbox and has no plan`)
    const state = firstState(plan)
    const paid_day = plan === 'free' && isPaying(tenant) ? utcDayOf(tx.now) : tenant.paid_day
    const moved = {
      plan,
      paid_day,
      grace_until: null,
      ...(tenant.state_before === null ? { state } : { state_before: state }),
    }
    await saveTenant(tx, tenant.code, moved)
    await keepWithinQuota(tx, { ...tenant, ...moved })
    return { ...tenant, ...moved }
  })
}
