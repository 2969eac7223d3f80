import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment as Money } from '../../domain/account/state.ts'
import { diskErrorText } from '../../kit/disk-error.ts'
import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { writeWhole } from './atomic-write.ts'
import { badConfiguration, type Config, cannotWrite } from './config.ts'
import type { Paths } from './paths.ts'
import {
  checkedProfile,
  type Fields,
  invalidProfile,
  isFields,
  type NamedProfile,
  type Profile,
  type RemoteProfile,
  type Section,
  sectionNames,
  sections,
  zoneNamed,
} from './profile-schema.ts'
import { type NamedTenant, tenantOfProfile, tenantProfile } from './tenant-profile.ts'

/** The built-in profile: the services in this process, on the user's own database. */
export const localName = 'local'

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/
const folderOf = (paths: Paths): string => join(paths.config, 'profiles')
const fileOf = (paths: Paths, name: string): string => join(folderOf(paths), `${name}.json`)

/**
 * Returns whether a profile uses real money on a remote platform: such a profile must be named each time and confirmed.
 */
export function isLive(profile: Profile): boolean {
  return profile.kind === 'remote' && profile.environment === 'live'
}

/** Returns all profile names, sorted. Opens none of the files, so it also serves completion. */
export function profileNames(paths: Paths): string[] {
  const files = existsSync(folderOf(paths)) ? readdirSync(folderOf(paths)) : []
  const names = files.filter((file) => /^[a-z0-9].*\.json$/.test(file)).map((file) => file.slice(0, -'.json'.length))
  return [...new Set([localName, ...names])].sort()
}

/** Returns the profile with this name, or refuses with the nearest one. */
export function readProfile(config: Config, name: string): NamedProfile {
  const owner = tenantOfProfile(name)
  if (owner) return profileOfTenant(config, name, owner)
  const path = fileOf(config.paths, named(name))
  if (!existsSync(path)) {
    if (name === localName) return { name, profile: { kind: 'local', db: config.settings.db } }
    throw noProfile(config, name)
  }
  refuseIfOpenToOthers(path)
  const profile = checkedProfile(readJson(path), path)
  // A database given by flag or variable overrides the profile's.
  const isExplicit = config.sources.db.from === 'flag' || config.sources.db.from === 'environment'
  return { name, profile: profile.kind === 'local' && isExplicit ? { ...profile, db: config.settings.db } : profile }
}

/** Returns a profile without a file: the profile `local`, acting for one tenant. */
function profileOfTenant(config: Config, name: string, { tenant, isSandbox }: NamedTenant): NamedProfile {
  const { profile } = readProfile(config, localName)
  if (profile.kind !== 'local')
    throw badConfiguration(`"${name}" is a tenant of the local world, but the profile "local" is remote`, {
      profile: name,
    })
  const { db } = profile
  return { name, profile: { kind: 'local', db, tenant, ...(isSandbox ? { environment: 'sandbox' } : {}) } }
}

/** Returns the database of the stored profile `local`, also if this run uses another one; undefined if there is none. */
export function storedDb(config: Config): string | undefined {
  if (!hasProfile(config.paths, localName)) return undefined
  try {
    const ungiven = { ...config, sources: { ...config.sources, db: { from: 'default', origin: undefined } as const } }
    const { profile } = readProfile(ungiven, localName)
    return profile.kind === 'local' ? profile.db : undefined
  } catch (error) {
    // The list of profiles reports a damaged file.
    if (isProblem(error)) return undefined
    throw error
  }
}

/** Returns the profile of this run. A live one must be named by a flag or a variable. */
export function profileInUse(config: Config): NamedProfile {
  const { from, origin } = config.sources.profile
  const isNamed = from === 'flag' || from === 'environment'
  if (config.settings.requireProfile && !isNamed) {
    throw badConfiguration('Every run must name its profile here: --profile NAME or COUNTROOM_PROFILE', {
      setting: 'requireProfile',
    })
  }
  const namedProfile = readProfile(config, config.settings.profile)
  if (isLive(namedProfile.profile) && !isNamed) {
    const by = origin === undefined ? 'by default' : `by ${origin}`
    throw badConfiguration(
      `"${namedProfile.name}" is live and is not used ${by}: name it with --profile ${namedProfile.name}`,
      {
        profile: namedProfile.name,
      },
    )
  }
  return namedProfile
}

/** Returns the profile of the settings, live or not; the built-in one if that cannot be read, so that settings can be repaired. */
export function defaultProfile(config: Config): NamedProfile {
  try {
    return readProfile(config, config.settings.profile)
  } catch {
    return { name: localName, profile: { kind: 'local', db: config.settings.db } }
  }
}

/** Saves a profile, readable by its owner alone from the start. */
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
    if (name === localName) throw new Problem('CONFLICT', 'The profile "local" is built in and cannot be changed')
    throw noProfile(config, name)
  }
  try {
    rmSync(path)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

/** Returns a valid profile name: lower case, so that two names never mean one file. */
export function named(name: string): string {
  if (namePattern.test(name)) return name
  const hint = /^local\./i.test(name)
    ? `. A tenant of the local world is named by its code in lower case: ${tenantProfile('ACME')}`
    : ''
  throw new Problem(
    'INVALID_PROFILE_NAME',
    `A profile name must be lower-case letters, digits, - and _, at most 63 characters${hint}`,
    {},
  )
}

function noProfile(config: Config, name: string): Problem {
  const near = nearest(name, profileNames(config.paths), 1)[0]
  const hint = near === undefined ? 'list profiles with "countroom profiles list"' : `did you mean "${near}"?`
  return new Problem('PROFILE_NOT_FOUND', `Profile "${name}" does not exist; ${hint}`, { profile: name, nearest: near })
}

/** Refuses a file of keys that others can read, or whose folder they can change, with the command that fixes it. */
function refuseIfOpenToOthers(path: string): void {
  if (process.platform === 'win32') return
  const folder = dirname(path)
  if ((statSync(folder).mode & 0o022) !== 0) {
    throw badConfiguration(`${folder} can be changed by others; run: chmod 700 ${folder}`, { file: folder })
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw badConfiguration(
      `${path} can be read by others; run: chmod 600 ${path}, and rotate its keys if they were seen`,
      {
        file: path,
      },
    )
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The parser's message may quote the file, so it is not included.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (diskErrorText(error) ?? String(error))
    throw badConfiguration(`Cannot read ${path}: ${reason}`, { file: path })
  }
}

/**
 * Returns a remote profile from a document in the ready file's form, with the sections it has. Also accepts the output
 * of a command with the document as its `data`. A section may have its own `baseUrl`.
 */
export function profileFromDocument(document: unknown, environment: Money): RemoteProfile {
  if (!isFields(document)) throw invalidProfile('The document is not a JSON object')
  const whole = 'schemaVersion' in document && isFields(document['data']) ? document['data'] : document
  const profile = {
    kind: 'remote',
    environment,
    casino: casinoFrom(whole, environment),
    gateway: gatewayFrom(whole, environment),
    chat: chatFrom(whole),
    desk: deskFrom(whole),
  }
  const present = Object.fromEntries(Object.entries(profile).filter(([, part]) => part !== undefined))
  if (!sectionNames.some((section) => section in present)) {
    throw invalidProfile('The document has none of the sections casino, gateway and chat')
  }
  try {
    const checked = checkedProfile(present, 'The document') as RemoteProfile
    if (checked.casino === undefined) return checked
    return { ...checked, casino: { ...checked.casino, timezone: zoneNamed(checked.casino.timezone) } }
  } catch (error) {
    // Same rules, but the invalid value was given as input and is not our own configuration.
    throw isProblem(error, 'BAD_CONFIGURATION') || isProblem(error, 'INVALID_PARAMETER')
      ? invalidProfile(error.message, error.detail)
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

/** Returns access to the serving process of this machine, if the document has it whole. */
function deskFrom(whole: Fields) {
  const desk = whole['desk']
  if (!isFields(desk) || typeof desk['baseUrl'] !== 'string' || typeof desk['token'] !== 'string') return undefined
  return pick(desk, ['baseUrl', 'token'])
}

function sectionOf(whole: Fields, name: Section): Fields | undefined {
  const section = whole[name]
  if (section === undefined || section === null) return undefined
  if (isFields(section)) return section
  throw invalidProfile(`The document's "${name}" must be an object`)
}

function keysFor(section: Fields, environment: Money, names: Record<Money, string>, service: Section): Fields {
  const keys = section[names[environment]]
  if (isFields(keys)) return keys
  const other = environment === 'live' ? 'sandbox' : 'live'
  const hint = isFields(section[names[other]]) ? `; it has ${other} keys: --environment ${other}` : ''
  throw invalidProfile(`The document has no ${environment} keys for ${service}${hint}`)
}

function addressOf(address: unknown, service: Section): string {
  if (typeof address === 'string' && address !== '') return address.replace(/\/+$/, '')
  throw invalidProfile(`The document has no base URL for ${service}`)
}

const pick = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]))
