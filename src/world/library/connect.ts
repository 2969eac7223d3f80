import { createClient } from '../../http/client/client.ts'
import { isRepeatable } from '../../http/client/retry.ts'
import type { Sign } from '../../http/client/sign.ts'
import { keyInHeader, tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import { overHttp, retrying, signed, type Transport } from '../../http/client/transport.ts'
import type { Client, Contract } from '../../http/contract/contract.ts'
import type { WireRequest } from '../../http/contract/wire-types.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { agent, chat, widget } from '../../services/chat/api/contract.ts'
import { gateway } from '../../services/gateway/api/contract.ts'

/**
 * Typed clients of the three services for a program with their keys. Each method takes `{ params, query, body }` as its
 * endpoint defines them, and returns the response. When it is refused, it throws a `Problem` with the API's code.
 */

export type CasinoClient = Client<typeof casino>
export type GatewayClient = Client<typeof gateway>
export type ChatClient = Client<typeof chat>
export type WidgetClient = Client<typeof widget>
export type AgentClient = Client<typeof agent>

/** A client with its own connections. */
export interface Connection<C> {
  readonly client: C
  close(): Promise<void>
}

/** Address of a service, and its retry policy. */
export interface ConnectionOptions {
  /** URL up to, but without, the path of the API: `https://casino.example`. */
  readonly baseUrl: string
  /** True if requests are retried on 429, 5xx and timeouts if repeating is safe. Default: true. */
  readonly retries?: boolean
}

/** Connects to the casino: every request is signed, each attempt again. A launch is never retried. */
export function connectCasino(options: ConnectionOptions & CasinoKey): Connection<CasinoClient> {
  // Transfers have their own key in the body, and repeating the other writes changes nothing.
  const repeatable = ({ path }: WireRequest) => !path.endsWith('/player/launch')
  return connected(casino, options, tenantSign(options), repeatable)
}

/**
 * Connects to the gateway. Endpoints that move or hold funds also need the header `authorization: Bearer …` from
 * `auth`.
 */
export function connectGateway(options: ConnectionOptions & { readonly apiKey: string }): Connection<GatewayClient> {
  return connected(gateway, options, keyInHeader('x-api-key', options.apiKey), isRepeatable)
}

/** Connects to the chat as a bot, with the API key of a server. */
export function connectChat(options: ConnectionOptions & { readonly apiKey: string }): Connection<ChatClient> {
  return connected(chat, options, keyInHeader('x-chat-apikey', options.apiKey), isRepeatable)
}

/** Returns the same client on an existing transport, without retries. */
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
  { baseUrl, retries = true }: ConnectionOptions,
  sign: Sign,
  repeatable: (request: WireRequest) => boolean,
): Connection<Client<C>> {
  const http = overHttp(baseUrl)
  const once = signed(http, sign)
  // Outside of the signing: each attempt needs its own nonce.
  const transport = retries
    ? retrying(once, { sleep: realSleep, now: realAmbient().now, random: Math.random, repeatable })
    : once
  return { client: createClient(contract, transport), close: () => http.close() }
}
