import { expect, test } from 'vitest'

/** Outcome of a request: its status, and its body in the API's own format. */
export interface Refused {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each API has another format.
  readonly body: any
}

/** Requests by the code that each is refused with. */
export type Cases = Readonly<Record<string, () => Promise<Refused>>>

/**
 * Compares an API with the codes of its document. A request provokes each of them and gets the status of the table.
 * Neither the contract nor the cases have a code that the table lacks.
 */
export function everyCode(
  { book, contract }: Readonly<Record<'book' | 'contract', Readonly<Record<string, number>>>>,
  cases: Cases,
): void {
  test('the codes of the contract are those of the table, and each has a request that provokes it', () => {
    expect(contract).toEqual(book)
    expect(Object.keys(cases).toSorted()).toEqual(Object.keys(book).toSorted())
  })

  test.each(Object.keys(cases))('%s', async (code) => {
    const { status, body } = (await cases[code]?.()) ?? {}
    expect({ code: body?.error?.code ?? body?.code, status }).toEqual({ code, status: book[code] })
  })
}
