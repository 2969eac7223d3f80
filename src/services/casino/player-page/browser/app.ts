import { openApi, Refusal } from './api.ts'
import { base } from './base.ts'
import { serverNow, setServerTime } from './clock.ts'
import { add, h, onClick, set, setText } from './dom.ts'
import { BetsDrawer } from './history/bets-drawer.ts'
import { lobby } from './lobby.ts'
import { formatText, type Strings, strings, useStrings } from './messages.ts'
import { shown } from './money.ts'
import { rulesPanel } from './panels/rules.ts'
import { showEnded } from './session/ended-dialog.ts'
import { RealityCheck } from './session/reality-check.ts'
import { sent, sentAt } from './session/sent-data.ts'
import { listen } from './stream.ts'
import { TableScreen } from './table.ts'
import type { TableCallbacks } from './table-parts.ts'
import { announce, toast } from './toast.ts'
import type { EndReason, LobbyPush, LobbyView, MeView, TableEntry, TableView, ViewingView } from './views.ts'

/** The page: the player, the lobby, a table, and the server's events. */

const { session = '', language = 'eng' } = document.body.dataset
const api = openApi(session)

const loaded: { strings: Strings } = await import(`./languages/${language}.js`)
useStrings(loaded.strings)
const w = strings()

// ── Permanent elements ──

const balance = h('b.balance')
const player = h('span.name')
const demo = h('span.demo', { hidden: true }, 'DEMO')
const offline = h('span.offline', { hidden: true, role: 'status' }, w.reconnecting)
const backLink = h(
  'a.back',
  { href: `${base}/play/`, hidden: true, 'aria-label': w.lobby },
  '‹',
  h('span.word', {}, `\u00a0${w.lobby}`),
)
const title = h('span.title')
const slipsButton = h(
  'button.plain',
  { type: 'button', 'data-action': 'slips', 'aria-label': w.myBets },
  h('span.word', {}, w.myBets),
  h('span.lines', { 'aria-hidden': 'true' }),
)
const rulesButton = h(
  'button.plain',
  { type: 'button', 'data-action': 'rules', hidden: true, 'aria-label': w.rules },
  '?',
)
const leaveButton = h(
  'button.plain',
  { type: 'button', 'data-action': 'leave', 'aria-label': w.leave },
  h('span.long', {}, w.leave),
  h('span.short', { 'aria-hidden': 'true' }, '✕'),
)
// In a frame the link opens in the whole page, not in the frame.
const siteLink = h(
  'a.plain',
  { hidden: true, rel: 'noreferrer', target: '_top', 'data-action': 'site', 'aria-label': w.site },
  h('span.long', {}, w.site),
  h('span.short', { 'aria-hidden': 'true' }, '⌂'),
)
const top = h(
  'header.top',
  {},
  backLink,
  title,
  demo,
  offline,
  h('span.space'),
  h('span.wallet', {}, h('small', {}, w.balance), balance),
  player,
  slipsButton,
  rulesButton,
  siteLink,
  leaveButton,
)
const watching = h('p.watching', { hidden: true, role: 'status' }, w.watchOnly)
const announcements = h('p.hidden', { 'aria-live': 'polite', id: 'news' })
const app = document.querySelector('#app') ?? document.body
app.replaceChildren()

let me: MeView | null = null
let screen: TableScreen | null = null
let stream: { close(): void } | null = null
let overlay: HTMLElement | null = null
let hasEnded = false
const hall = lobby((tableId) => go(`${base}/play/t/${encodeURIComponent(tableId)}`))
const bets = new BetsDrawer({
  api,
  names: hall.names,
  fail,
  since: () => me?.since ?? serverNow(),
  checkMinutes: () => me?.checkMinutes ?? null,
  show: (slips) => screen?.showSlips(slips),
})
const check = new RealityCheck({ api, me: () => me, leave })
add(app, top, watching, announcements, toast, bets.element, check.element)

function showMe(next: MeView): void {
  const before = me
  me = next
  const amount = `${shown(next.balance)} ${next.currency}`
  setText(balance, amount)
  set(balance, { '--length': amount.length })
  setText(player, next.name)
  set(watching, { hidden: next.mayBet })
  set(demo, { hidden: !next.isDemo })
  set(siteLink, { hidden: next.siteUrl === null, href: next.siteUrl ?? '' })
  set(document.body, { 'data-demo': next.isDemo, 'data-watching': !next.mayBet })
  if (before && before.balance !== next.balance) {
    balance.classList.remove('up', 'down')
    balance.getBoundingClientRect()
    balance.classList.add(Number(next.balance) > Number(before.balance) ? 'up' : 'down')
    void bets.refresh()
  }
}

/** Returns a refusal in the player's language. */
function refusalText(error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal('OTHER', '', {})
  const { min, max } = refusal.detail
  const sentence = w.refusals[refusal.code] ?? w.refusals['OTHER'] ?? ''
  return formatText(sentence, shown(String(min ?? '')), shown(String(max ?? '')))
}

/** Shows that the session has ended, with the reason; nothing else works after that. */
function end(reason: EndReason): void {
  if (hasEnded) return
  hasEnded = true
  stream?.close()
  screen?.close()
  bets.element.close()
  check.end()
  showEnded(reason, me?.siteUrl ?? null)
}

/** Shows why a request failed, and what follows from that. */
async function fail(error: unknown, consequence = ''): Promise<void> {
  if (error instanceof Refusal && error.code === 'SESSION_ENDED')
    return end((error.detail['reason'] ?? 'EXPIRED') as EndReason)
  if (error instanceof Refusal && error.code === 'SESSION_NEEDED') return end('EXPIRED')
  if (error instanceof Refusal && error.code === 'TABLE_CLOSED' && screen) return closed()
  const reason = error instanceof Refusal ? unseen[error.code] : undefined
  if (error instanceof Refusal && reason) return hide({ reason, limit: Number(error.detail['limit']) })
  announce(`${refusalText(error)} ${consequence}`.trim())
}

function closed(): void {
  announce(w.tableClosed)
  go(`${base}/play/`)
}

const unseen: Readonly<Record<string, ViewingView['reason']>> = { VIEWERS_FULL: 'full', VIEWING_PAUSE: 'pause' }

/** Replaces the table by the reason when the demo's video limit is reached, with the ways to continue. */
function hide({ reason, limit }: ViewingView): void {
  stream?.close()
  // Answers that are on their way belong to the table that is hidden now.
  arrivals += 1
  leaveTable()
  hall.element.remove()
  set(backLink, { hidden: false })
  overlay?.remove()
  const again = onClick(
    h('button.action', { type: 'button', 'data-action': 'again' }, w.viewing.again),
    () => void arrive(),
  )
  overlay = h(
    'main.curtain',
    { id: 'main', 'data-reason': reason },
    h('h1', {}, formatText(w.viewing[reason], String(limit))),
    again,
  )
  add(app, overlay)
  again.focus()
}

/** Returns the functions for the table of an arrival. After the next arrival its answers are ignored. */
const callbacksOf = (arrival: number): TableCallbacks => ({
  api,
  mayBet: () => me?.mayBet ?? false,
  tell: announce,
  async after(request, consequence) {
    try {
      const view = await request
      if (arrival !== arrivals) return false
      showTable(view)
      return true
    } catch (error) {
      if (arrival !== arrivals) return false
      await fail(error, consequence)
      await lookAgain(arrival)
      return false
    }
  },
})

/** Shows the table as it is on the server, unless it was left. Why it cannot be read was shown with the failed request. */
async function lookAgain(arrival: number): Promise<void> {
  if (hasEnded || arrival !== arrivals || !screen) return
  const entry = await api.table(screen.info.tableId).catch(() => null)
  if (entry && arrival === arrivals) showTable(entry.view)
}

/** Version of the view of the table that is shown; each table counts its own. */
let version = -1
let shownPart = ''
function showTable(view: TableView, at?: number): void {
  setServerTime(view.now, at)
  // Responses and events may arrive out of order: ignore older ones.
  if (view.version < version) return
  version = view.version
  if (me) showMe({ ...me, balance: view.balance })
  // A lost bet changes no balance when it is settled, so the list of bets also follows the round.
  const part = `${view.round?.roundId}/${view.mine?.stake}/${view.mine?.result?.winLoss}`
  if (view.mine && part !== shownPart) void bets.refresh()
  shownPart = part
  screen?.show(view)
}

const rulesDrawer = h('dialog.drawer', { 'aria-label': w.rules })
add(app, rulesDrawer)
onClick(rulesButton, () => void showRules())
/** The pay table and the texts of the rules are loaded when they are opened. */
async function showRules(): Promise<void> {
  const info = screen?.info
  if (!info) return
  try {
    const content = await rulesPanel(info, await api.rules(info.tableId), language)
    const close = onClick(h('button.plain', { type: 'button' }, w.close), () => rulesDrawer.close())
    rulesDrawer.replaceChildren(h('header', {}, h('h2', {}, `${w.rules}: ${info.name}`), close), ...content)
    rulesDrawer.showModal()
  } catch (error) {
    await fail(error)
  }
}

onClick(slipsButton, () => bets.open())
/** Logs the player out. Shown here at once; the stream informs the other tabs. */
function leave(): void {
  void api.leave().then(() => end('LOGGED_OUT'), fail)
}
onClick(leaveButton, leave)

// ── Location ──

/** Returns the page's location below its server's path. */
const pagePath = (): string => location.pathname.slice(base.length)

function go(path: string): void {
  if (location.pathname !== path) history.pushState(null, '', path)
  void arrive()
}

backLink.addEventListener('click', (event) => {
  event.preventDefault()
  go(`${base}/play/`)
})
window.addEventListener('popstate', () => void arrive())

let opening: Promise<void> | null = null
/** Requests the player together with the table, until it is known: a slow network costs its time once. */
function meetPlayer(): Promise<void> | null {
  if (me) return null
  opening ??= api.me().then(showMe)
  return opening.finally(() => {
    opening = null
  })
}

let arrivals = 0
async function arrive(): Promise<void> {
  if (hasEnded) return
  const arrival = ++arrivals
  const [, id] = /^\/play\/t\/([^/]+)$/.exec(pagePath()) ?? []
  const tableId = id === undefined ? null : decodeURIComponent(id)
  stream?.close()
  screen?.close()
  overlay?.remove()
  overlay = null
  try {
    if (tableId === null) {
      enterLobby()
      meetPlayer()?.catch(fail)
    } else {
      const first = sent<TableEntry>('entry')
      const entry = first ?? (await Promise.all([api.table(tableId), meetPlayer()]))[0]
      if (arrival !== arrivals) return
      version = -1
      const at = first ? sentAt() : performance.now()
      setServerTime(entry.view.now, at)
      hall.element.remove()
      leaveTable()
      screen = new TableScreen(entry.info, callbacksOf(arrival), (text) => setText(announcements, text))
      app.append(screen.element)
      hall.learn(entry.info)
      setText(title, entry.info.name)
      set(backLink, { hidden: false })
      set(rulesButton, { hidden: false })
      document.title = entry.info.name
      showTable(entry.view, at)
      void bets.refresh()
    }
  } catch (error) {
    if (arrival !== arrivals) return
    const isUnseen = error instanceof Refusal && error.code in unseen
    if (tableId !== null && !isUnseen) {
      history.replaceState(null, '', `${base}/play/`)
      enterLobby()
    }
    await fail(error)
    if (hasEnded || isUnseen) return
  }
  stream = listen(session, /^\/play\/t\//.test(pagePath()) ? tableId : null, listener)
}

/** Removes the table, which sends nothing any more. */
function leaveTable(): void {
  screen?.close()
  screen?.element.remove()
  screen = null
}

function enterLobby(): void {
  leaveTable()
  set(backLink, { hidden: true })
  set(rulesButton, { hidden: true })
  setText(title, '')
  document.title = w.lobby
  app.append(hall.element)
  const first = sent<LobbyView>('lobby')
  if (!first) return
  listener.on('lobby', first)
  setServerTime(first.now, sentAt())
}

const listener = {
  on(event: string, data: unknown): void {
    // Data has the server's own types.
    if (event === 'me') showMe(data as MeView)
    if (event === 'table') showTable(data as TableView)
    if (event === 'closed') closed()
    if (event === 'viewing') hide(data as ViewingView)
    if (event === 'lobby') {
      setServerTime((data as LobbyView).now)
      hall.show(data as LobbyView)
    }
    if (event === 'rows') {
      setServerTime((data as LobbyPush).now)
      hall.move(data as LobbyPush)
    }
  },
  online(is: boolean): void {
    set(offline, { hidden: is })
  },
  ended: end,
  refused(): void {
    void api.me().catch(fail)
  },
}

// ── Keyboard and layout ──

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
  screen?.key(event)
})

/** Uses the phone layout if the link requested it, and on any narrow or low screen. A low one has its cards next to the zones. */
function layOut(): void {
  const { dataset } = document.body
  const isShort = window.matchMedia('(max-height: 480px) and (orientation: landscape)').matches
  const isNarrow = window.matchMedia('(max-width: 820px)').matches
  dataset['layout'] = dataset['device'] === 'mobile' || isNarrow || isShort ? 'mobile' : 'pc'
  document.body.toggleAttribute('data-short', isShort)
}
window.addEventListener('resize', layOut)
layOut()

/** Interval of activity requests: the server ends sessions after an hour without one. */
const aliveEveryMs = 300_000
let aliveAt = performance.now()
for (const event of ['pointerdown', 'keydown'])
  document.addEventListener(event, () => {
    if (hasEnded || performance.now() - aliveAt < aliveEveryMs) return
    aliveAt = performance.now()
    void api.me().then(showMe, fail)
  })

// The link is used up: the address bar shows the player's location instead.
if (pagePath() === '/Launch') {
  const { table } = document.body.dataset
  history.replaceState(null, '', table ? `${base}/play/t/${encodeURIComponent(table)}` : `${base}/play/`)
}
const visitor = sent<MeView>('me')
if (visitor) showMe(visitor)
void arrive()
