import { Type } from 'typebox'
import { Problem } from '../../../kit/problem.ts'
import type { SnapshotDiff } from '../../snapshots/diff.ts'
import { interruptedText } from '../../snapshots/interrupted.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import { changeCounts, snapshotView } from '../../snapshots/view.ts'
import { type ActionDependencies, action } from './action.ts'
import { maybeText, text } from './fields.ts'

const nameOf = text('Name', { maxLength: 60 })

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

/** Runs an action on the snapshots. A load that was killed is reported with its result, as the commands do. */
async function onSnapshots<Result extends object>(
  { world }: ActionDependencies,
  run: (snapshots: Snapshots) => Promise<Result>,
): Promise<Result & { readonly warning?: string }> {
  // The action itself removes what killed runs left.
  const load = await world.snapshots.recover({ sweeps: false })
  if (load === null) return run(world.snapshots)
  const warning = interruptedText(load)
  try {
    return { ...(await run(world.snapshots)), warning }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The load is reported once, so also with a failure.
    throw new Problem(error.code, `${error.message}. ${warning}`, error.detail, { cause: error })
  }
}

export const snapshotActions = {
  'snapshot.save': action({
    title: 'Save',
    summary: 'Saves the whole world under a name, with its files and the time of its clock.',
    input: Type.Object({ name: nameOf }),
    commands: [{ words: 'sim snapshot save', args: ['name'] }],
    run: (dependencies, { name }) =>
      onSnapshots(dependencies, async (snapshots) => snapshotView(await snapshots.save(name))),
  }),
  'snapshot.load': action({
    title: 'Load',
    summary:
      'Replaces the content of the world by the snapshot. Everything since then is lost, unless you save it first.',
    input: Type.Object({ name: nameOf }),
    commands: [{ words: 'sim snapshot load', args: ['name'] }],
    isDangerous: true,
    // Nothing may follow in this request: it began before the load, so a further transaction would run it again.
    run: (dependencies, { name }) =>
      onSnapshots(dependencies, async (snapshots) => {
        const { worldTime, slips, players } = await snapshots.load({ name })
        return { loaded: name, worldTime: new Date(worldTime).toISOString(), slips, players }
      }),
  }),
  'snapshot.delete': action({
    title: 'Delete',
    summary: 'Deletes the snapshot. The world stays as it is.',
    input: Type.Object({ name: nameOf }),
    commands: [{ words: 'sim snapshot delete', args: ['name'] }],
    isDangerous: true,
    run: (dependencies, { name }) =>
      onSnapshots(dependencies, async (snapshots) => {
        await snapshots.delete(name)
        return { deleted: name }
      }),
  }),
  'snapshot.diff': action({
    title: 'Compare',
    summary: 'Shows what changed since the snapshot, or between two.',
    input: Type.Object({
      from: text('Snapshot before', { maxLength: 60 }),
      to: maybeText('Snapshot after, or now', { maxLength: 60 }),
    }),
    commands: [{ words: 'sim snapshot diff', args: ['from'], optionalArgs: ['to'] }],
    run: (dependencies, { from, to }) =>
      onSnapshots(dependencies, async (snapshots): Promise<SnapshotComparison> => {
        const { changes, balances } = await snapshots.diff(from, to)
        const counts = changeCounts(changes)
        const shown = changes.slice(0, maxChanges)
        return { from, to: to ?? 'now', changed: changes.length, counts, balances, changes: shown }
      }),
  }),
}
