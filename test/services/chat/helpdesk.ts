import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import type { ChatPlan } from '../../../src/db/schema/chat.ts'
import { openStore, type Store } from '../../../src/db/store.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import type { Transport } from '../../../src/http/contract/wire-types.ts'
import { openServer, type Server } from '../../../src/http/server/server.ts'
import { seededAmbient } from '../../../src/kit/ambient.ts'
import type { Log } from '../../../src/kit/log.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import { chatCredentials, createAgent, createChatTenant } from '../../../src/services/chat/admin.ts'
import { agent, chat, widget } from '../../../src/services/chat/api/contract.ts'
import { openChat } from '../../../src/services/chat/open.ts'
import { chatRoutes } from '../../../src/services/chat/server/routes.ts'
import { chatServices } from '../../../src/services/chat/server/server.ts'
import type { Chat, ChatMail } from '../../../src/services/chat/service.ts'

let helpdesks = 0

/** A chat in process with a manual clock. */
export interface Helpdesk {
  readonly app: Chat
  readonly server: Server
  readonly clock: { now: number }
  /** Unexpected errors in the log; a test with any of them has failed. */
  readonly failures: string[]
  /** Emails to customers. */
  readonly mails: ChatMail[]
}

export async function aHelpdesk(
  options: {
    store?: (now: () => number) => Promise<Store>
    rateLimits?: boolean
    url?: string
    mediaFolder?: string
    closeWithinMs?: number
    detachStreams?: boolean
    /** Two helpdesks of one seed create the same rooms. */
    seed?: string
  } = {},
): Promise<Helpdesk> {
  const clock = { now: Date.UTC(2026, 2, 1, 8) }
  const now = () => clock.now
  const store = options.store
    ? await options.store(now)
    : await openStore({ url: options.url ?? ':memory:', migrations: world, now })
  const mediaFolder = options.mediaFolder ?? mkdtempSync(join(tmpdir(), 'countroom-media-'))
  const failures: string[] = []
  const mails: ChatMail[] = []
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (detail, message) => failures.push(`${message}: ${JSON.stringify(detail)}`),
  }
  const app = openChat({
    ...(options.seed === undefined
      ? seededAmbient(`desk ${++helpdesks}`, { now, run: helpdesks })
      : seededAmbient(options.seed, { now })),
    store,
    log,
    machineNow: now,
    mail: async (_, mail) => void mails.push(mail),
    config: { publicUrl: () => 'http://127.0.0.1:8787', rateLimits: options.rateLimits ?? false, mediaFolder },
  })
  const server = openServer({
    services: chatServices(app),
    routes: chatRoutes(app),
    log,
    detachStreams: options.detachStreams ?? true,
    ...(options.closeWithinMs === undefined ? {} : { closeWithinMs: options.closeWithinMs }),
  })
  onTestFinished(async () => {
    await server.close()
    if (!options.store) await store.close()
    rmSync(mediaFolder, { recursive: true, force: true })
    expect(failures).toEqual([])
  })
  return { app, server, clock, failures, mails }
}

/** A chat whose database responds late on request, so that other work runs at the worst moment. */
export async function aLateHelpdesk(options: Omit<Parameters<typeof aHelpdesk>[0] & object, 'store'> = {}) {
  let wait: Promise<void> | undefined
  let held = Promise.withResolvers<void>()
  let everyMs = 0
  let next: (() => Promise<unknown>) | undefined
  const helpdesk = await aHelpdesk({
    ...options,
    async store(now) {
      const store = await openStore({ url: ':memory:', migrations: world, now })
      onTestFinished(() => store.close())
      return {
        ...store,
        async read(work) {
          if (wait !== undefined) held.resolve()
          await wait
          if (everyMs > 0) await setTimeout(everyMs)
          const value = await store.read(work)
          await next?.()
          return value
        },
      }
    },
  })
  return {
    helpdesk,
    /** Delays every read until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = Promise.withResolvers()
      wait = promise
      return () => {
        wait = undefined
        resolve()
      }
    },
    /** Resolves when a read waits since the last hold. */
    hasHeld: (): Promise<void> => held.promise,
    /** Runs work after each read from now on, before the caller continues. */
    afterLook(work: (() => Promise<unknown>) | undefined): void {
      next = work
    },
    /** Delays each read by this duration from now on. */
    slow(ms: number): void {
      everyMs = ms
    },
  }
}

export interface Merchant {
  readonly code: string
  readonly apiKey: string
  readonly tenantKey: string
  readonly identitySecret: string
  readonly agentId: string
  readonly agentToken: string
  readonly bot: ReturnType<typeof botClient>
  readonly agent: ReturnType<typeof agentClient>
}

let merchants = 0

export async function aMerchant(
  helpdesk: Helpdesk,
  options: { plan?: ChatPlan; code?: string } = {},
): Promise<Merchant> {
  const code = options.code ?? `M${++merchants}`
  await createChatTenant(helpdesk.app, { code, plan: options.plan ?? 'pro' })
  const { agentId, agentToken } = await createAgent(helpdesk.app, code, 'Desk 1')
  const keys = await chatCredentials(helpdesk.app, code)
  if (!keys?.apiKey) throw new Error('no keys')
  return {
    code,
    apiKey: keys.apiKey,
    tenantKey: keys.tenantKey,
    identitySecret: keys.identitySecret,
    agentId,
    agentToken,
    bot: botClient(helpdesk, keys.apiKey),
    agent: agentClient(helpdesk, agentToken),
  }
}

function withHeaders(transport: Transport, extra: Record<string, string>): Transport {
  return (request) => transport({ ...request, headers: { ...request.headers, ...extra } })
}

export function botClient(helpdesk: Pick<Helpdesk, 'server'>, apiKey: string) {
  return createClient(chat, withHeaders(inProcess(helpdesk.server), { 'x-chat-apikey': apiKey }))
}

export function agentClient(helpdesk: Pick<Helpdesk, 'server'>, token: string) {
  return createClient(agent, withHeaders(inProcess(helpdesk.server), { 'x-chat-agenttoken': token }))
}

export function widgetClient(
  helpdesk: Helpdesk,
  tenantKey: string,
  roomToken?: string,
  headers: Record<string, string> = {},
) {
  return createClient(
    widget,
    withHeaders(inProcess(helpdesk.server), {
      'x-chat-tenant-key': tenantKey,
      ...(roomToken === undefined ? {} : { 'x-chat-room-token': roomToken }),
      ...headers,
    }),
  )
}

/** Checks that the call is refused with that code; returns the refusal. */
export async function refuses(code: string, call: Promise<unknown>) {
  const outcome = await call.then(
    () => 'went well',
    (error: unknown) => error,
  )
  if (!isProblem(outcome)) throw new Error(`not refused with ${code}: ${String(outcome)}`, { cause: outcome })
  expect({ code: outcome.code, message: outcome.message }).toMatchObject({ code })
  return outcome
}

/** Returns the raw response of a call, for its status and headers. */
export function raw(
  helpdesk: Helpdesk,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS',
  path: string,
  headers: Record<string, string>,
  body?: unknown,
) {
  return helpdesk.server.inject({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}
