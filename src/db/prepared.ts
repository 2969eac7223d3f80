import assert from 'node:assert/strict'
import type { CompiledQuery, DialectAdapter, Kysely } from 'kysely'
import type { Tables } from './schema/index.ts'
import type { Reader } from './store.ts'

/** Stands for a value, or a value of a list's item, in a query that is compiled before the values are known. */
class Placeholder {
  readonly name: string
  readonly index: number | undefined

  constructor(name: string, index: number | undefined) {
    this.name = name
    this.index = index
  }
}

/** Any property is a placeholder of that name. */
const placeholders = (index?: number) => new Proxy({}, { get: (_, name) => new Placeholder(String(name), index) })

/** Longest list that a query is compiled for only once. */
const longestKept = 100

/**
 * Returns a query that is built and compiled once per engine, and once per length of its list: for queries of every
 * request, whose building costs more than running them on SQLite. `build` gets placeholders in place of the values, so
 * it can only put them into the query. Text, numbers and null are allowed; `undefined` is a bug.
 */
export function prepared<Values extends object, Row, Item extends object = never>(
  build: (q: Kysely<Tables>, values: Values, items: readonly Item[]) => { compile(): CompiledQuery<Row> },
): (reader: Pick<Reader, 'q'>, values: Values, items?: readonly Item[]) => Promise<Row[]> {
  const engines = new WeakMap<DialectAdapter, CompiledQuery<Row>[]>()
  return async ({ q }, values, items = []) => {
    const { adapter } = q.getExecutor()
    const byLength = engines.get(adapter) ?? []
    engines.set(adapter, byLength)
    const compile = () => {
      const each = items.map((_, index) => placeholders(index) as Item)
      return build(q, placeholders() as Values, each).compile()
    }
    const query = byLength[items.length] ?? compile()
    if (items.length <= longestKept) byLength[items.length] = query
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? valueFor(each, each.index === undefined ? values : items[each.index]) : each,
    )
    return (await q.executeQuery<Row>({ ...query, parameters })).rows
  }
}

function valueFor({ name }: Placeholder, values: object | undefined): unknown {
  const value = (values as Readonly<Record<string, unknown>> | undefined)?.[name]
  assert(value !== undefined, `the query has no value for ${name}`)
  return value
}
