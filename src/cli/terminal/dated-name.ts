import { existsSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder } from '../../kit/make-folder.ts'
import { Problem } from '../../kit/problem.ts'
import { outFile } from './out-file.ts'

/** Parts of a file name that a command makes. */
export interface NameParts {
  /** The command, such as `reconcile daily`. */
  readonly job: string
  readonly tenant: string
  /** A day, or `FROM_TO`. */
  readonly date: string
  /** Without its dot. */
  readonly extension: string
}

/** Returns whether a name depends on the date: it is a folder, or contains `{date}`. */
export function isDated(name: string): boolean {
  return name.includes('{date}') || isFolder(name)
}

/**
 * Returns the file for a name that a person gave: a file, a folder, or a name with `{date}`. In a folder the name consists of job,
 * tenant and date. A dated name that is taken gets a number (`-2`), unless it may be overwritten: a job that runs again must
 * neither fail nor replace what was reported before.
 */
export function datedName(name: string, parts: NameParts, mayOverwrite = false): string {
  if (!isDated(name)) return name
  const { job, tenant, date, extension } = parts
  const path = isFolder(name)
    ? join(name, `${slug(job)}-${slug(tenant)}-${date}.${extension}`)
    : name.replaceAll('{date}', date)
  if (mayOverwrite || !existsSync(path)) return path
  const [, stem = path, end = ''] = /^(.*?)(\.[^./\\]+)?$/s.exec(path) ?? []
  for (let number = 2; ; number++) {
    const next = `${stem}-${number}${end}`
    if (!existsSync(next)) return next
  }
}

/** Checks a dated name before any request: its placeholder and its folder. A folder named with a slash at its end is created. */
export function checkDatedName(label: string, name: string): void {
  checkPlaceholders(label, name)
  if (!isDated(name)) return
  if (isFolder(name)) writing(name, () => makeFolder(resolve(name)))
  else outFile(name, true)
}

/** Refuses any other placeholder: it would become part of the name, the same every night. */
function checkPlaceholders(label: string, name: string): void {
  const [unknown] = [...name.matchAll(/\{(\w*)\}/g)].filter(([, word]) => word !== 'date')
  if (unknown)
    throw new Problem('INVALID_USAGE', `${label} has the unknown placeholder ${unknown[0]}; only {date} is supported`, {
      name,
    })
}

function isFolder(name: string): boolean {
  return (
    name.endsWith('/') ||
    name.endsWith(sep) ||
    (statSync(resolve(name), { throwIfNoEntry: false })?.isDirectory() ?? false)
  )
}

/** Returns a text as a part of a file name. */
const slug = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
