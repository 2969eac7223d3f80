import { Type } from 'typebox'
import type { SnapshotDiff } from '../../snapshots/diff.ts'
import { changeCounts, snapshotView } from '../../snapshots/view.ts'
import { action } from './action.ts'
import { maybeText, text } from './fields.ts'

const name = text('Name', { maxLength: 60 })

/** Maximum number of changes that a comparison shows; the command's `--json` has all. */
const maxChanges = 200

/** Result of a comparison. */
export interface SnapshotComparison extends SnapshotDiff {
  readonly from: string
  /** Name of a snapshot, or "now". */
  readonly to: string
  /** Number of all changes; `changes` has the first of them. */
  readonly changed: number
  readonly counts: ReturnType<typeof changeCounts>
}

export const snapshotActions = {
  'snapshot.save': action({
    title: 'Save',
    summary: 'Saves the whole world under a name, with its files and the time of its clock.',
    input: Type.Object({ name }),
    commands: [{ words: 'sim snapshot save', args: ['name'] }],
    run: async ({ world }, input) => snapshotView(await world.snapshots.save(input.name)),
  }),
  'snapshot.load': action({
    title: 'Load',
    summary:
      'Replaces the content of the world by the snapshot. Everything since then is lost, unless you save it first.',
    input: Type.Object({ name }),
    commands: [{ words: 'sim snapshot load', args: ['name'] }],
    isDangerous: true,
    // Nothing may follow in this request: it began before the load, so a further transaction would run it again.
    async run({ world }, input) {
      const { worldTime, slips, players } = await world.snapshots.load({ name: input.name })
      return { loaded: input.name, worldTime: new Date(worldTime).toISOString(), slips, players }
    },
  }),
  'snapshot.delete': action({
    title: 'Delete',
    summary: 'Deletes the snapshot. The world stays as it is.',
    input: Type.Object({ name }),
    commands: [{ words: 'sim snapshot delete', args: ['name'] }],
    isDangerous: true,
    async run({ world }, input) {
      await world.snapshots.delete(input.name)
      return { deleted: input.name }
    },
  }),
  'snapshot.diff': action({
    title: 'Compare',
    summary: 'Shows what changed since the snapshot, or between two.',
    input: Type.Object({
      from: text('Snapshot before', { maxLength: 60 }),
      to: maybeText('Snapshot after, or now', { maxLength: 60 }),
    }),
    commands: [{ words: 'sim snapshot diff', args: ['from'], optionalArgs: ['to'] }],
    async run({ world }, { from, to }): Promise<SnapshotComparison> {
      const { changes, balances } = await world.snapshots.diff(from, to)
      const counts = changeCounts(changes)
      return { from, to: to ?? 'now', changed: changes.length, counts, balances, changes: changes.slice(0, maxChanges) }
    },
  }),
}
