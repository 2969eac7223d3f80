import { base } from './base.ts'
import type { MeView, RulesView, SessionView, SlipView, TableEntry, TableView } from './views.ts'

/** A refusal from the server. */
export class Refusal extends Error {
  readonly code: string
  readonly detail: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, detail: Readonly<Record<string, unknown>>) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** The page's requests, in one session. */
export interface Api {
  readonly session: string
  me(): Promise<MeView>
  table(id: string): Promise<TableEntry>
  rules(id: string): Promise<RulesView>
  bet(
    id: string,
    input: { roundId: string; variant: string; bets: Readonly<Record<string, string>>; onlyFirst?: boolean },
  ): Promise<TableView>
  seat(id: string, input: { roundId: string; buyIn: string | null }): Promise<TableView>
  decide(id: string, input: { roundId: string; moment: string; does: 'bet' | 'pass' }): Promise<TableView>
  turn(id: string, input: { roundId: string; action: number; does: string; to?: string }): Promise<TableView>
  slips(before?: string): Promise<{ slips: SlipView[]; hasMore: boolean }>
  /** Time, stakes and result of the session. */
  totals(): Promise<SessionView>
  leave(): Promise<{ left: boolean }>
}

const timeoutMs = 10_000

export function openApi(session: string): Api {
  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    let reply: Response
    try {
      reply = await fetch(`${base}/play/v1${path}`, {
        method,
        headers: { 'x-session': session, ...(body ? { 'content-type': 'application/json' } : {}) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch {
      throw new Refusal('OFFLINE', '', {})
    }
    const data = await reply.json().catch(() => ({}))
    if (reply.ok) return data as T
    const { code = 'INTERNAL_ERROR', message = '', details = [] } = data.error ?? {}
    throw new Refusal(code, message, details[0] ?? {})
  }
  const at = (id: string, resource: string) => `/tables/${encodeURIComponent(id)}/${resource}`
  return {
    session,
    me: () => ask('GET', '/me'),
    rules: (id) => ask('GET', at(id, 'rules')),
    table: (id) => ask('GET', `/tables/${encodeURIComponent(id)}`),
    bet: (id, input) => ask('PUT', at(id, 'bets'), input),
    seat: (id, input) => ask('PUT', at(id, 'seat'), input),
    decide: (id, input) => ask('POST', at(id, 'decision'), input),
    turn: (id, input) => ask('POST', at(id, 'turn'), input),
    slips: (before) => ask('GET', `/slips${before === undefined ? '' : `?before=${before}`}`),
    totals: () => ask('GET', '/session'),
    leave: () => ask('POST', '/leave', {}),
  }
}
