import { describe, expect, test } from 'vitest'
import { prepared } from '../../src/db/prepared.ts'
import { engines } from '../support/databases/engines.ts'
import { probeOptions } from './probe.ts'

interface Counter {
  readonly series: string
  readonly value: number
}

describe.each(engines)('a prepared query on $name', (engine) => {
  let built = 0
  const insert = prepared((q, { value }: { value: number }, items: readonly Pick<Counter, 'series'>[]) => {
    built++
    return q.insertInto('store_counters').values(items.map(({ series }) => ({ series, value })))
  })
  const byValue = prepared((q, { least, series }: { least: number; series: string }) =>
    q
      .selectFrom('store_counters')
      .selectAll()
      .where('value', '>=', least)
      .where('series', '!=', series)
      .where('series', 'not in', ['x', 'y'])
      .orderBy('series'),
  )

  test('accepts new values each time, and is built once per length of its list', async () => {
    const store = await (await engine.database()).open(probeOptions)
    built = 0
    await store.write((tx) => insert(tx, { value: 1 }, [{ series: 'a' }, { series: 'b' }]))
    await store.write((tx) => insert(tx, { value: 2 }, [{ series: 'c' }, { series: 'd' }]))
    expect(built).toBe(1)
    await store.write((tx) => insert(tx, { value: 3 }, [{ series: 'x' }]))
    expect(built).toBe(2)
    const list = (least: number, series: string) =>
      store.read(async (reader) => (await byValue(reader, { least, series })).map((row) => [row.series, row.value]))
    expect(await list(1, 'b')).toEqual([
      ['a', 1],
      ['c', 2],
      ['d', 2],
    ])
    expect(await list(2, 'c')).toEqual([['d', 2]])
  })

  test('does not run if one of its values is missing', async () => {
    const store = await (await engine.database()).open(probeOptions)
    await expect(store.read((reader) => byValue(reader, { least: 1 } as never))).rejects.toThrow('no value for series')
  })
})
