import { describe, expect, test } from 'vitest'
import type { Book } from '../../../../src/operator/book/book.ts'
import { closeByFile, closeRowsFromCsv } from '../../../../src/operator/reconcile/breaks/close-file.ts'
import { breakNamed, recordBreaks } from '../../../../src/operator/reconcile/breaks/store.ts'
import { aBook, allBreaks } from '../../book-rows.ts'

async function aBookWithBreaks(...subjects: readonly string[]): Promise<{ book: Book; ids: string[] }> {
  const book = await aBook()
  const finding = { kind: 'daily', date: null, player: null, currency: null, amount: null, message: 'm' } as const
  const detected = subjects.map((subject) => ({ ...finding, subject, fingerprint: 'x', detail: {} }))
  const run = { id: 'r', who: 'reconcile daily' }
  const { breaks } = await book.store.write((tx) => recordBreaks(tx, run, { detected, looked: [] }))
  return { book, ids: breaks.map(({ id }) => id) }
}

const close = async (book: Book, csv: string, isPartial = false, isDryRun = false) =>
  closeByFile(book, await closeRowsFromCsv(csv), 'dana', { isPartial, isDryRun })
const states = async (book: Book) => (await allBreaks(book)).map(({ state }) => state).sort()

describe('a file of breaks to close', () => {
  test('closes each with its own reason and note', async () => {
    const { book, ids } = await aBookWithBreaks('a', 'b')
    const csv = `break,reason,note\n${ids[0]?.toUpperCase()},TIMING,\n${ids[1]},other,"asked, case 1"\n`
    expect((await close(book, csv)).rows).toMatchObject([{ id: ids[0], reason: 'timing' }, { id: ids[1] }])
    expect(await states(book)).toEqual(['closed', 'closed'])
    expect((await breakNamed(book, ids[1] ?? '')).events.at(-1)).toMatchObject({
      ...{ who: 'dana', what: 'closed', text: 'other: asked, case 1' },
    })
  })

  test('is refused with all errors, and closes nothing', async () => {
    const { book, ids } = await aBookWithBreaks('a', 'b')
    const csv = `break,reason,note\n${ids[0]},timing,\n${ids[0]},timing,\nx,nope,\ndaily-000,other,\n${ids[1]},timing,a,b\n`
    await expect(close(book, csv)).rejects.toMatchObject({
      code: 'INVALID_FILE',
      detail: {
        problems: [
          { line: 3, message: `${ids[0]} is already in line 2` },
          {
            line: 4,
            message: expect.stringMatching(/^"x" is not a break ID; "nope" is not a reason; valid reasons: /),
          },
          { line: 5, message: 'break daily-000 not found; the reason "other" requires a note' },
          { line: 6, message: 'more cells than columns; put a note that contains a comma in quotes' },
        ],
      },
    })
    expect(await states(book)).toEqual(['open', 'open'])
  })

  test('closes the valid ones on request, and returns the rest', async () => {
    const { book, ids } = await aBookWithBreaks('a', 'b')
    const csv = `break,reason\n${ids[0]},timing\ndaily-000,timing\n`
    expect(await close(book, csv, true, true)).toMatchObject({ rows: [{ state: 'closed' }], refused: [{ line: 3 }] })
    expect(await states(book)).toEqual(['open', 'open'])
    expect(await close(book, csv, true)).toMatchObject({ rows: [{ id: ids[0] }], refused: [{ line: 3 }] })
    expect(await states(book)).toEqual(['closed', 'open'])
  })

  test('with only closed breaks is a conflict', async () => {
    const { book, ids } = await aBookWithBreaks('a')
    const csv = `break,reason\n${ids[0]},timing\n`
    await close(book, csv)
    for (const isPartial of [false, true])
      await expect(close(book, csv, isPartial)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/^Line 2: \S+ is already closed; to change the reason, reopen it/),
      })
  })

  test.each([
    ['', /has no breaks/],
    ['break,reason\n', /has no breaks/],
    ['break,because\nx,y\n', /unknown column "because"; valid columns: break, reason, note/],
    ['break,note\nx,y\n', /no column "reason"/],
    ['break,reason,reason\nx,y,z\n', /the column "reason" twice/],
    [
      'who,note,note,when\na,b,c,d\n',
      /no column "break", no column "reason", the column "note" twice, unknown columns "who", "when"; valid/,
    ],
  ])('%j is refused as a whole', async (csv, message) => {
    await expect(closeRowsFromCsv(csv)).rejects.toThrow(message)
  })
})
