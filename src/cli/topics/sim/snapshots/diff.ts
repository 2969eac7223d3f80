import { nearest } from '../../../../kit/nearest.ts'
import { Problem } from '../../../../kit/problem.ts'
import type { EntityChange, SnapshotDiff } from '../../../../world/snapshots/diff.ts'
import { entities } from '../../../../world/snapshots/entities.ts'
import { changeCounts } from '../../../../world/snapshots/view.ts'
import type { CommandContext } from '../../../context/context.ts'
import { glyphsFor } from '../../../terminal/glyphs.ts'
import { openSnapshots } from './interrupted.ts'

interface DiffFlags {
  readonly entity?: readonly string[] | undefined
  readonly limit: number
}

/** Compares two snapshots, or one with the world as it is. */
export async function diffSnapshots(
  context: CommandContext,
  { from, to }: { readonly from: string; readonly to?: string | undefined },
  { entity = [], limit }: DiffFlags,
) {
  const wanted = entity.map(checkedEntity)
  const snapshots = await openSnapshots(context)
  const diff = await snapshots.diff(from, to)
  const changes = wanted.length === 0 ? diff.changes : diff.changes.filter((each) => wanted.includes(each.entity))
  const result = { from, to: to ?? 'now', changes: [...changes], balances: [...diff.balances] }
  print(context, result, limit)
  return result
}

function print(context: CommandContext, { changes, balances }: SnapshotDiff, limit: number): void {
  if (changes.length === 0 && balances.length === 0) {
    context.log('Nothing changed.')
    return
  }
  context.table(changeCounts(changes), [
    'entity',
    ...(['added', 'changed', 'removed'] as const).map((key) => ({ key, kind: 'count' as const })),
  ])
  if (balances.length > 0) {
    context.log()
    context.table(
      balances.map((row) => ({ ...row })),
      ['username', 'environment', 'currency', ...amounts],
    )
  }
  context.log()
  for (const change of changes.slice(0, limit)) context.log(lineOf(context, change))
  if (changes.length > limit)
    context.log(`… and ${changes.length - limit} more. To print them: --limit ${changes.length}, or --json`)
}

const amounts = (['before', 'after', 'delta'] as const).map((key) => ({ key, kind: 'amount' as const }))

const markers = { added: '+', changed: '~', removed: '-' } as const

/** Longest value in a line for people. */
const longestValue = 40

function lineOf({ settings }: CommandContext, { entity, id, change, fields }: EntityChange): string {
  const { arrow } = glyphsFor(process.stdout, settings.env)
  const head = `${markers[change]} ${entity} ${id}`
  if (change !== 'changed') return head
  const short = (value: string | number | null) => {
    const text = value === null ? '(none)' : String(value)
    return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
  }
  return [
    head,
    ...Object.entries(fields).map(
      ([name, { before, after }]) => `    ${name}: ${short(before)} ${arrow} ${short(after)}`,
    ),
  ].join('\n')
}

const names = [...new Set(Object.values(entities).map(({ name }) => name))]

function checkedEntity(name: string): string {
  if (names.includes(name)) return name
  const [near] = nearest(name, names, 1)
  const hint = near === undefined ? `; entities are ${names.join(', ')}` : `; did you mean ${JSON.stringify(near)}?`
  throw new Problem('INVALID_USAGE', `There is no entity ${JSON.stringify(name)}${hint}`)
}
