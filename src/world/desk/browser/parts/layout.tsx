import type { ComponentChildren } from 'preact'
import { words } from '../format.ts'
import type { Live } from '../live.ts'
import { linkTo, select } from '../route.ts'

/** Parts that pages are made of. */

/** A page with its title, its selections and its content. */
export function Page(options: { title: string; tools?: ComponentChildren; children: ComponentChildren }) {
  return (
    <>
      <header class="page-head">
        <h1>{options.title}</h1>
        {options.tools && <div class="tools">{options.tools}</div>}
      </header>
      {options.children}
    </>
  )
}

export function Card(options: {
  title?: string
  tools?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  return (
    <section class={`card ${options.class ?? ''}`}>
      {options.title && (
        <header>
          <h2>{options.title}</h2>
          {options.tools}
        </header>
      )}
      {options.children}
    </section>
  )
}

/** Shows a view once it is loaded, or the reason why it cannot be read. */
export function Loaded<Data>({ live, children }: { live: Live<Data>; children: (data: Data) => ComponentChildren }) {
  if (live.error !== undefined)
    return (
      <p class="problem" role="alert">
        {live.error}
      </p>
    )
  return live.data === undefined ? <p class="loading">Loading…</p> : children(live.data)
}

/** A hint in place of an empty list. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}

const tones: Readonly<Record<string, string>> = {
  finished: 'good',
  confirmed: 'good',
  settled: 'good',
  delivered: 'good',
  active: 'good',
  open: 'good',
  done: 'good',
  resolved: 'good',
  failed: 'bad',
  rejected: 'bad',
  locked: 'bad',
  frozen: 'bad',
  expired: 'bad',
  removed: 'bad',
  stray: 'bad',
  waiting: 'warn',
  partially_paid: 'warn',
  confirming: 'warn',
  sending: 'warn',
  pending: 'warn',
  leased: 'warn',
  held: 'warn',
  no_bet: 'warn',
  disputed: 'warn',
  maintenance: 'warn',
  recalculated: 'warn',
  creating: 'warn',
  processing: 'warn',
  new: 'warn',
}

/** A status as words. Its color only repeats them. */
export function Status({ code }: { code: string }) {
  return <span class={`status ${tones[code] ?? ''}`}>{words(code)}</span>
}

export function HttpStatus({ status }: { status: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <span class={`status ${tone}`}>{status ?? 'none'}</span>
}

export interface Column<Row> {
  readonly title: string
  readonly show: (row: Row) => ComponentChildren
  /** True for amounts and counts: aligned at their end. */
  readonly isNumber?: boolean
  /** True if a narrow screen hides it. */
  readonly isMinor?: boolean
}

/** A table that scrolls inside its frame. */
export function Table<Row>(options: {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: ComponentChildren
  more?: boolean
}) {
  const { label, rows, columns, keyOf, empty, more } = options
  if (rows.length === 0) return <Empty>{empty}</Empty>
  const classOf = (column: Column<Row>) => `${column.isNumber ? 'number' : ''} ${column.isMinor ? 'minor' : ''}`
  return (
    <>
      {/* A scrolling frame must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls */}
      <section class="frame" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column) => (
                  <td key={column.title} class={classOf(column)}>
                    {column.show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more && <p class="note">Only the newest {rows.length} are shown.</p>}
    </>
  )
}

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Links between the pages of a part. */
export function Tabs({
  of,
  at,
  query,
}: {
  of: readonly (readonly [string, string])[]
  at: string
  query?: Record<string, string | undefined>
}) {
  return (
    <nav class="tabs" aria-label="Pages of this part">
      {of.map(([path, title]) => (
        <a key={path} href={linkTo(path, query)} aria-current={path === at ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}

/** A selection that is kept in the address. */
export function Select(options: {
  label: string
  name: string
  value: string
  options: readonly (readonly [string, string])[]
}) {
  return (
    <label class="select">
      <span>{options.label}</span>
      <select
        name={options.name}
        value={options.value}
        onChange={(e) => select({ [options.name]: e.currentTarget.value })}
      >
        {options.options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A search that is kept in the address. */
export function Search({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <label class="select">
      <span>{label}</span>
      <input
        type="search"
        value={value}
        spellcheck={false}
        onInput={(e) => select({ [name]: e.currentTarget.value || undefined })}
      />
    </label>
  )
}

/** Text of a request or a file, in a frame that scrolls. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}
