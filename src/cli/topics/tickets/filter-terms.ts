import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import type { TicketFilter } from '../../../operator/tickets/bulk/filter.ts'
import { durationMs } from '../../arguments/moments.ts'
import { checkedIds } from '../chat/ids.ts'
import { priorityFrom } from '../chat/priority.ts'
import type { filterFlags } from './filter-flags.ts'

/** A ticket filter, as a line of terms: `status=open form=general stale=24h needs-reply keyword="lost card"`. */

const withValue = ['status', 'form', 'account', 'keyword', 'priority', 'id', 'older', 'stale', 'assignee'] as const
const alone = ['mine', 'unassigned', 'needs-reply', 'reopened', 'snoozed'] as const

/** Converts the flags to terms. */
export function termsOfFlags(
  flags: {
    readonly [Name in keyof typeof filterFlags]?: boolean | string | undefined
  },
): string[] {
  const terms = alone.filter((name) => flags[name] === true)
  return flags.stale === undefined ? terms : [...terms, `stale=${flags.stale}`]
}

/** Parses the terms of one or more lines. */
export function filterFrom(lines: readonly string[]): TicketFilter {
  const values = new Map<string, string>()
  const flags = new Set<string>()
  for (const term of lines.flatMap(termsIn)) {
    const at = term.indexOf('=')
    const name = at < 0 ? term : term.slice(0, at)
    const isKnown = (at < 0 ? alone : withValue).some((known) => known === name)
    if (!isKnown) throw unknownTerm(name, at >= 0)
    const value = term.slice(at + 1)
    if (at >= 0 && /^[,\s]*$/.test(value)) throw new Problem('INVALID_USAGE', `The filter term ${name}= has no value`)
    if (at < 0) flags.add(name)
    else if (values.has(name)) throw new Problem('INVALID_USAGE', `The filter has the term ${name}= twice`)
    else values.set(name, value)
  }
  const list = (name: string) => (values.get(name) ?? '').split(',').flatMap((each) => each.trim() || [])
  const span = (name: string) => {
    const text = values.get(name)
    const ms = text === undefined ? undefined : durationMs(text)
    if (text !== undefined && ms === undefined)
      throw new Problem('INVALID_USAGE', `The filter term ${name}= must be a duration such as 24h; received ${text}`)
    return ms
  }
  const staleMs = span('stale')
  if (flags.has('mine') && values.has('assignee'))
    throw new Problem('INVALID_USAGE', 'The filter has both mine and assignee=; use one of them')
  if (values.has('id') && values.has('keyword'))
    throw new Problem('INVALID_USAGE', 'The filter has both id= and keyword=; a keyword searches all tickets')
  return {
    statuses: list('status'),
    formCode: values.get('form'),
    customerAccount: values.get('account'),
    keyword: values.get('keyword'),
    priorities: list('priority').map(priorityFrom),
    ids: checkedIds(list('id'), 'ticket'),
    olderMs: span('older'),
    assignee: flags.has('mine') ? 'me' : values.get('assignee'),
    rest: {
      ...(flags.has('needs-reply') ? { needsReply: true } : {}),
      ...(flags.has('unassigned') ? { unassigned: true } : {}),
      ...(flags.has('reopened') ? { reopened: true } : {}),
      ...(flags.has('snoozed') ? { snoozed: true } : values.has('id') ? { includesSnoozed: true } : {}),
      ...(staleMs === undefined ? {} : { staleMs }),
    },
  }
}

/** Splits at spaces outside double quotes, and removes the quotes. */
function termsIn(line: string): string[] {
  if ((line.match(/"/g)?.length ?? 0) % 2 === 1)
    throw new Problem('INVALID_USAGE', `The filter has an unclosed quote: ${line}`)
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([term]) => term.replaceAll('"', ''))
}

function unknownTerm(name: string, hasValue: boolean): Problem {
  const known: readonly string[] = [...withValue, ...alone]
  const isMisused = known.includes(name)
  const near = nearest(name, known, 1)[0]
  const hint = isMisused
    ? hasValue
      ? `${name} takes no value`
      : `${name} needs a value: ${name}=…`
    : near === undefined
      ? `valid terms: ${known.join(', ')}`
      : `did you mean ${near}?`
  return new Problem('INVALID_USAGE', `Invalid filter term "${name}"; ${hint}`, { term: name, nearest: near })
}
