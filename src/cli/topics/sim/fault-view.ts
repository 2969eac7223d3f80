import {
  answerFaults,
  callbackFaults,
  certainty,
  defaultForMs,
  defaultStatus,
  isCallbackFault,
} from '../../../domain/faults.ts'
import { minuteText } from '../../../kit/moment.ts'
import type { SetFault } from '../../../world/faults.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'

/** A fault in the output of commands. */
export function faultView(fault: SetFault) {
  const { id, kind, service, endpoint, times, every, until, met, hits, createdAt } = fault
  return {
    id,
    kind,
    service: service ?? 'any',
    endpoint: endpoint ?? '*',
    code: fault.code,
    does: meaningOf(fault),
    often: oftenOf(fault),
    times,
    every,
    chance: String(fault.chance / certainty),
    until: until === null ? null : new Date(until).toISOString(),
    met,
    hits,
    state: fault.isOver ? ('over' as const) : ('set' as const),
    createdAt: new Date(createdAt).toISOString(),
  }
}

export function faultViewSchema({ Type }: Shapes) {
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  return Type.Object({
    id: Type.Integer(),
    kind: Type.String(),
    service: Type.String({ description: 'casino, gateway, chat, callbacks, or any service.' }),
    endpoint: Type.String(),
    code: orNull(Type.String({ description: 'Error code of the kind refuse.' })),
    does: Type.String(),
    often: Type.String(),
    times: orNull(Type.Integer()),
    every: Type.Integer(),
    chance: Type.String({ description: 'Probability from 0 to 1.' }),
    until: orNull(Type.String()),
    met: Type.Integer({ description: 'Number of matching requests or callbacks.' }),
    hits: Type.Integer({ description: 'Number of times the fault was applied.' }),
    state: Type.Enum(['set', 'over']),
    createdAt: Type.String(),
  })
}

export const faultColumns: readonly (Column | string)[] = [
  { key: 'id', kind: 'count' },
  'kind',
  'service',
  'endpoint',
  'often',
  { key: 'met', title: 'matches', kind: 'count' },
  { key: 'hits', title: 'applied', kind: 'count' },
  'state',
]

/** Returns the message about active faults that a served world prints on stderr; undefined without faults. */
export function faultsNote(faults: readonly SetFault[], areAllowed: boolean): string | undefined {
  const set = faults.filter(({ isOver }) => !isOver)
  if (set.length === 0) return undefined
  const descriptions = set.map((fault) => {
    const { id, kind, service, endpoint } = faultView(fault)
    return `${id} ${kind} ${service} ${endpoint} ${oftenOf(fault)}`
  })
  return areAllowed
    ? `Injected faults are active: ${descriptions.join('; ')}`
    : `Faults are set but inactive, because other machines can reach this world (allow them with --allow-faults): ${descriptions.join('; ')}`
}

function oftenOf({ times, every, chance, until }: SetFault): string {
  const parts = [
    ...(every === 1 ? [] : [`every ${ordinal(every)}`]),
    ...(chance === certainty ? [] : [`with probability ${chance / certainty}`]),
    ...(times === null ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(until === null ? [] : [`until ${minuteText(until)}`]),
  ]
  return parts.length === 0 ? 'always' : parts.join(', ')
}

function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`
}

function meaningOf({ kind, forMs, status, code: refusal, retryAfterSeconds }: SetFault): string {
  const { means } = isCallbackFault(kind) ? callbackFaults[kind] : answerFaults[kind]
  const defaultMs = kind in defaultForMs ? defaultForMs[kind as keyof typeof defaultForMs] : undefined
  const ms = forMs ?? defaultMs
  const code = status ?? (kind === 'status' || kind === 'html' ? defaultStatus[kind] : null)
  const more = [
    ...(ms === undefined ? [] : [`${ms / 1000} s`]),
    ...(code === null ? [] : [String(code)]),
    ...(refusal === null ? [] : [refusal]),
    ...(retryAfterSeconds === null ? [] : [`Retry-After ${retryAfterSeconds}`]),
  ]
  return more.length === 0 ? means : `${means} (${more.join(', ')})`
}
