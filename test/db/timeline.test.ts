import { expect, test } from 'vitest'
import { createBatches } from '../../src/db/batches.ts'
import { currentTimeline, Timeline } from '../../src/db/timeline.ts'
import { refuses } from '../support/worlds/people.ts'

function aTimeline() {
  const timeline = new Timeline()
  timeline.seen('first')
  return timeline
}

/** A transaction that reads the name of the line. */
const transaction = (timeline: Timeline, name: string) => timeline.seen(name)()

test('a request that sees another line runs again from its beginning, after the listeners', async () => {
  const timeline = aTimeline()
  const order: string[] = []
  timeline.onChange(() => order.push('adopted'))
  const result = await timeline.run(async () => {
    order.push('began')
    transaction(timeline, order.length === 1 ? 'first' : 'second')
    if (order.length === 1) transaction(timeline, 'second')
    return timeline.name
  })
  expect(result).toBe('second')
  expect(order).toEqual(['began', 'adopted', 'began'])
})

test('a job that sees another line is dropped, and what belongs to no request is refused', async () => {
  const timeline = aTimeline()
  const work = async () => {
    transaction(timeline, 'second')
    return 'done'
  }
  expect(await timeline.runOnce(work, 'dropped')).toBe('dropped')
  expect(await timeline.runOnce(work, 'dropped')).toBe('done')
  await refuses('TIMELINE_CHANGED', (async () => transaction(timeline, 'third'))())
  expect(() => transaction(timeline, 'third')).not.toThrow()
})

test('a listener that fails fails the next request, and the one after it tries again', async () => {
  const timeline = aTimeline()
  let failures = 1
  timeline.onChange(async () => {
    if (failures-- > 0) throw new Error('the database is away')
  })
  timeline.seen('second')
  await expect(timeline.run(async () => 1)).rejects.toThrow('the database is away')
  expect(await timeline.run(async () => 2)).toBe(2)
  expect(failures).toBe(-1)
})

test('what a request has started, such as a stream, continues after a change', async () => {
  const timeline = aTimeline()
  const { promise: change, resolve: changed } = Promise.withResolvers<void>()
  let stream: Promise<unknown> = Promise.resolve()
  await timeline.run(async () => {
    transaction(timeline, 'first')
    stream = change.then(() => currentTimeline())
  })
  timeline.seen('second')
  changed()
  expect(await stream).toBe(undefined)
})

test('requests of two lines share no batch, and one whose line is over adds nothing to it', async () => {
  const timeline = aTimeline()
  const batches: string[][] = []
  const add = createBatches<string, string>(10, async (take) => {
    await Promise.resolve()
    const items = [...take()]
    batches.push(items)
    return items
  })
  const { promise: change, resolve: changed } = Promise.withResolvers<void>()
  let runs = 0
  const late = timeline.run(async () => {
    runs += 1
    if (runs === 1) {
      transaction(timeline, 'first')
      await change
    }
    return add(`late ${runs}`)
  })
  const early = timeline.run(() => add('early'))
  timeline.seen('second')
  const next = timeline.run(() => add('next'))
  changed()
  expect(await Promise.all([early, late, next])).toEqual(['early', 'late 2', 'next'])
  expect(batches.flat()).not.toContain('late 1')
  expect(batches.find((batch) => batch.includes('early'))).toEqual(['early'])
})
