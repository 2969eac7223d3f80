import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type AuditEntry,
  type AuditFacts,
  beforeFirst,
  chained,
  emptyHead,
  entryFields,
  faultAfter,
  headOf,
  headText,
} from '../../../src/domain/audit/chain.ts'

const facts = (seq: number): AuditFacts => ({
  seq,
  at: `2026-03-01T00:00:0${seq}.000Z`,
  operator: 'beth',
  osUser: 'ops',
  host: 'desk-1',
  profile: 'house',
  command: 'wallet deposit',
  subject: 'amy 250.50 USD',
  run: '01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
  outcome: 'started',
})

function chainOf(count: number): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let seq = 1; seq <= count; seq++) entries.push(chained(facts(seq), entries.at(-1)?.hash ?? beforeFirst))
  return entries
}

/** Checks a whole chain as a reader does. */
function firstFault(entries: readonly AuditEntry[]) {
  let head = emptyHead
  for (const entry of entries) {
    const fault = faultAfter(head, entry)
    if (fault) return fault
    head = entry
  }
  return undefined
}

test('the hash of an entry is the SHA-256 of the JSON list of its fields and the previous hash', () => {
  const [first] = chainOf(1)
  const list =
    '[1,"2026-03-01T00:00:01.000Z","beth","ops","desk-1","house","wallet deposit","amy 250.50 USD","01JQ7Z6Y3V8T2M9K4H5N0B1C2D","started","' +
    '0000000000000000000000000000000000000000000000000000000000000000"]'
  expect(first?.hash).toBe(createHash('sha256').update(list).digest('hex'))
  expect(first?.previous).toBe('0'.repeat(64))
})

describe('a chain', () => {
  test('that is unchanged has no fault', () => {
    expect(firstFault(chainOf(5))).toBeUndefined()
  })

  test.each(Object.keys(facts(1)).filter((field) => field !== 'seq'))(
    'with another %s in an entry names it',
    (field) => {
      const entries = chainOf(5)
      entries[2] = { ...(entries[2] as AuditEntry), [field]: 'other' }
      expect(firstFault(entries)).toEqual({ seq: 3, message: 'Entry 3 was changed: its contents do not have its hash' })
    },
  )

  test('with an entry whose hash was computed again names the next one', () => {
    const entries = chainOf(5)
    entries[2] = chained({ ...facts(3), operator: 'mallory' }, entries[1]?.hash ?? '')
    expect(firstFault(entries)?.seq).toBe(4)
  })

  test.each([0, 1, 3])('without the entry after %s names the missing one', (before) => {
    const entries = chainOf(5).toSpliced(before, 1)
    expect(firstFault(entries)).toEqual({
      seq: before + 1,
      message: `Entry ${before + 1} is missing: entry ${before + 2} is the next one`,
    })
  })

  test('with an entry in the place of another names it', () => {
    const entries = chainOf(5)
    entries[3] = chained(facts(4), 'f'.repeat(64))
    expect(firstFault(entries)?.seq).toBe(4)
  })

  test('with an entry before the first, or a duplicate, names it', () => {
    const entries = chainOf(2)
    expect(firstFault([chained(facts(0), beforeFirst), ...entries])?.seq).toBe(0)
    expect(firstFault([...entries, ...entries.slice(1)])?.seq).toBe(2)
  })
})

test('a head is printed and parsed', () => {
  const head = { seq: 412, hash: 'ab'.repeat(32) }
  expect(headOf(headText(head))).toEqual(head)
  for (const text of ['', '412', '412:', `412:${'AB'.repeat(32)}`, `-1:${'ab'.repeat(32)}`, `1:${'ab'.repeat(31)}a`])
    expect(headOf(text), text).toBeUndefined()
})

test('an export has the pinned fields in their order, and the host and the run', () => {
  const pinned = 'seq at operator osUser profile command subject outcome previous hash'.split(' ')
  expect(entryFields.filter((field) => field !== 'host' && field !== 'run')).toEqual(pinned)
  expect([entryFields.indexOf('host'), entryFields.indexOf('run')]).toEqual([4, 8])
})
