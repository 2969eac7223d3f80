import type { EntityChange } from './diff.ts'
import type { Snapshot } from './snapshots.ts'

/** Returns a snapshot as commands and the desk show it. */
export function snapshotView({ name, savedAt, worldTime, slips, players }: Snapshot) {
  return {
    name,
    savedAt: new Date(savedAt).toISOString(),
    worldTime: new Date(worldTime).toISOString(),
    slips,
    players,
  }
}

/** Counts changes by entity. */
export function changeCounts(changes: readonly EntityChange[]) {
  return [...Map.groupBy(changes, ({ entity }) => entity)].map(([entity, of]) => {
    const count = (kind: EntityChange['change']) => of.filter(({ change }) => change === kind).length
    return { entity, added: count('added'), changed: count('changed'), removed: count('removed') }
  })
}
