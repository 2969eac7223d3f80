import { describe, expect, test } from 'vitest'
import type { BatchItem, KnownPlayer } from '../../../src/domain/wallet/batch.ts'
import { isProblem, Problem } from '../../../src/kit/problem.ts'
import { cancelTransferBatch } from '../../../src/operator/transfers/batch-decisions.ts'
import { type TransferFile, transfersFrom } from '../../../src/operator/transfers/batch-file.ts'
import { storeBatch, transferBatch } from '../../../src/operator/transfers/batches.ts'
import {
  draftRows,
  forecastFaults,
  newPlayersIn,
  refuseDuplicate,
  refuseFaulty,
  usedFaults,
  withPlatformNames,
} from '../../../src/operator/transfers/draft-batch.ts'
import { aBook } from '../book-rows.ts'

const ann = { name: 'ann', osUser: 'root', host: 'here' }

const fileOf = (...lines: readonly string[]): Promise<TransferFile> =>
  transfersFrom(Buffer.from(['username,dir,amount,currency,txnId', ...lines].join('\n')), {
    ...{ name: 'payday.csv', dir: undefined, currency: undefined, repeats: false },
  })

const players = new Map<string, KnownPlayer>([
  ['amy', { username: 'Amy', status: 'active', currency: 'USD', balance: '10' }],
])

/** Returns the code of a refusal with its lines, or of the whole file. */
async function refusalOf(check: () => void | Promise<void>) {
  try {
    await check()
  } catch (error) {
    if (!isProblem(error)) throw error
    const problems = error.detail['problems'] as { line: number; message: string }[] | undefined
    return { code: error.code, problems: problems?.map(({ line, message }) => [line, message]) }
  }
  return undefined
}

describe('the rows of a batch', () => {
  test('keep given IDs, and get the others from the ID of the batch and their position', async () => {
    const file = await fileOf('amy,in,1,USD,', 'bob,in,2,USD,own-1', 'eve,in,3,USD,')
    expect(draftRows(file, 'P').map(({ place, line, txnId }) => [place, line, txnId])).toEqual([
      [1, 2, 'P-0001'],
      [2, 3, 'own-1'],
      [3, 4, 'P-0003'],
    ])
  })

  test("have the names in the platform's spelling, and new players once", async () => {
    const file = await fileOf('AMY,in,1,USD,', 'Zoe,in,2,USD,', 'ZOE,in,3,USD,')
    const rows = withPlatformNames(draftRows(file, 'P'), players)
    expect(rows.map(({ username }) => username)).toEqual(['Amy', 'Zoe', 'ZOE'])
    expect(newPlayersIn(rows, players)).toEqual(['zoe'])
  })
})

test('rejections that the platform would send now are reported with their lines, and unknown names with similar ones', async () => {
  const file = await fileOf('amy,out,10.5,USD,', 'bibi,in,1,USD,', 'amy,in,1,USD,')
  const faults = forecastFaults(file, players, { creates: false, knownNames: ['bibo', 'george'] })
  expect(await refusalOf(() => refuseFaulty(file, faults))).toEqual({
    code: 'INSUFFICIENT_BALANCE',
    problems: [
      [2, 'amy would have 10 USD at that point, not 10.5'],
      [3, 'player bibi does not exist; did you mean bibo?'],
    ],
  })
  const deposits = await fileOf('bibi,in,1,USD,')
  expect(forecastFaults(deposits, players, { creates: true, knownNames: [] })).toEqual([])
  expect(await refusalOf(() => refuseFaulty(deposits, []))).toBeUndefined()
})

test('errors of the file and of the platform come together, by line, without a balance that an invalid row leaves unknown', async () => {
  const file = await fileOf('amy,in,five,USD,', 'bibi,in,1,USD,', 'amy,out,50,USD,', 'eve,in,,USD,')
  const faults = [...file.faults, ...forecastFaults(file, players, { creates: false, knownNames: [] })]
  const refusal = await refusalOf(() => refuseFaulty(file, faults))
  expect([refusal?.code, refusal?.problems?.map(([line]) => line)]).toEqual(['INVALID_FILE', [2, 3, 5]])
  const one = await fileOf('bibi,in,1,USD,', 'amy,in,five,USD,')
  const platformFirst = [...forecastFaults(one, players, { creates: false, knownNames: [] }), ...one.faults]
  expect((await refusalOf(() => refuseFaulty(one, platformFirst)))?.code).toBe('INVALID_FILE')
})

test('errors of the file are reported also if the platform cannot be asked', async () => {
  const file = await fileOf('amy,in,five,USD,', 'bob,in,1,USD,')
  const away = new Problem('REMOTE_UNAVAILABLE', 'No response')
  expect(() => refuseFaulty(file, file.faults, away)).toThrow(
    /1 of 2 rows are invalid.*Line 2: .*The platform was not asked about the other rows: No response \(REMOTE_UNAVAILABLE\)$/s,
  )
})

describe('earlier transfers in the book', () => {
  async function aBookWith(rows: readonly BatchItem[]) {
    const book = await aBook()
    await storeBatch(
      book,
      {
        ...{ planId: 'P', companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
        ...{ sourceSha256: 'first', note: null, creates: false, by: ann, rows },
      },
      { again: false },
    )
    return book
  }

  test('reject the transfers of an earlier batch, unless they are allowed again', async () => {
    const file = await fileOf('amy,in,1,USD,')
    const book = await aBookWith(draftRows(file, 'P'))
    const check = (sourceSha256: string, again: boolean) =>
      refusalOf(() => refuseDuplicate(book, { sourceSha256, rows: draftRows(file, 'Q'), again }))
    expect(await check('first', false)).toMatchObject({ code: 'PLAN_EXISTS' })
    // The same transfers in another file.
    expect(await check('second', false)).toMatchObject({ code: 'PLAN_EXISTS' })
    expect(await check('first', true)).toBeUndefined()
    await cancelTransferBatch(book, await transferBatch(book, 'P'), ann)
    expect(await check('first', false)).toBeUndefined()
  })

  test('reject used transfer IDs with their lines', async () => {
    const book = await aBookWith(draftRows(await fileOf('amy,in,1,USD,own-1', 'bob,in,1,USD,own-2'), 'P'))
    const file = await fileOf('eve,in,5,USD,', 'eve,in,7,USD,own-2', 'eve,in,9,USD,own-3')
    const used = await usedFaults(book, file)
    expect(await refusalOf(() => refuseFaulty(file, used))).toEqual({
      code: 'TXN_CONFLICT',
      problems: [[3, 'the transfer ID own-2 is already in batch P']],
    })
  })
})
