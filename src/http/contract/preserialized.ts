import type { Static, TSchema } from 'typebox'
import type { Envelope } from './contract.ts'
import { fitting } from './project.ts'

/**
 * A reply that is already JSON. What is written once and read often is cut to its schema when it is kept and not each time
 * it is sent: a page of a thousand records is then their texts in a row.
 */
export class Written<Data> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** What the text says, for whoever does not send it on. */
  read(): Data {
    return JSON.parse(this.text)
  }
}

/** Cuts values to a schema and writes them as JSON: the texts a written reply is made of. A value that does not fit is a mistake of ours. */
export function writing<S extends TSchema>(schema: S): (value: Static<S>) => string {
  const cut = fitting(schema)
  return (value) => {
    const fitted = cut(value)
    if (!fitted.fits) throw new Error(`what is to be written does not fit at ${fitted.at || 'its top'}`)
    return JSON.stringify(fitted.value)
  }
}

/** A page whose items are already JSON, each cut to its schema by `writing`; the other fields follow them. */
export function writtenPage<Page extends { readonly items: readonly unknown[] }>(
  items: readonly string[],
  others: Omit<Page, 'items'>,
): Written<Page> {
  const rest = JSON.stringify(others).slice(1, -1)
  return new Written(`{"items":[${items.join(',')}]${rest === '' ? '' : `,${rest}`}}`)
}

/** A written reply in an API's manner: the manner is written around a mark, and the text takes the mark's place. */
export function wrapWritten(envelope: Envelope, { text }: Written<unknown>): string {
  const [before = '', after = ''] = JSON.stringify(envelope.wrap(mark)).split(JSON.stringify(mark))
  return before + text + after
}

const mark = 'the written reply'
