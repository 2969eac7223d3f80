import { expect, test } from 'vitest'
import { settlementFindings } from '../../../../src/operator/reconcile/settlement/breaks.ts'
import type { SettledDay } from '../../../../src/operator/reconcile/settlement/settle-day.ts'
import { statedSettings, stateSettings } from '../../../../src/operator/reconcile/settlement/table-settings.ts'
import { aBook } from '../../book-rows.ts'

type Finding = SettledDay['result']['findings'][number]

const aFinding = (over: Partial<Finding> = {}) =>
  ({
    ...{
      slipId: 'S1',
      rev: 1,
      player: 'Amy',
      currency: 'USD',
      tableId: 'DT-01',
      impossible: null,
      message: 'too much',
    },
    fields: [
      { field: 'payout', platform: '20', rules: '10', difference: '10' },
      { field: 'winLoss', platform: '10', rules: '0', difference: '9' },
    ],
    ...over,
  }) as Finding

const findingsOf = (findings: readonly Finding[], cleared: readonly string[] = []) =>
  settlementFindings({
    result: { date: '2026-03-10', timezone: 'UTC', findings } as unknown as SettledDay['result'],
    cleared: new Set(cleared),
  })

test('a slip is one break, with the win/loss and the text of its last wrong revision', () => {
  const last = aFinding({
    rev: 2,
    message: 'too little',
    fields: [{ field: 'rake', platform: '2', rules: '1', difference: '1' }],
  })
  const { detected } = findingsOf([aFinding(), aFinding({ slipId: 'S2' }), last])
  expect(detected).toMatchObject([
    {
      ...{ kind: 'settlement', subject: 'S1', date: '2026-03-10', player: 'amy', currency: 'USD', amount: null },
      message: 'Amy: slip S1 at DT-01, revision 2: too little',
    },
    { subject: 'S2', amount: '9', message: 'Amy: slip S2 at DT-01, revision 1: too much' },
  ])
  expect(detected[0]?.fingerprint).toBe(
    '[[1,null,[["payout","20","10"],["winLoss","10","0"]]],[2,null,[["rake","2","1"]]]]',
  )
})

test('a run covers the breaks of slips that are proven right', () => {
  const [looked] = findingsOf([], ['S1']).looked
  const covers = (subject: string) => looked?.covers({ subject } as never)
  expect([looked?.kind, covers('S1'), covers('S2')]).toEqual(['settlement', true, false])
})

test('settings are stated once, replaced, and forgotten, each with a sentence', async () => {
  const book = await aBook()
  const state = (tableId: string, settings: object | null) =>
    book.store.write((tx) => stateSettings(tx, new Map([[tableId, settings]]), 'dana'))
  expect(await state('NN-02', { commission: '0.05' })).toEqual(['NN-02: commission=0.05'])
  expect(await state('NN-02', { commission: '0.05' })).toEqual([])
  expect(await state('NN-01', { holdFactor: 3 })).toEqual(['NN-01: holdFactor=3'])
  expect(await state('NN-02', {})).toEqual(['NN-02: documented defaults'])
  expect([...(await book.store.read(statedSettings))]).toEqual([
    ['NN-01', { holdFactor: 3 }],
    ['NN-02', {}],
  ])
  expect(await state('NN-01', null)).toEqual(['NN-01: stated settings are forgotten'])
  expect(await state('NN-01', null)).toEqual([])
  expect([...(await book.store.read(statedSettings)).keys()]).toEqual(['NN-02'])
})
