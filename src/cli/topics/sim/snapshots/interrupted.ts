import { interruptedText } from '../../../../world/snapshots/interrupted.ts'
import type { Snapshots } from '../../../../world/snapshots/snapshots.ts'
import type { CommandContext } from '../../../context/context.ts'

/** Opens the snapshots of the local world, after what a killed run left is removed and an interrupted load is reported. */
export async function openSnapshots(context: CommandContext): Promise<Snapshots> {
  const { snapshots } = await context.services.world()
  // A dry run changes nothing, so it leaves this to the next run.
  if (!context.isDryRun) await reportInterruptedLoad(context, snapshots)
  return snapshots
}

/** Warns of a load that was killed: which content the world has, and what to do. */
export async function reportInterruptedLoad(context: CommandContext, snapshots: Snapshots): Promise<void> {
  const load = await snapshots.recover()
  if (load !== null) context.warn(interruptedText(load))
}
