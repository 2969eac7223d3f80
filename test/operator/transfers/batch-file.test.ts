import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUnits, playerScale } from '../../../src/domain/money.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import { type FileOptions, transfersFrom as readTransfers } from '../../../src/operator/transfers/batch-file.ts'
import { refuseFaulty } from '../../../src/operator/transfers/draft-batch.ts'

const usual: FileOptions = { name: 'payday.csv', dir: undefined, currency: undefined, repeats: false }
/** Reads a file that is used only if all of its rows are valid. */
async function transfersFrom(bytes: Uint8Array, options: FileOptions) {
  const file = await readTransfers(bytes, options)
  refuseFaulty(file, file.faults)
  return file
}

const read = async (text: string, options: Partial<FileOptions> = {}) =>
  (await transfersFrom(Buffer.from(text), { ...usual, ...options })).rows

/** Errors as [line, code] pairs; the message if it concerns the whole file. */
async function faultsOf(text: string | Uint8Array, options: Partial<FileOptions> = {}) {
  try {
    await transfersFrom(typeof text === 'string' ? Buffer.from(text) : text, { ...usual, ...options })
  } catch (error) {
    if (!isProblem(error, 'INVALID_FILE')) throw error
    const problems = error.detail['problems'] as { line: number; field: string; code: string }[] | undefined
    return problems?.map(({ line, field }) => [line, field]) ?? error.message
  }
  return []
}

describe('the same transfers', () => {
  const rows = fc.uniqueArray(
    fc.record({
      username: fc.stringMatching(/^[A-Za-z0-9_.@-]{1,32}$/),
      dir: fc.constantFrom('in' as const, 'out' as const),
      amount: fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map((units) => formatUnits(units, playerScale)),
      currency: fc.constant('USD'),
      txnId: fc.option(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/), { nil: undefined }),
      note: fc.option(
        fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text && !/\p{Cc}/u.test(text)),
        { nil: null },
      ),
    }),
    { minLength: 1, maxLength: 8, selector: ({ username }) => username.toLowerCase() },
  )

  test('are read from CSV, signed CSV, semicolons and tabs, a JSON list and lines of JSON', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (transfers) => {
        fc.pre(
          new Set(transfers.flatMap(({ txnId }) => txnId ?? [])).size ===
            transfers.flatMap(({ txnId }) => txnId ?? []).length,
        )
        const titles = ['username', 'dir', 'amount', 'currency', 'txnId', 'note'] as const
        const records = transfers.map((row) => titles.map((title) => row[title] ?? ''))
        // If semicolons separate the columns, a point before three digits may separate thousands.
        const whole = records.map((record) =>
          record.map((cell, i) =>
            titles[i] === 'amount' && cell.includes('.') ? cell.padEnd(cell.indexOf('.') + 5, '0') : cell,
          ),
        )
        const signed = transfers.map(({ dir, amount, txnId, note, username }) => [
          ...[note ?? '', dir === 'out' ? `-${amount}` : amount, username, 'usd', txnId ?? ''],
        ])
        const texts = [
          stringify([[...titles], ...records]),
          `\uFEFF${stringify([[...titles], ...whole], { record_delimiter: 'windows', delimiter: ';' })}`,
          stringify([['User', ' Dir', 'AMOUNT', 'Cur', 'txn_id', 'Note'], ...records], { delimiter: '\t' }),
          stringify([['note', 'amount', 'player', 'currency', 'txn id'], ...signed]),
          JSON.stringify(transfers),
          JSON.stringify({ transfers }, null, 2),
          transfers.map((row) => JSON.stringify(row)).join('\n\n'),
        ]
        for (const text of texts)
          expect(
            (await read(text)).map(({ line: _line, ...row }) => row),
            text,
          ).toEqual(transfers)
      }),
      { numRuns: 60 },
    )
  })

  test('keep their line numbers', async () => {
    const csv = 'username,amount,currency,note\n\namy,1,USD,"a ""b"""\n,,,\nbob,02.50,usd,\n'
    expect(await read(csv)).toMatchObject([
      { line: 3, username: 'amy', dir: 'in', amount: '1', note: 'a "b"' },
      { line: 5, username: 'bob', dir: 'in', amount: '2.5', currency: 'USD', note: null },
    ])
    expect(
      (await read('{"user":"amy","amount":"1","cur":"USD"}\n\n{"user":"bob","amount":"1","cur":"USD"}')).map(
        ({ line }) => line,
      ),
    ).toEqual([1, 3])
  })

  test('may leave direction and currency to the flags, and may not contradict them', async () => {
    const bare = 'username,amount\namy,5\n'
    expect(await read(bare, { dir: 'out', currency: 'eur' })).toMatchObject([
      { dir: 'out', amount: '5', currency: 'EUR' },
    ])
    expect(await faultsOf(bare)).toMatch(/no column "currency"; add it, or pass --currency/)
    const csv = 'username,dir,amount,currency\namy,in,5,USD\nbob,deposit,-5,USD\ncho,sideways,5,USD\n'
    expect(await faultsOf(csv)).toEqual([
      [3, 'amount'],
      [4, 'dir'],
    ])
    expect(await faultsOf('username,dir,amount,currency\namy,in,5,USD\n', { dir: 'out', currency: 'EUR' })).toEqual([
      [2, 'dir'],
      [2, 'currency'],
    ])
    expect(await faultsOf('username,amount,currency\namy,-5,USD\n', { dir: 'in' })).toEqual([[2, 'amount']])
  })
})

describe('all errors are reported at once, with their lines', () => {
  test('row by row and between rows', async () => {
    const text = [
      'username,amount,currency,txnId,note',
      'amy,"1,000",USD,,',
      'b b,10,USD,x y,',
      ',0,,,',
      'bob,10,USDOLLAR,,',
      'amy,5,USD,t1,',
      'AMY,5,EUR,t1,',
      'cho,7,USD,,',
      'CHO,7.0,usd,,',
      'dee,5,USD,t2,note,more',
      `eve,5,USD,,${'n'.repeat(201)}`,
      'fay,1e3,USD,,',
      'gil,１,USD,,',
    ].join('\n')
    expect(await faultsOf(text)).toEqual([
      [2, 'amount'],
      [3, 'username'],
      [3, 'txnId'],
      [4, 'username'],
      [4, 'amount'],
      [4, 'currency'],
      [5, 'currency'],
      [7, 'txnId'],
      [7, 'currency'],
      [9, 'row'],
      [10, 'row'],
      [11, 'note'],
      [12, 'amount'],
      [13, 'amount'],
    ])
  })

  test('a duplicate row is accepted with its own ID, or with --allow-duplicates', async () => {
    const rows = 'username,amount,currency,txnId\namy,5,USD,a\nAmy,5.0,usd,b\n'
    expect(await read(rows)).toHaveLength(2)
    const bare = rows.replace(',a\n', ',\n').replace(',b\n', ',\n')
    expect(await faultsOf(bare)).toEqual([[3, 'row']])
    expect(await read(bare, { repeats: true })).toHaveLength(2)
  })

  test('a note is one line of whole characters', async () => {
    const noted = (note: string) => `[{"username":"amy","amount":"1","currency":"USD","note":"${note}"}]`
    for (const note of ['a\\nb', 'a\\u0000b', '\\ud800'])
      expect(await faultsOf(noted(note)), note).toEqual([[1, 'note']])
    expect(await read(noted('\\ud83d\\ude00 薪水'))).toMatchObject([{ note: '😀 薪水' }])
  })

  test.each([
    ['-0', 'must be above zero'],
    ['+5', 'has a sign although the direction is given; write 5'],
    ['−5', 'has a typographic minus: write -5'],
    [
      '1e3',
      'is in scientific notation, which spreadsheets use for large numbers and may lose digits: write all digits',
    ],
    ['1.234,56', 'has separators between its digits: write 1234.56 if that is meant'],
    ['1,234.5', 'has separators between its digits: write 1234.5 if that is meant'],
    ["1'234'567", 'has separators between its digits: write 1234567 if that is meant'],
    ['1 234,50', 'has separators between its digits: write 1234.50 if that is meant'],
    ['12,5', 'has separators between its digits: write 12.5 if that is meant'],
    ['1,234', 'can mean 1234 or 1.234: write the one that is meant'],
    ['1,234.567,8', 'must be a decimal above zero with at most 15 digits before the point and 4 after it'],
    ['1.23456', 'has more than 4 decimals'],
    ['0,500', 'has a decimal comma: write 0.500'],
    ['-1.234,56', 'write -1234.56 if that is meant'],
    ['-1,234', 'can mean -1234 or -1.234'],
    ['.5', 'starts with a decimal point: write 0.5'],
    ['(5.00)', 'is in parentheses, an accounting form of negative amounts: write it with a minus'],
    ['5 USD', 'contains more than an amount: write only digits and one decimal point'],
    ['１', 'has digits of another script: write it with 0 to 9'],
  ])('an amount written %s is rejected with the right form', async (amount, advice) => {
    const text = `username,dir,amount,currency\namy,in,"${amount}",USD\n`
    const error = await transfersFrom(Buffer.from(text), usual).catch((fault) => fault)
    expect(error.message).toContain(advice)
    expect(error.detail.problems).toMatchObject([{ line: 2, field: 'amount' }])
  })

  test("in a spreadsheet's format: the separator of columns, empty rows and columns, and a point that may separate thousands", async () => {
    for (const separatorLine of ['sep=;', '"sep=;"', '\uFEFFSEP=; '])
      expect(
        await read(`${separatorLine}\r\nusername;amount;currency;;\r\namy;1,5;USD;;\r\n`).catch(
          ({ detail }) => detail.problems,
        ),
        separatorLine,
      ).toMatchObject([{ line: 3, field: 'amount' }])
    expect(await read('sep=\t\nuser\tamount\tcur\namy\t5\tUSD\n\n\t\t\n\n')).toMatchObject([{ line: 3, amount: '5' }])
    const open = 'username;amount;currency\namy;1.234;USD\nbob;5;USD\n'
    const error = await transfersFrom(Buffer.from(open), usual).catch((fault) => fault)
    expect(error.message).toContain('Line 2: the amount 1.234 is ambiguous in a file with semicolons')
    expect(error.message).toContain('write 1234, or 1.2340')
    // A number with separated thousands is no evidence of the format.
    expect(await faultsOf(open.replace('5', '2.345,5'))).toEqual([
      [2, 'amount'],
      [3, 'amount'],
    ])
    expect(await read(open.replace('5', '5.5'))).toMatchObject([{ amount: '1.234' }, { amount: '5.5' }])
    expect(await read(open.replaceAll(';', ','))).toMatchObject([{ amount: '1.234' }, {}])
    // An unclosed quote consumes rows: the error names it, and not the amount.
    const swallowed = 'username,amount,currency\nbob,2,USD\n"amy,1,USD\ncho,""1"",USD\ndee",5,USD\neve,5,USD\n'
    expect(await faultsOf(swallowed)).toEqual([[3, 'username']])
  })

  test('JSON numbers are refused: an amount is text', async () => {
    expect(
      await faultsOf(
        '[{"username":"amy","amount":0.1,"currency":"USD"},{"username":["x"],"amount":"1","currency":"USD"}]',
      ),
    ).toEqual([
      [1, 'amount'],
      [2, 'username'],
    ])
  })

  test.each([
    ['', /has no transfers/],
    ['username,amount,currency\n', /has no transfers/],
    ['username,amount\namy,1\n', /no column "currency"/],
    ['amount,currency\n1,USD\n', /no column "username"/],
    ['username,amount,currency,acount\namy,1,USD,2\n', /unknown column "acount"; did you mean "amount"/],
    ['username,user,amount,currency\namy,amy,1,USD\n', /two columns for the username/],
    [
      'username,amount,currency\nbob,1,USD\n"amy,1,USD\ncho,1,USD\n',
      /is not valid CSV: a quote in line 3 is not closed/,
    ],
    ['sep=|\nusername|amount|currency\namy|1|USD\n', /names the separator "\|" in line 1/],
    ['[1]', /item 1 is not an object/],
    ['[{"username":"amy"', /is not JSON/],
    ['{"username":"amy","amount":"1","currency":"USD"}\nnonsense\n', /not a JSON object in line 2/],
    ['[{"username":"amy","player":"bob","amount":"1","currency":"USD"}]', /has the username of item 1 twice/],
    ['[{"username":"amy","amount":"5","Amount":"500","currency":"USD"}]', /has the amount of item 1 twice/],
    [
      '[\n{"username":"amy",\n"amount":"5","am\\u006funt" : "6","currency":"USD"}]',
      /has the key "amount" twice in one object, in line 3/,
    ],
    ['{"note":"a: {\\"amount\\":","amount":"5","amount":"6"}\n', /has the key "amount" twice in one object, in line 1/],
    [Buffer.from([0xff, 0xfe, 0x61, 0x00]), /is not UTF-8/],
  ])('an invalid file is refused: %j', async (text, message) => {
    expect(await faultsOf(text)).toMatch(message)
  })
})

describe('the limits of a file', () => {
  const messageOf = async (text: string): Promise<string> =>
    transfersFrom(Buffer.from(text), usual).then(String, ({ message }) => message)
  const rowsOf = (row: string, count: number) => `username,amount,currency,note\n${`${row}\n`.repeat(count)}`

  test.each([
    [100_000, '100,000 of 100,000 rows are invalid; no batch was created'],
    [100_001, 'payday.csv has 100,001 transfers, but a batch can have at most 100,000; split the file'],
  ])('are 100,000 transfers: %i', async (count, message) => {
    const items = `[${'{"note":1},'.repeat(count - 1)}{"note":1}]`
    expect((await messageOf(items)).split('\n')[0]).toBe(message)
  })

  test('are 200 characters of a note', async () => {
    expect(await read(rowsOf(`amy,5,USD,${'n'.repeat(200)}`, 1))).toHaveLength(1)
  })

  test('are 100 errors in the message, which has the number of invalid rows', async () => {
    const fault = '  Line 2: the player is missing'
    expect(await messageOf(rowsOf(',5,USD', 1))).toBe(`1 of 1 row is invalid; no batch was created\n${fault}`)
    const two = `${rowsOf(',5,USD', 1)}amy,5,USD\n`
    expect(await messageOf(two)).toBe(`1 of 2 rows are invalid; no batch was created\n${fault}`)
    const lines = async (count: number) => (await messageOf(rowsOf(',5,USD', count))).split('\n')
    expect((await lines(100)).at(-1)).toBe('  Line 101: the player is missing')
    const more = await lines(103)
    expect([more.length, ...more.slice(-2)]).toEqual([
      ...[102, '  Line 101: the player is missing', '  … and 3 more; see all with --json'],
    ])
  })

  test('are 70 characters of a quoted value', async () => {
    const long = 'abcdefghij'.repeat(7)
    expect(await messageOf(`{"${long}k":1,"${long}k":2}`)).toContain(`has the key "${long}" twice`)
    expect(await messageOf(`${long}k,username,amount,currency\n`)).toContain(`unknown column "${long}";`)
    const word = `username,dir,amount,currency\namy,${long}k,5,USD\n`
    expect(await messageOf(word)).toContain(`the direction "${long}" must be in or out`)
  })
})

describe('the position of an error', () => {
  test('is the number of the item, or of the line', async () => {
    const items = [{ username: 'amy', amount: '5', currency: 'USD' }, { username: 'bob' }]
    expect(await faultsOf(JSON.stringify({ transfers: items }))).toEqual([
      [2, 'amount'],
      [2, 'currency'],
    ])
    const text = `${JSON.stringify(items[0])}\n\nnonsense\n`
    await expect(transfersFrom(Buffer.from(text), usual)).rejects.toMatchObject({ detail: { line: 3 } })
  })

  test('is the first column that is missing', async () => {
    expect(await faultsOf('currency\nUSD\n')).toMatch(/no column "username"/)
  })

  test('is the cell of several lines, unless that is the note', async () => {
    const cells = (username: string, note: string) => `username,amount,currency,note\n"${username}",5,USD,"${note}"\n`
    const failure = (text: string) => transfersFrom(Buffer.from(text), usual).catch(({ message }) => message)
    expect(await failure(cells('amy\nbob', ''))).toContain('the username spans several lines; is a quote not closed?')
    expect(await failure(cells('amy', 'a\nb'))).toContain('the note has line breaks')
  })
})
