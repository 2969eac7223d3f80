import { existsSync } from 'node:fs'
import { isDatabaseFile, passwordsIn, withoutPassword } from '../../../db/engines/database-name.ts'
import { countText } from '../../../kit/text/count-text.ts'
import {
  type BookCopy,
  backUpBook as backUp,
  type CopyWork,
  copyBook as copy,
  restoreBook as restore,
} from '../../../operator/book/copies/copies.ts'
import { bookHolders } from '../../../operator/book/holders.ts'
import { forgetHead } from '../../../world/clients/audit-head.ts'
import { bookUrlOf, databaseOf } from '../../../world/clients/book-location.ts'
import { factsOf } from '../../context/audit-trail.ts'
import type { CommandContext } from '../../context/context.ts'
import { noBook } from '../../context/no-book.ts'
import { checkDatedName, datedName } from '../../terminal/dated-name.ts'

interface ToFlags {
  readonly to: string
  readonly force: boolean
}

/** Backs up the book of the profile to a file. */
export async function backUpBook(context: CommandContext, file: string, { force }: { readonly force: boolean }) {
  const url = existingBook(context)
  checkDatedName('FILE', file)
  const path = datedName(file, { job: 'book', tenant: context.profile.name, date: today(), extension: 'db' })
  return shown(context, 'Backing up the book', (work) => backUp(work, { url, file: path, force }))
}

/** Makes a new book from a backup. */
export async function restoreBook(context: CommandContext, file: string, { to, force }: ToFlags) {
  const result = await shown(context, 'Restoring the book', (work) =>
    restore({ ...work, entry: entryOf(context, to) }, { file, to, force }),
  )
  forgetHead(context.settings, databaseOf(to))
  return result
}

/** Copies the book of the profile to another database. */
export async function copyBook(context: CommandContext, { to, force }: ToFlags) {
  const url = existingBook(context)
  await warnOfRuns(context, url)
  const result = await shown(context, 'Copying the book', (work) =>
    copy({ ...work, entry: entryOf(context, to) }, { url, to, force }),
  )
  forgetHead(context.settings, databaseOf(to))
  const isShown = passwordsIn(to).length === 0
  context.footnote(
    isShown
      ? `To use the copy: COUNTROOM_BOOK=${result.to}, or --book`
      : 'To use the copy, pass its address in COUNTROOM_BOOK or with --book',
  )
  return result
}

/** A new book is complete or not there at all, so its trail has one entry about that. */
function entryOf(context: CommandContext, to: string) {
  const subject = `${context.subject} --to ${withoutPassword(to)}`.trim()
  return { ...factsOf({ settings: context.settings, words: context.words, subject }, context.profile), outcome: 'ok' }
}

const today = () => new Date(Date.now()).toISOString().slice(0, 10)

function existingBook(context: CommandContext): string {
  const { settings, profile } = context
  const url = bookUrlOf(settings, profile)
  context.services.nameTarget({ book: url })
  if (isDatabaseFile(url) && !existsSync(url)) throw noBook('BOOK_NOT_FOUND', url, settings)
  return url
}

/** Rows that a running job writes after the copy began are not in it. */
async function warnOfRuns(context: CommandContext, url: string): Promise<void> {
  for (const { job, pid, host, command } of await bookHolders(url))
    context.warn(
      `Process ${pid} on ${host} (${command}) is running and holds the lock for ${job}. What it writes from now on is not in the copy: stop it before you use the copy`,
    )
}

async function shown(
  context: CommandContext,
  label: string,
  run: (work: CopyWork) => Promise<BookCopy>,
): Promise<BookCopy> {
  const progress = context.progress(label)
  const state = { total: 0, copied: 0, checked: 0 }
  try {
    const result = await run({
      now: Date.now,
      signal: context.stop,
      progress: {
        pages: (done, total) => progress.update(done, `of ${total} pages`),
        rows: {
          begin: (rows) => {
            state.total = rows
          },
          copied: (rows, table) => {
            state.copied += rows
            progress.update(state.copied, `of ${state.total} rows: ${table}`)
          },
          checked: (rows, table) => {
            state.checked += rows
            progress.update(state.checked, `of ${state.total} rows checked: ${table}`)
          },
        },
      },
    })
    const { from, to, rows, bytes, kept, tables } = result
    progress.end(`${countText(rows, 'row')} copied and checked`)
    // Under a scheduler a good backup is not worth a mail.
    if (context.screen.isQuiet) return result
    context.fields({ from, to, rows, ...(bytes === null ? {} : { bytes }), ...(kept === null ? {} : { kept }) })
    context.log()
    context.table(
      tables.filter((table) => table.rows > 0),
      ['table', { key: 'rows', kind: 'count' }, { key: 'sha256', show: (hash) => String(hash).slice(0, 16) }],
      'The book has no rows.',
    )
    return result
  } catch (error) {
    progress.end('stopped; nothing was kept')
    throw error
  }
}
