import { existsSync } from 'node:fs'
import { minuteText } from '../../../../kit/moment.ts'
import { Problem } from '../../../../kit/problem.ts'
import { snapshotName } from '../../../../world/snapshots/snapshots.ts'
import { snapshotView } from '../../../../world/snapshots/view.ts'
import type { CommandContext } from '../../../context/context.ts'
import { rememberNames } from '../../../framework/completion.ts'
import { outFile } from '../../../terminal/out-file.ts'
import { openSnapshots } from './interrupted.ts'

/** Saves a snapshot, and a portable file of it if one is named. */
export async function saveSnapshot(
  context: CommandContext,
  name: string,
  { out, force }: { readonly out?: string | undefined; readonly force: boolean },
) {
  const file = outFile(out, force)
  const snapshots = await openSnapshots(context)
  if (context.isDryRun) {
    if (await snapshots.has(name))
      throw new Problem(
        'CONFLICT',
        `Snapshot ${name} already exists. To delete it first: countroom sim snapshot delete ${name}`,
      )
    return { snapshot: null, file }
  }
  const snapshot = snapshotView(await snapshots.save(name))
  if (file !== null) await snapshots.export(file, name, force)
  context.fields({ ...snapshot, ...(file === null ? {} : { file }) }, snapshotColumns)
  context.footnote(`To come back to it: countroom sim snapshot load ${name}`)
  await remember(context)
  return { snapshot, file }
}

export async function listSnapshots(context: CommandContext) {
  const stored = await openSnapshots(context)
  const { snapshots: found, unreadable } = await stored.list()
  const snapshots = found.map(snapshotView)
  context.table(snapshots, snapshotColumns, 'No snapshots. To create one: countroom sim snapshot save before')
  for (const name of unreadable)
    context.warn(`${name} cannot be read and is not listed. To delete it: countroom sim snapshot delete ${name}`)
  const last = await stored.lastLoad()
  const loaded = last && { name: last.name, at: new Date(last.at).toISOString() }
  if (loaded) context.footnote(`The world was last loaded from ${loaded.name}, ${minuteText(loaded.at)}`)
  await remember(context)
  return { snapshots, loaded }
}

export async function loadSnapshot(context: CommandContext, source: string) {
  const snapshots = await openSnapshots(context)
  const isName = snapshotName.test(source)
  if (!isName && !existsSync(source))
    throw new Problem(
      'NOT_FOUND',
      `There is no file ${source}, and a snapshot's name has letters, digits, hyphens and underscores only. To list the snapshots: countroom sim snapshot list`,
    )
  if (context.isDryRun) {
    const { worldTime, slips, players } = isName ? await snapshots.named(source) : await snapshots.inFile(source)
    const data = { loaded: source, worldTime: new Date(worldTime).toISOString(), slips, players }
    context.fields(data)
    return data
  }
  const info = await snapshots.load(isName ? { name: source } : { file: source })
  const { slips, players } = info
  const data = { loaded: source, worldTime: new Date(info.worldTime).toISOString(), slips, players }
  context.fields(data, ['loaded', { key: 'worldTime', title: 'world time' }, 'slips', 'players'])
  return data
}

export async function deleteSnapshot(context: CommandContext, name: string) {
  const snapshots = await openSnapshots(context)
  await snapshots.find(name)
  if (!context.isDryRun) {
    await snapshots.delete(name)
    await remember(context)
  }
  context.fields({ deleted: name })
  return { deleted: name }
}

const snapshotColumns = [
  'name',
  { key: 'savedAt', title: 'saved', whole: true },
  { key: 'worldTime', title: 'world time', whole: true },
  { key: 'slips', kind: 'count' as const },
  { key: 'players', kind: 'count' as const },
]

async function remember(context: CommandContext): Promise<void> {
  const { snapshots } = await context.services.world()
  const names = (await snapshots.list()).snapshots.map(({ name }) => name)
  rememberNames(context.settings.paths, 'snapshots', names)
}
