import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseFault, passwordsIn, withoutPassword } from '../../db/engines/database-name.ts'
import { environments, type Environment as Money } from '../../domain/account/state.ts'
import { isLoopback } from '../../http/server/public-url.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { writeWhole } from './atomic-write.ts'
import { badConfiguration, type Config, cannotWrite, type Paths } from './config.ts'
import { nearest } from './did-you-mean.ts'

/** One target for all three services: in this process on a database, or at addresses with keys. */
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
}

export interface CasinoAccess {
  readonly baseUrl: string
  readonly companyCode: string
  readonly timezone: string
  readonly apiKey: string
  readonly secret: string
  /** What the platform's webhooks are signed with. */
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

export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}

/** The fields no output may show. A key id is one of them: for two of the three services it is the whole credential. */
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
] as const

/** The profile that is there without being added: the services in this process, on the user's own database. */
export const localName = 'local'

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/
const folderOf = (paths: Paths): string => join(paths.config, 'profiles')
const fileOf = (paths: Paths, name: string): string => join(folderOf(paths), `${name}.json`)

/** Real money elsewhere: what must be named each time, and asked about twice. */
export function isLive(profile: Profile): boolean {
  return profile.kind === 'remote' && profile.environment === 'live'
}

/** The names there are, sorted. Opens none of the files, so it also serves completion. */
export function profileNames(paths: Paths): string[] {
  const kept = existsSync(folderOf(paths)) ? readdirSync(folderOf(paths)) : []
  const names = kept.filter((file) => /^[a-z0-9].*\.json$/.test(file)).map((file) => file.slice(0, -'.json'.length))
  return [...new Set([localName, ...names])].sort()
}

/** The profile of that name, or the refusal that names the nearest one. */
export function readProfile(config: Config, name: string): NamedProfile {
  const path = fileOf(config.paths, named(name))
  if (!existsSync(path)) {
    if (name === localName) return { name, profile: { kind: 'local', db: config.settings.db } }
    throw noProfile(config, name)
  }
  refuseIfOpenToOthers(path)
  const profile = checkedProfile(readJson(path), path)
  // A database said more nearly, by flag or variable, is the one that is meant.
  const isSaid = config.sources.db.from === 'flag' || config.sources.db.from === 'environment'
  return { name, profile: profile.kind === 'local' && isSaid ? { ...profile, db: config.settings.db } : profile }
}

/** The profile this run works on. A live one must have been named for this very run. */
export function profileInUse(config: Config): NamedProfile {
  const { from, where } = config.sources.profile
  const isNamed = from === 'flag' || from === 'environment'
  if (config.settings.requireProfile && !isNamed) {
    throw badConfiguration('Every run must name its profile here: --profile NAME or COUNTROOM_PROFILE', {
      setting: 'requireProfile',
    })
  }
  const found = readProfile(config, config.settings.profile)
  if (isLive(found.profile) && !isNamed) {
    const by = where === undefined ? 'by default' : `by ${where}`
    throw badConfiguration(`"${found.name}" is live and is not used ${by}: name it with --profile ${found.name}`, {
      profile: found.name,
    })
  }
  return found
}

/** Keeps a profile, readable by its owner alone from the first instant. */
export function saveProfile(paths: Paths, { name, profile }: NamedProfile): string {
  const path = fileOf(paths, named(name))
  try {
    writeWhole(path, `${JSON.stringify(checkedProfile(profile, name), null, 2)}\n`, { file: 0o600, folder: 0o700 })
  } catch (error) {
    throw cannotWrite(path, error)
  }
  return path
}

export function hasProfile(paths: Paths, name: string): boolean {
  return existsSync(fileOf(paths, named(name)))
}

export function removeProfile(config: Config, name: string): void {
  const path = fileOf(config.paths, named(name))
  if (!existsSync(path)) {
    if (name === localName) throw new Problem('CONFLICT', 'The profile "local" is built in and stays')
    throw noProfile(config, name)
  }
  try {
    rmSync(path)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

/** The name if it can be one: lower case, so that two names never mean one file. */
export function named(name: string): string {
  if (namePattern.test(name)) return name
  throw new Problem('INVALID_PROFILE_NAME', 'A profile name is lower-case letters, digits, - and _, at most 63', {})
}

function noProfile(config: Config, name: string): Problem {
  const near = nearest(name, profileNames(config.paths), 1)[0]
  const hint = near === undefined ? 'countroom profiles list shows those there are' : `did you mean "${near}"?`
  return new Problem('PROFILE_NOT_FOUND', `There is no profile "${name}"; ${hint}`, { profile: name, nearest: near })
}

/** A file of keys that others can read, or could have put there, is not trusted: the way to mend it is in the refusal. */
function refuseIfOpenToOthers(path: string): void {
  if (process.platform === 'win32') return
  const folder = dirname(path)
  if ((statSync(folder).mode & 0o022) !== 0) {
    throw badConfiguration(`${folder} can be changed by others; chmod 700 it`, { file: folder })
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw badConfiguration(`${path} can be read by others; chmod 600 it, and renew its keys if they were seen`, {
      file: path,
    })
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The parser's words may quote the file, so they are not passed on.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as NodeJS.ErrnoException).code
    throw badConfiguration(`${path} cannot be read: ${reason}`, { file: path })
  }
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const localFields = { required: ['kind', 'db'], optional: ['tenant', 'environment'] }
const sections = {
  casino: { required: ['baseUrl', 'companyCode', 'timezone', 'apiKey', 'secret'], optional: ['webhookSecret'] },
  gateway: {
    required: ['baseUrl', 'apiKey'],
    optional: ['payoutApiKey', 'ipnSecret', 'email', 'password', 'totpSecret', 'whitelisted'],
  },
  chat: { required: ['baseUrl', 'apiKey'], optional: ['tenantKey', 'agentToken', 'freePlanApiKey'] },
} as const
type Section = keyof typeof sections
const sectionNames = Object.keys(sections) as Section[]

/** A profile that holds to its rules, or the refusal. Run when it is kept and again when it is read: files get edited. */
export function checkedProfile(value: unknown, where: string): Profile {
  if (!isFields(value)) throw badConfiguration(`${where} is not a profile`, { file: where })
  if (value['kind'] === 'local') return checkedLocal(value, where)
  if (value['kind'] !== 'remote') throw badConfiguration(`${where}: "kind" must be local or remote`, { file: where })
  return checkedRemote(value, where)
}

function checkedLocal(value: Fields, where: string): LocalProfile {
  checkFields(value, localFields, where)
  checkMoney(value['environment'] ?? 'sandbox', where)
  const fault = databaseFault(String(value['db']))
  if (fault !== undefined) throw badConfiguration(`${where}: "db" ${fault}`, { key: 'db' })
  return value as unknown as LocalProfile
}

function checkedRemote(value: Fields, where: string): RemoteProfile {
  checkFields(value, { required: ['kind', 'environment'], optional: sectionNames }, where)
  const environment = checkMoney(value['environment'], where)
  const present = sectionNames.filter((section) => value[section] !== undefined)
  if (present.length === 0) throw badConfiguration(`${where} names no service: casino, gateway or chat`, {})
  for (const section of present) {
    const access = value[section]
    if (!isFields(access)) throw badConfiguration(`${where}: "${section}" is not an object`, { file: where })
    checkFields(access, sections[section], `${where}: ${section}`)
    checkAddress(String(access['baseUrl']), `${where}: ${section}.baseUrl`)
  }
  if (isFields(value['casino'])) checkKey(String(value['casino']['apiKey']), environment, where)
  return value as unknown as RemoteProfile
}

function checkFields(
  value: Fields,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
  where: string,
): void {
  const known = [...required, ...optional]
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const near = nearest(key, known, 1)[0]
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    throw badConfiguration(`${where} has an unknown key "${key}"${hint}`, { key, nearest: near })
  }
  for (const key of required) {
    if (value[key] === undefined) throw badConfiguration(`${where} lacks "${key}"`, { key })
  }
  for (const key of known) {
    const field = value[key]
    const isObject = key === 'whitelisted' || (sectionNames as string[]).includes(key)
    const fits = isObject ? isFields(field) : typeof field === 'string' && field !== ''
    if (field !== undefined && !fits) throw badConfiguration(`${where}: "${key}" has the wrong form`, { key })
  }
}

function checkMoney(value: unknown, where: string): Money {
  const found = environments.find((environment) => environment === value)
  if (found === undefined) throw badConfiguration(`${where}: "environment" must be live or sandbox`, {})
  return found
}

/** Live keys in a sandbox profile would move real money in an exercise; the reverse would lose what was thought done. */
function checkKey(apiKey: string, environment: Money, where: string): void {
  const other = environment === 'live' ? 'sandbox' : 'live'
  const prefix = { live: 'ek_l_', sandbox: 'ek_s_' }[other]
  if (apiKey.startsWith(prefix)) {
    throw badConfiguration(`${where} is a ${environment} profile, and its casino key is a ${other} one`, {})
  }
}

/** Keys travel in the open over plain http, except inside this machine. */
function checkAddress(address: string, where: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw badConfiguration(`${where} is not an http address`, {})
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badConfiguration(`${where} must be a plain address, without user, query or fragment`, {})
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw badConfiguration(`${where} must be https: only this machine itself is spoken to in the open`, {})
  }
}

/**
 * A remote profile out of a document of the ready file's form, with whichever of its sections are there. Also out of
 * the output of a command that gave it as its `data`. A section may carry its own `baseUrl` where the services
 * do not live at one address.
 */
export function profileFromDocument(document: unknown, environment: Money): RemoteProfile {
  if (!isFields(document)) throw unfit('The document is not a JSON object')
  const whole = 'schemaVersion' in document && isFields(document['data']) ? document['data'] : document
  const profile = {
    kind: 'remote',
    environment,
    casino: casinoFrom(whole, environment),
    gateway: gatewayFrom(whole, environment),
    chat: chatFrom(whole),
  }
  const present = Object.fromEntries(Object.entries(profile).filter(([, part]) => part !== undefined))
  if (!sectionNames.some((section) => section in present)) {
    throw unfit('The document has none of the sections casino, gateway and chat')
  }
  try {
    const checked = checkedProfile(present, 'The document') as RemoteProfile
    if (checked.casino === undefined) return checked
    return { ...checked, casino: { ...checked.casino, timezone: zoneNamed(checked.casino.timezone) } }
  } catch (error) {
    // The same rules, but what is wrong here was just handed in and is not our own configuration.
    throw isProblem(error, 'BAD_CONFIGURATION') || isProblem(error, 'INVALID_PARAMETER')
      ? unfit(error.message, error.detail)
      : error
  }
}

function casinoFrom(whole: Fields, environment: Money) {
  const section = sectionOf(whole, 'casino')
  if (section === undefined) return undefined
  const keys = keysFor(section, environment, { live: 'live', sandbox: 'sandbox' }, 'casino')
  return {
    baseUrl: addressOf(section['baseUrl'] ?? whole['baseUrl'], 'casino'),
    ...pick(section, ['companyCode', 'timezone']),
    ...pick(keys, ['companyCode', 'timezone', 'apiKey', 'secret', 'webhookSecret']),
  }
}

/** A zone by its name in the IANA list, in the list's own spelling. INVALID_PARAMETER names the nearest. */
export function zoneNamed(text: string): string {
  const known = Intl.supportedValuesOf('timeZone')
  const found = known.find((zone) => zone.toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found
  // Other names of zones in the list, UTC among them, are zones too; an offset is none: it has no summer.
  if (/^[A-Za-z]/.test(text) && isZoneHere(text)) return text
  const near = nearest(text, known, 1)[0]
  const hint = near === undefined ? 'one is written like Asia/Taipei' : `did you mean ${near}?`
  throw new Problem('INVALID_PARAMETER', `${JSON.stringify(text.slice(0, 70))} is no time zone; ${hint}`, {
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

function gatewayFrom(whole: Fields, environment: Money) {
  const section = sectionOf(whole, 'gateway')
  if (section === undefined) return undefined
  const keys = keysFor(section, environment, { live: 'production', sandbox: 'sandbox' }, 'gateway')
  const address = environment === 'live' ? 'baseUrl' : 'sandboxBaseUrl'
  const { required, optional } = sections.gateway
  return {
    baseUrl: addressOf(section[address] ?? whole[address], 'gateway'),
    ...pick(keys, [...required, ...optional]),
  }
}

function chatFrom(whole: Fields) {
  const section = sectionOf(whole, 'chat')
  if (section === undefined) return undefined
  const { required, optional } = sections.chat
  return {
    ...pick(section, [...required, ...optional]),
    baseUrl: addressOf(section['baseUrl'] ?? whole['baseUrl'], 'chat'),
  }
}

function sectionOf(whole: Fields, name: Section): Fields | undefined {
  const section = whole[name]
  if (section === undefined || section === null) return undefined
  if (isFields(section)) return section
  throw unfit(`The document's "${name}" is not an object`)
}

function keysFor(section: Fields, environment: Money, names: Record<Money, string>, service: Section): Fields {
  const keys = section[names[environment]]
  if (isFields(keys)) return keys
  const other = environment === 'live' ? 'sandbox' : 'live'
  const hint = isFields(section[names[other]]) ? `; it has ${other} keys: --environment ${other}` : ''
  throw unfit(`The document has no ${environment} keys for ${service}${hint}`)
}

function addressOf(address: unknown, service: Section): string {
  if (typeof address === 'string' && address !== '') return address.replace(/\/+$/, '')
  throw unfit(`The document has no base URL for ${service}`)
}

const pick = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]))

const unfit = (message: string, detail = {}): Problem => new Problem('INVALID_PROFILE', message, detail)

/** The profile as it may be shown: every secret is stars. */
export function maskedProfile(profile: Profile): Profile {
  if (profile.kind === 'local') return { ...profile, db: withoutPassword(profile.db) }
  return JSON.parse(JSON.stringify(profile, (key, value: unknown) => (isSecretField(key) ? '***' : value)))
}

const isSecretField = (key: string): boolean => (secretFields as readonly string[]).includes(key)

/** Every secret text in a profile, so that whatever prints can take them out. */
export function secretsOf(profile: Profile): string[] {
  if (profile.kind === 'local') {
    return passwordsIn(profile.db)
  }
  return [profile.casino, profile.gateway, profile.chat].flatMap((access) =>
    Object.entries(access ?? {}).flatMap(([key, value]) =>
      isSecretField(key) && typeof value === 'string' ? [value] : [],
    ),
  )
}
