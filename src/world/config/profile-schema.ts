import { databaseFault, passwordsIn, withoutPassword } from '../../db/engines/database-name.ts'
import { environments, type Environment as Money } from '../../domain/account/state.ts'
import { isLoopback } from '../../http/server/public-url.ts'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { quoted } from '../../kit/shell-quote.ts'
import { badConfiguration } from './config.ts'

/** A target for all three services: in this process on a database, or at addresses with keys. */
export type Profile = LocalProfile | RemoteProfile

export interface LocalProfile {
  readonly kind: 'local'
  /** A file, or a postgres:// address. */
  readonly db: string
  readonly tenant?: string
  readonly environment?: Money
}

export interface RemoteProfile {
  readonly kind: 'remote'
  readonly environment: Money
  readonly casino?: CasinoAccess
  readonly gateway?: GatewayAccess
  readonly chat?: ChatAccess
  /** Access to the memory of the process that serves the world, on this machine only. */
  readonly desk?: DeskAccess
}

/** Creates the problem of a remote profile without the keys of a service. Its message ends with the command that adds them. */
export function noSection({ name, profile }: NamedProfile, section: 'casino' | 'gateway' | 'chat'): Problem {
  const environment = profile.kind === 'remote' ? ` --environment ${profile.environment}` : ''
  const add = `countroom profiles add ${name} --from ${quoted(`${name}.json`)}${environment} --force`
  return badConfiguration(
    `The profile "${name}" has no ${section} section. Put all its keys into ${name}.json, then replace it: ${add}`,
    { profile: name },
  )
}

export interface CasinoAccess {
  readonly baseUrl: string
  readonly companyCode: string
  readonly timezone: string
  readonly apiKey: string
  readonly secret: string
  /** Secret that signs the platform's webhooks. */
  readonly webhookSecret?: string
}

export interface GatewayAccess {
  readonly baseUrl: string
  readonly apiKey: string
  readonly payoutApiKey?: string
  readonly ipnSecret?: string
  readonly email?: string
  readonly password?: string
  readonly totpSecret?: string
  readonly whitelisted?: Readonly<Record<string, string>>
}

export interface ChatAccess {
  readonly baseUrl: string
  readonly apiKey: string
  readonly tenantKey?: string
  readonly agentToken?: string
  readonly freePlanApiKey?: string
}

export interface DeskAccess {
  readonly baseUrl: string
  readonly token: string
}

export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}

/** Fields that output never shows. The key id is included: for two of the three services it is the whole credential. */
export const secretFields = [
  'apiKey',
  'secret',
  'webhookSecret',
  'payoutApiKey',
  'ipnSecret',
  'password',
  'totpSecret',
  'agentToken',
  'freePlanApiKey',
  'token',
] as const

export type Fields = Readonly<Record<string, unknown>>
export const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const localFields = { required: ['kind', 'db'], optional: ['tenant', 'environment'] }
export const sections = {
  casino: { required: ['baseUrl', 'companyCode', 'timezone', 'apiKey', 'secret'], optional: ['webhookSecret'] },
  gateway: {
    required: ['baseUrl', 'apiKey'],
    optional: ['payoutApiKey', 'ipnSecret', 'email', 'password', 'totpSecret', 'whitelisted'],
  },
  chat: { required: ['baseUrl', 'apiKey'], optional: ['tenantKey', 'agentToken', 'freePlanApiKey'] },
} as const
export type Section = keyof typeof sections
export const sectionNames = Object.keys(sections) as Section[]

/** Validates a profile. Called when it is saved and again when it is read, because files get edited. */
export function checkedProfile(value: unknown, location: string): Profile {
  if (!isFields(value)) throw badConfiguration(`${location} is not a profile`, { file: location })
  if (value['kind'] === 'local') return checkedLocal(value, location)
  if (value['kind'] !== 'remote')
    throw badConfiguration(`${location}: "kind" must be local or remote`, { file: location })
  return checkedRemote(value, location)
}

function checkedLocal(value: Fields, location: string): LocalProfile {
  checkFields(value, localFields, location)
  checkMoney(value['environment'] ?? 'sandbox', location)
  const fault = databaseFault(String(value['db']))
  if (fault !== undefined) throw badConfiguration(`${location}: "db" ${fault}`, { key: 'db' })
  return value as unknown as LocalProfile
}

function checkedRemote(value: Fields, location: string): RemoteProfile {
  checkFields(value, { required: ['kind', 'environment'], optional: [...sectionNames, 'desk'] }, location)
  const environment = checkMoney(value['environment'], location)
  const present = sectionNames.filter((section) => value[section] !== undefined)
  if (present.length === 0) throw badConfiguration(`${location} has no service: casino, gateway or chat`, {})
  for (const section of present) {
    const access = value[section]
    if (!isFields(access)) throw badConfiguration(`${location}: "${section}" must be an object`, { file: location })
    checkFields(access, sections[section], `${location}: ${section}`)
    checkAddress(String(access['baseUrl']), `${location}: ${section}.baseUrl`)
  }
  if (isFields(value['desk'])) {
    checkFields(value['desk'], { required: ['baseUrl', 'token'], optional: [] }, `${location}: desk`)
    checkAddress(String(value['desk']['baseUrl']), `${location}: desk.baseUrl`)
  }
  if (isFields(value['casino'])) checkKey(String(value['casino']['apiKey']), environment, location)
  return value as unknown as RemoteProfile
}

function checkFields(
  value: Fields,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
  location: string,
): void {
  const known = [...required, ...optional]
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const near = nearest(key, known, 1)[0]
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    throw badConfiguration(`${location} has an unknown key "${key}"${hint}`, { key, nearest: near })
  }
  for (const key of required) {
    if (value[key] === undefined) throw badConfiguration(`${location} lacks "${key}"`, { key })
  }
  for (const key of known) {
    const field = value[key]
    const isObject = ['whitelisted', 'desk'].includes(key) || (sectionNames as string[]).includes(key)
    const isValid = isObject ? isFields(field) : typeof field === 'string' && field !== ''
    if (field !== undefined && !isValid) throw badConfiguration(`${location}: "${key}" has an invalid form`, { key })
  }
}

function checkMoney(value: unknown, location: string): Money {
  const match = environments.find((environment) => environment === value)
  if (match === undefined) throw badConfiguration(`${location}: "environment" must be live or sandbox`, {})
  return match
}

/** Refuses keys of the other environment: live keys in a sandbox profile would move real money in an exercise. */
function checkKey(apiKey: string, environment: Money, location: string): void {
  const other = environment === 'live' ? 'sandbox' : 'live'
  const prefix = { live: 'ek_l_', sandbox: 'ek_s_' }[other]
  if (apiKey.startsWith(prefix)) {
    throw badConfiguration(`${location} is a ${environment} profile, but its casino key is a ${other} one`, {})
  }
}

/** Refuses plain http, which exposes keys, except on this machine. */
function checkAddress(address: string, location: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw badConfiguration(`${location} must be an http or https URL`, {})
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badConfiguration(`${location} must be a URL without user, query or fragment`, {})
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw badConfiguration(`${location} must use https: plain http is allowed on this machine only`, {})
  }
}

/** Returns a time zone in the IANA list's own spelling. INVALID_PARAMETER suggests the nearest. */
export function zoneNamed(text: string): string {
  const known = Intl.supportedValuesOf('timeZone')
  const match = known.find((zone) => zone.toLowerCase() === text.toLowerCase())
  if (match !== undefined) return match
  // Aliases in the list, such as UTC, are zones too; an offset is not: it has no daylight saving time.
  if (/^[A-Za-z]/.test(text) && isZoneHere(text)) return text
  const near = nearest(text, known, 1)[0]
  const hint = near === undefined ? 'use a name such as Asia/Taipei' : `did you mean ${near}?`
  throw new Problem('INVALID_PARAMETER', `${JSON.stringify(text.slice(0, 70))} is not a time zone; ${hint}`, {
    field: 'timezone',
    nearest: near,
  })
}

function isZoneHere(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

export const invalidProfile = (message: string, detail = {}): Problem => new Problem('INVALID_PROFILE', message, detail)

/** Returns the profile for display: every secret is masked. */
export function maskedProfile(profile: Profile): Profile {
  if (profile.kind === 'local') return { ...profile, db: withoutPassword(profile.db) }
  return JSON.parse(JSON.stringify(profile, (key, value: unknown) => (isSecretField(key) ? '***' : value)))
}

const isSecretField = (key: string): boolean => (secretFields as readonly string[]).includes(key)

/** Returns every secret in a profile, so that output can mask them. */
export function secretsOf(profile: Profile): string[] {
  if (profile.kind === 'local') {
    return passwordsIn(profile.db)
  }
  return [profile.casino, profile.gateway, profile.chat, profile.desk].flatMap((access) =>
    Object.entries(access ?? {}).flatMap(([key, value]) =>
      isSecretField(key) && typeof value === 'string' ? [value] : [],
    ),
  )
}
