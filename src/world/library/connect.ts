import { createClient } from '../../http/client/client.ts'
import { isRepeatable } from '../../http/client/retry.ts'
import type { Sign } from '../../http/client/sign.ts'
import { keyInHeader, tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import { overHttp, patient, signed, type Transport } from '../../http/client/transport.ts'
import type { Client, Contract } from '../../http/contract/contract.ts'
import type { WireRequest } from '../../http/contract/wire-types.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { agent, chat, widget } from '../../services/chat/api/contract.ts'
import { gateway } from '../../services/gateway/api/contract.ts'

/**
 * The typed clients of the three services, for one who has their keys. Each call takes `{ params, query, body }` as its
 * endpoint has them, answers the reply, and throws a `Problem` with the API's own code when it is refused.
 */

export type CasinoClient = Client<typeof casino>
export type GatewayClient = Client<typeof gateway>
export type ChatClient = Client<typeof chat>
export type WidgetClient = Client<typeof widget>
export type AgentClient = Client<typeof agent>

/** A client with connections of its own. */
export interface Connection<C> {
  readonly client: C
  close(): Promise<void>
}

/** Where a service is, and how patient to be with it. */
export interface Place {
  /** Up to, and without, the path of the API: `https://casino.example`. */
  readonly baseUrl: string
  /** Whether calls are made again on 429, 5xx and silence where that does nothing twice; they are unless said otherwise. */
  readonly retries?: boolean
}

/** A client of the casino: every request signed, each attempt afresh. A launch is never made again by itself. */
export function connectCasino(place: Place & CasinoKey): Connection<CasinoClient> {
  // Transfers carry their own key in the body, and the other writes leave the same state when done twice.
  const repeatable = ({ path }: WireRequest) => !path.endsWith('/player/launch')
  return connected(casino, place, tenantSign(place), repeatable)
}

/** A client of the gateway. What moves or holds funds also needs the header `authorization: Bearer …`, by `auth`. */
export function connectGateway(place: Place & { readonly apiKey: string }): Connection<GatewayClient> {
  return connected(gateway, place, keyInHeader('x-api-key', place.apiKey), isRepeatable)
}

/** A client of the chat as a bot, with the API key that belongs on a server. */
export function connectChat(place: Place & { readonly apiKey: string }): Connection<ChatClient> {
  return connected(chat, place, keyInHeader('x-chat-apikey', place.apiKey), isRepeatable)
}

/** The same clients on a transport that is there already, asking once. */
export const casinoOn = (bare: Transport, key: CasinoKey): CasinoClient =>
  createClient(casino, signed(bare, tenantSign(key)))
export const gatewayOn = (bare: Transport, apiKey: string): GatewayClient =>
  createClient(gateway, signed(bare, keyInHeader('x-api-key', apiKey)))
export const chatOn = (bare: Transport, apiKey: string): ChatClient =>
  createClient(chat, signed(bare, keyInHeader('x-chat-apikey', apiKey)))
export const widgetOn = (bare: Transport, tenantKey: string): WidgetClient =>
  createClient(widget, signed(bare, keyInHeader('x-chat-tenant-key', tenantKey)))
export const agentOn = (bare: Transport, agentToken: string): AgentClient =>
  createClient(agent, signed(bare, keyInHeader('x-chat-agenttoken', agentToken)))

export interface CasinoKey {
  readonly apiKey: string
  readonly secret: string
}

function tenantSign({ apiKey, secret }: CasinoKey): Sign {
  const { now, random } = realAmbient()
  return tenantSigner({ apiKey, secret, now, random })
}

function connected<const C extends Contract>(
  contract: C,
  { baseUrl, retries = true }: Place,
  sign: Sign,
  repeatable: (request: WireRequest) => boolean,
): Connection<Client<C>> {
  const http = overHttp(baseUrl)
  const once = signed(http, sign)
  // Outside of the signing: each attempt needs a nonce of its own.
  const transport = retries
    ? patient(once, { sleep: realSleep, now: realAmbient().now, random: Math.random, repeatable })
    : once
  return { client: createClient(contract, transport), close: () => http.close() }
}
