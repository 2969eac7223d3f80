import { withoutPassword } from '../../../db/engines/database-name.ts'
import { keyInHeader, tenantSigner } from '../../../http/client/signers.ts'
import { overHttp, signed, type Transport } from '../../../http/client/transport.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { Check } from '../../../operator/doctor.ts'
import { addressCheck, failure } from '../../../operator/doctor.ts'
import type { KeyedService } from '../../../operator/doctor-services.ts'
import { casinoChecks, keyedChecks } from '../../../operator/doctor-services.ts'
import { openClients } from '../../../world/clients/casino.ts'
import { openChatClients } from '../../../world/clients/chat.ts'
import { openGatewayClients } from '../../../world/clients/gateway.ts'
import type { Config } from '../../../world/config/config.ts'
import { httpOptions } from '../../../world/config/http-options.ts'
import {
  type LocalProfile,
  type NamedProfile,
  type RemoteProfile,
  secretsOf,
} from '../../../world/config/profile-schema.ts'
import type { CommandContext } from '../../context/context.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import { type CheckStep, runCheckSteps } from './run-check-steps.ts'

/** Checks the services of a profile, one step each. */
export const testServices = ({ screen, settings }: CommandContext, named: NamedProfile): Promise<Check[]> =>
  runCheckSteps(screen, serviceSteps(named, settings))

/** Returns the checks of each service of a profile: reachable, and accepts the keys. */
export function serviceSteps(named: NamedProfile, config: Config): CheckStep[] {
  hide(secretsOf(named.profile))
  return named.profile.kind === 'local' ? localSteps(named, named.profile, config) : remoteSteps(named.profile, config)
}

/** Checks the services in this process, on the database of the profile, with full authentication. */
function localSteps(named: NamedProfile, profile: LocalProfile, config: Config): CheckStep[] {
  // If the world cannot be opened, the other checks would only repeat the error.
  let isOpen = true
  const keyed = (name: KeyedService['name']) => ({
    title: services[name],
    check: async () => (isOpen ? keyedHere(name, named, config) : []),
  })
  const casino = async () => {
    const checks = await casinoHere(named, profile, config)
    isOpen = !checks.some(({ id, status }) => id === 'casino.reach' && status === 'fail')
    return checks
  }
  return [{ title: services.casino, check: casino }, keyed('gateway'), keyed('chat')]
}

const inThisProcess = 'world in this process'

async function casinoHere(named: NamedProfile, profile: LocalProfile, config: Config): Promise<Check[]> {
  try {
    const { casinoTransport: transport, casinoAccess, close } = await openClients(named, config)
    try {
      const { environment } = casinoAccess
      return await casinoChecks({ transport, environment, target: inThisProcess, now: Date.now })
    } finally {
      await close()
    }
  } catch (error) {
    if (!isProblem(error)) throw error
    return [
      failure('casino.reach', 'Casino', error, `Check the database of the profile: ${withoutPassword(profile.db)}`),
    ]
  }
}

/** Checks the gateway or the chat, as the default merchant. */
async function keyedHere(name: KeyedService['name'], named: NamedProfile, config: Config): Promise<Check[]> {
  const title = services[name]
  try {
    const { transport, close } = await (name === 'gateway' ? gatewayHere : chatHere)(named, config)
    try {
      return await keyedChecks({
        name,
        title,
        target: inThisProcess,
        transport,
        path: probes[name].path,
        now: Date.now,
      })
    } finally {
      await close()
    }
  } catch (error) {
    if (!isProblem(error)) throw error
    // A world without a merchant is not a failure, because some users need only other services.
    return [{ id: `${name}.reach`, title, status: 'skip', message: error.message, fix: null, code: null }]
  }
}

async function gatewayHere(named: NamedProfile, config: Config) {
  const clients = await openGatewayClients(named, config)
  return { transport: clients.transportFor('currencies'), close: () => clients.close() }
}

async function chatHere(named: NamedProfile, config: Config) {
  const clients = await openChatClients(named, config)
  return { transport: clients.bot.once, close: () => clients.close() }
}

const services = { casino: 'Casino', gateway: 'Gateway', chat: 'Chat' } as const

function remoteSteps(profile: RemoteProfile, config: Config): CheckStep[] {
  return (['casino', 'gateway', 'chat'] as const).flatMap((name) => {
    const access = profile[name]
    return access === undefined
      ? []
      : { title: services[name], check: () => checksAt(name, access.baseUrl, profile, config) }
  })
}

async function checksAt(
  name: keyof typeof services,
  baseUrl: string,
  profile: RemoteProfile,
  config: Config,
): Promise<Check[]> {
  const title = services[name]
  const trustsAnything = config.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
  const address = addressCheck(`${name}.address`, `${title} address`, baseUrl, trustsAnything)
  const transport = overHttp(baseUrl, httpOptions(config))
  try {
    const checks = name === 'casino' ? casinoAt(profile, transport) : keyedAt(name, title, profile, transport)
    return [address, ...(await checks)]
  } finally {
    await transport.close()
  }
}

async function casinoAt(profile: RemoteProfile, transport: Transport): Promise<Check[]> {
  const { casino, environment } = profile
  if (casino === undefined) return []
  const { now, random } = realAmbient()
  const { apiKey, secret, baseUrl: target } = casino
  const signing = signed(transport, tenantSigner({ apiKey, secret, now, random }))
  return casinoChecks({ transport: signing, environment, target, now })
}

/** Read-only requests that show whether the key is accepted. */
const probes: Readonly<Record<KeyedService['name'], { path: string; header: string }>> = {
  gateway: { path: '/api/v1/currencies', header: 'x-api-key' },
  chat: { path: '/api/public/v1/tickets?page=1&pageSize=1', header: 'x-chat-apikey' },
}

async function keyedAt(
  name: KeyedService['name'],
  title: string,
  profile: RemoteProfile,
  transport: Transport,
): Promise<Check[]> {
  const access = profile[name]
  if (access === undefined) return []
  const { path, header } = probes[name]
  const signing = signed(transport, keyInHeader(header, access.apiKey))
  return keyedChecks({ name, title, target: access.baseUrl, transport: signing, path, now: Date.now })
}
