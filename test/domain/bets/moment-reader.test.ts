import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMomentReader } from '../../../src/domain/bets/moment-reader.ts'

/** Texts that differ from the first one in one respect. */
const texts = [
  '2026-03-10T12:34:56.789Z',
  '2026-03-10T12:34:00.000Z',
  '2026-03-10T12:34:59.999Z',
  '2026-03-10T12:34:60.000Z',
  '2026-03-10T12:34:5a.789Z',
  '2026-03-10T12:34:a6.789Z',
  '2026-03-10T12:34:/6.789Z',
  '2026-03-10T12:34:50.789Z',
  '2026-03-10T12:34:56.789Z\n',
  '2026-03-10T12:34:56,789Z',
  '2026-03-10T12:34:56.7:9Z',
  '2026-03-10T12:34:56./89Z',
  '2026-03-10T12:34:56.78 Z',
  '2026-03-10T12:34:56.789z',
  '2026-03-10T12:34:56.789',
  '2026-03-10T12:34:56.7890Z',
  '2026-03-10T12:34:56Z',
  '2026-03-10T12:34:56.7Z',
  '2026-03-10T12:35:56.789Z',
  '2026-03-10T12:34:56.789+08:00',
  '2026-03-10T24:00:00.000Z',
  '2026-03-10T23:59:59.999Z',
  '2026-02-29T12:34:56.789Z',
  '2026-02-31T12:34:56.789Z',
  '2026-13-01T12:34:56.789Z',
  'Tue, 10 Mar 2026 12:34:5',
  'none',
  'none yet, but 24 letters',
  '',
]

test('a reader gives what Date.parse gives, whatever it read before', () => {
  const read = createMomentReader()
  for (const before of texts)
    for (const text of texts) {
      read(before)
      expect(read(text), `${text} after ${before}`).toBe(Date.parse(text))
    }
})

test('a reader gives the times of any sequence', () => {
  const aTime = fc.integer({ min: 0, max: 4e12 })
  const nearby = fc.tuple(aTime, fc.array(fc.integer({ min: 0, max: 180_000 })))
  fc.assert(
    fc.property(nearby, ([begin, steps]) => {
      const read = createMomentReader()
      for (const step of steps) expect(read(new Date(begin + step).toISOString())).toBe(begin + step)
    }),
  )
})
