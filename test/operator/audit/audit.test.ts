import { describe, expect, onTestFinished, test } from 'vitest'
import { chained } from '../../../src/domain/audit/chain.ts'
import {
  allEntries,
  appendEntry,
  hasEntry,
  listEntries,
  verifyChain,
  verifyEntries,
} from '../../../src/operator/audit/audit.ts'
import { type Book, openBook } from '../../../src/operator/book/book.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'

const facts = {
  operator: 'beth',
  osUser: 'ops',
  host: 'desk-1',
  profile: 'house',
  command: 'wallet deposit',
  subject: 'amy 250.50 USD',
  run: 'R1',
  outcome: 'started',
}

describe.each([sqliteFile, postgres])('an audit trail in a book on $name', (engine) => {
  const aBook = async (): Promise<Book> => {
    const { url = ':memory:' } = await engine.database()
    const book = await openBook(url)
    onTestFinished(() => book.close())
    return book
  }

  const withEntries = async (count: number) => {
    const book = await aBook()
    for (let i = 1; i <= count; i++) await appendEntry(book, { ...facts, subject: `entry ${i}` })
    return book
  }

  test('is valid with entries that were appended concurrently', async () => {
    const book = await aBook()
    await Promise.all(Array.from({ length: 20 }, (_, i) => appendEntry(book, { ...facts, run: `R${i}` })))
    const check = await verifyChain(book)
    expect(check).toMatchObject({ entries: 20, fault: null, unfinished: 20, head: { seq: 20 } })
  })

  test.each([0, 1])('is valid with %i entries', async (entries) => {
    expect(await verifyChain(await withEntries(entries))).toMatchObject({
      entries,
      fault: null,
      head: { seq: entries },
    })
  })

  test('counts the runs without an outcome', async () => {
    const book = await aBook()
    for (const [run, outcome] of [
      ['R1', 'started'],
      ['R2', 'started'],
      ['R1', 'ok'],
    ] as const)
      await appendEntry(book, { ...facts, run, outcome })
    expect(await verifyChain(book)).toMatchObject({ entries: 3, fault: null, unfinished: 1 })
  })

  test.each([
    [
      'changed',
      'Entry 3 was changed',
      (book: Book) =>
        book.store.write(({ q }) => q.updateTable('book_audit').set({ operator: 'x' }).where('seq', '=', 3).execute()),
    ],
    [
      'moved in time',
      'Entry 3 was changed',
      (book: Book) =>
        book.store.write(({ q }) => q.updateTable('book_audit').set({ at: 1 }).where('seq', '=', 3).execute()),
    ],
    [
      'removed',
      'Entry 3 is missing',
      (book: Book) => book.store.write(({ q }) => q.deleteFrom('book_audit').where('seq', '=', 3).execute()),
    ],
    [
      'inserted',
      'Entry 0 was inserted',
      (book: Book) =>
        book.store.write(({ q }) =>
          q
            .insertInto('book_audit')
            .values({ ...row, seq: 0 })
            .execute(),
        ),
    ],
  ])('names the first entry that was %s', async (_, message, tamper) => {
    const book = await withEntries(5)
    await tamper(book)
    const { fault } = await verifyChain(book)
    expect(fault?.message).toContain(message)
  })

  test('whose last entries were removed is found by the stored end, also after more entries', async () => {
    const book = await withEntries(5)
    await book.store.write(({ q }) => q.deleteFrom('book_audit').where('seq', '>', 3).execute())
    const message = 'Entries 4 to 5 are missing: the chain ends with 3, and the end stored in the book is 5'
    expect((await verifyChain(book)).fault).toEqual({ seq: 4, message })
    await appendEntry(book, { ...facts, subject: 'other' })
    expect((await verifyChain(book)).fault?.message).toBe('Entry 4 is missing: entry 6 is the next one')
  })

  test('whose last entries were removed together with the stored end is found by an end kept elsewhere', async () => {
    const book = await withEntries(5)
    const { head } = await verifyChain(book)
    const kept = [{ head }]
    expect((await verifyChain(book, kept)).fault).toBeNull()
    // A run that was killed between its entry and the kept end leaves that end behind the trail.
    await appendEntry(book, { ...facts, subject: 'killed' })
    expect((await verifyChain(book, kept)).fault).toBeNull()
    await book.store.write(({ q }) => q.deleteFrom('book_audit').where('seq', '>', 3).execute())
    await book.store.write(({ q }) => q.deleteFrom('book_audit_head').execute())
    expect((await verifyChain(book)).fault?.message).toBe('The end stored in the book was removed')
    for (const i of [4, 5, 6]) await appendEntry(book, { ...facts, subject: `other ${i}` })
    expect((await verifyChain(book)).fault).toBeNull()
    expect((await verifyChain(book, kept)).fault?.seq).toBe(5)
  })

  test('of one entry without the stored end is not valid', async () => {
    const book = await withEntries(1)
    await book.store.write(({ q }) => q.deleteFrom('book_audit_head').execute())
    expect((await verifyChain(book)).fault).toEqual({ seq: 1, message: 'The end stored in the book was removed' })
  })

  test('is compared with every end that was kept, and the furthest is missed first', async () => {
    const book = await withEntries(3)
    const { head } = await verifyChain(book)
    const other = { head: { ...head, hash: '0'.repeat(64) } }
    const faultWith = async (...kept: Parameters<typeof verifyEntries>[1]) =>
      (await verifyEntries(allEntries(book), kept)).fault
    const rewritten = 'Entry 3 is not the one that was last'
    expect(await faultWith(other)).toEqual({ seq: 3, message: `${rewritten}: the chain was written again` })
    expect(await faultWith({ ...other, source: 'a note' })).toEqual({
      seq: 3,
      message: `${rewritten} by a note: the chain was written again`,
    })
    const at = (seq: number) => ({ head: { ...head, seq } })
    const missing = { seq: 4, message: 'Entries 4 to 6 are missing: the chain ends with 3' }
    for (const kept of [
      [at(4), at(6), at(5)],
      [at(6), at(5), at(4)],
      [at(5), at(4), at(6)],
    ])
      expect(await faultWith(...kept)).toEqual(missing)
    expect(await faultWith(at(4))).toEqual({ seq: 4, message: 'Entry 4 is missing: the chain ends with 3' })
  })

  test('has an entry only with its number and its hash', async () => {
    const book = await withEntries(2)
    const { head } = await verifyChain(book)
    expect(await hasEntry(book, head)).toBe(true)
    expect(await hasEntry(book, { ...head, seq: 1 })).toBe(false)
    expect(await hasEntry(book, { ...head, seq: 3 })).toBe(false)
    expect(await hasEntry(book, { ...head, hash: '0'.repeat(64) })).toBe(false)
  })

  test('with an entry that was appended by hand is found by the stored end', async () => {
    const book = await withEntries(2)
    const { head } = await verifyChain(book)
    const { osUser, ...more } = chained({ ...facts, seq: 3, at: new Date(1).toISOString() }, head.hash)
    await book.store.write(({ q }) =>
      q
        .insertInto('book_audit')
        .values({ ...more, at: 1, os_user: osUser })
        .execute(),
    )
    expect((await verifyChain(book)).fault?.message).toBe('Entry 3 was inserted: the end stored in the book is 2')
  })

  test('is listed newest first, by person, command and time, and read in order', async () => {
    const book = await aBook()
    await appendEntry(book, facts)
    await appendEntry(book, { ...facts, operator: 'ops', command: 'wallet apply' })
    const last = await appendEntry(book, { ...facts, operator: 'carl', osUser: 'carl', command: 'players lock' })
    const seqs = async (filter: object, limit = 10) => (await listEntries(book, filter, limit)).map(({ seq }) => seq)
    expect(await seqs({})).toEqual([3, 2, 1])
    expect(await seqs({}, 2)).toEqual([3, 2])
    expect(await seqs({ operator: 'ops' })).toEqual([2, 1])
    expect(await seqs({ operator: 'beth' })).toEqual([1])
    expect(await seqs({ command: 'wallet' })).toEqual([2, 1])
    expect(await seqs({ command: 'wallet apply' })).toEqual([2])
    expect(await seqs({ command: 'wall' })).toEqual([])
    expect((await seqs({ since: Date.parse(last.at) }))[0]).toBe(3)
    expect(await seqs({ since: Date.parse(last.at) + 1 })).toEqual([])
    const whole: number[] = []
    for await (const batch of allEntries(book)) whole.push(...batch.map(({ seq }) => seq))
    expect(whole).toEqual([1, 2, 3])
  })
})

const row = {
  at: 1,
  operator: 'x',
  os_user: 'x',
  host: 'x',
  profile: 'x',
  command: 'x',
  subject: 'x',
  run: 'x',
  outcome: 'ok',
  previous: 'x',
  hash: 'x',
}
