import type { Store, Tx } from '../../db/store.ts'
import { minuteText } from '../../kit/moment.ts'
import { quoted } from '../../kit/shell-quote.ts'
import { removeUnknownFiles } from '../../services/chat/media/portable-files.ts'
import { saveWorld, worldItself } from '../clock.ts'

/** A load of a snapshot whose process was killed before the load ended. */
export interface InterruptedLoad {
  /** Name of the snapshot, or path of the portable file. */
  readonly source: string
  /** Machine time at which it began. */
  readonly at: number
  /** True if the content of the world is that of the snapshot; false if it is the content from before the load. */
  readonly isLoaded: boolean
}

/** Returns the text that says which content the world has after an interrupted load, and what to do. */
export function interruptedText({ source, at, isLoaded }: InterruptedLoad): string {
  const load = `The load of the snapshot ${source} that began ${minuteText(at)} was interrupted`
  return isLoaded
    ? `${load} after its last step. The world has all of the snapshot: there is nothing to do`
    : `${load}. The world is as it was before it, and has nothing of the snapshot. To load it: countroom sim snapshot load ${quoted(source)}`
}

/** A load that is running: kept in the world's own row, in the old content and in the new one. */
export interface RunningLoad {
  readonly source: string
  readonly at: number
  /** Name of the timeline that it begins. */
  readonly line: string
}

export async function saveRunningLoad(tx: Tx, load: RunningLoad | null): Promise<void> {
  await saveWorld(tx, { loading: load && JSON.stringify(load) })
}

/**
 * Returns the load that was interrupted, if any, and clears its record. Deletes files of the chat that it wrote for
 * rows that the world does not have. Call it while no load is running.
 */
export async function endInterruptedLoad(store: Store, mediaFolder: string): Promise<InterruptedLoad | null> {
  if ((await store.read(worldItself)).loading === null) return null
  return store.write(async (tx) => {
    const { loading, timeline } = await worldItself(tx)
    if (loading === null) return null
    const { source, at, line }: RunningLoad = JSON.parse(loading)
    // In the transaction that reads the rows: an upload stores its row before its file.
    await removeUnknownFiles(mediaFolder, tx)
    await saveRunningLoad(tx, null)
    return { source, at, isLoaded: timeline === line }
  })
}
