import type { PlayerRow, RoundRow, SlipRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { limitsOf } from '../../../domain/account/plan-limits.ts'
import { type Card, knownCards } from '../../../domain/games/cards.ts'
import type { RoundResult, Stage } from '../../../domain/games/game.ts'
import { type Category, categoryOf, strengthOf } from '../../../domain/games/holdem/hands.ts'
import { choices } from '../../../domain/games/holdem/no-limit.ts'
import type { HoldemOutcome } from '../../../domain/games/holdem/table.ts'
import { tensIn } from '../../../domain/games/niuniu.ts'
import { formatAmount, sum } from '../../../domain/money.ts'
import { statusFor } from '../account/demo-idle.ts'
import { planNow } from '../api/limits.ts'
import type {
  ChoicesView,
  HandName,
  LobbyTable,
  LobbyView,
  MeView,
  MineView,
  RoundView,
  SeatView,
  TableEntry,
  TableInfo,
  TableView,
} from '../player-page/browser/views.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { liveTableOf, slipOf } from '../queries/live.ts'
import { roundOf } from '../queries/rounds.ts'
import { enabledTables, tablesOf } from '../queries/tables.ts'
import { wagerOf } from '../rounds/placed-bets-column.ts'
import { asOffered, type OpenTable, openTable, variantsAt } from '../rounds/rounds.ts'
import { betLimitsOf } from './limits.ts'
import { boardOf } from './no-limit.ts'
import { buyInRange, type Seated, tableFor } from './play.ts'
import { lobbyRoadLength, type RoadReader, roadLength, roadOf } from './roads.ts'
import { paysOf } from './rules-view.ts'
import type { LiveSeat, LiveState } from './state.ts'
import { isNoLimit, type LiveTable, liveTable } from './table.ts'
import { decisionMs, guestMs, resultMs, revealMs, turnMs } from './timing.ts'

/** Views of the player's page. Hidden cards are never included in a response. */

export function meView({ tenant, player, session }: PlayerCaller): MeView {
  return {
    session: session.id,
    name: player.nickname ?? player.username,
    balance: player.balance,
    currency: player.currency,
    mayBet: player.status === 'active',
    language: session.language,
    device: session.device,
    isDemo: limitsOf(planNow(tenant), tenant.environment).isDemo,
    siteUrl: tenant.site_url,
    checkMinutes: tenant.check_minutes,
    since: session.opened_at,
    table: session.table_id,
  }
}

/** Returns the tables available to the player, in the platform's order. */
export async function lobbyView(reader: Reader, caller: PlayerCaller, readRoad: RoadReader): Promise<LobbyView> {
  const enabled = new Set(await enabledTables(reader, caller.tenant.code))
  const tables: LobbyTable[] = []
  for (const row of await tablesOf(reader, caller.tenant.environment)) {
    if (!enabled.has(row.table_id)) continue
    const { info, live } = await tableNow(reader, caller, row)
    const { phase, due_at: dueAt } = live.row
    const road = await readRoad(reader, row, lobbyRoadLength)
    tables.push({ info, status: statusFor(row, caller.tenant, reader.now), phase, dueAt, road })
  }
  return { now: reader.now, tables }
}

/** Returns a table for the player, or throws TABLE_CLOSED. */
export async function tableEntry(reader: Reader, caller: PlayerCaller, tableId: string): Promise<TableEntry> {
  const row = await tableFor(reader, caller, tableId)
  const { info, live } = await tableNow(reader, caller, row)
  const pays = paysOf(caller.tenant, live.table)
  const road = await roadOf(reader, row, roadLength)
  return { info: { ...info, pays }, view: { ...(await tableView(reader, caller, live)), road } }
}

async function tableNow(
  reader: Reader,
  caller: PlayerCaller,
  row: TableRow,
): Promise<{ info: TableInfo; live: LiveTable }> {
  const table = await openTable(reader, row.environment, row.table_id)
  const live = liveTable(table, await liveTableOf(reader, row.environment, row.table_id))
  return { info: await infoOf(reader, caller, table), live }
}

async function infoOf(reader: Reader, caller: PlayerCaller, table: OpenTable): Promise<TableInfo> {
  const { row, game, settings } = asOffered(caller.tenant, table)
  const { player, session, tenant } = caller
  const variants = variantsAt(table)
  const names: Readonly<Record<string, string>> = JSON.parse(row.names)
  const limits = await betLimitsOf(reader, tenant, player, row.game)
  const stages = game.stages(variants[0], settings)
  const range = buyInRange(table, limits)
  const amount = (text: string | undefined, fallback: string) => text ?? fallback
  return {
    tableId: row.table_id,
    game: row.game,
    variants,
    name: names[session.language] ?? names['ENG'] ?? row.table_id,
    betSeconds: row.bet_seconds,
    currency: player.currency,
    min: limits?.min_bet ?? null,
    max: limits?.max_bet ?? null,
    zones: Object.fromEntries(variants.map((variant) => [variant, game.stages(variant, settings)[0]?.zones ?? []])),
    asks: stages.flatMap(toAsk),
    holdFactor: row.game === 'niuniu' ? (settings.holdFactor ?? (settings.specialHands ? 4 : 2)) : null,
    blinds: variants.includes('nlhe')
      ? {
          small: amount(settings.smallBlind, '1'),
          big: amount(settings.bigBlind, '2'),
          minBuyIn: formatAmount(range.min),
          maxBuyIn: formatAmount(range.max),
        }
      : null,
  }
}

function toAsk({ moment, zones, timesAnte }: Stage) {
  const [zone] = zones
  return timesAnte === undefined || zone === undefined ? [] : [{ moment, zone, timesAnte }]
}

/** Returns the state of a table with the player's own part. */
export async function tableView(reader: Reader, { tenant, player }: Seated, live: LiveTable): Promise<TableView> {
  const { row, table } = live
  const base = {
    now: reader.now,
    version: row.version,
    status: statusFor(table.row, tenant, reader.now),
    balance: player.balance,
  }
  const round = row.round_id === null ? undefined : await roundOf(reader, row.round_id)
  if (!round) return { ...base, round: null, mine: null }
  const slip = await slipOf(reader, round.id, player.id)
  return { ...base, round: roundView(live, round, player), mine: mineView(live.state, slip, player) }
}

function mineView(state: LiveState, slip: SlipRow | undefined, player: PlayerRow): MineView | null {
  const result = state.results?.[player.id] ?? null
  if (!slip) return null
  const { bets, hand } = wagerOf(slip)
  return {
    variant: slip.variant,
    bets: Object.fromEntries(bets.map((bet) => [bet.zone, formatAmount(bet.amount)])),
    stake: slip.stake,
    hold: slip.hold,
    hasDecided: state.decided?.includes(player.id) ?? false,
    hasFolded: (state.folded?.includes(player.id) || hand?.folded) ?? false,
    result,
  }
}

function roundView(live: LiveTable, round: RoundRow, player: PlayerRow): RoundView {
  const { row, state } = live
  const isVisible = row.phase === 'dealing' || row.phase === 'result'
  const board = visibleBoard(live)
  const dealer = visibleDealer(live)
  return {
    roundId: round.id,
    shoe: round.shoe,
    no: round.round,
    phase: row.phase,
    dueAt: row.due_at,
    totalMs: totalMs(live),
    isVoid: round.status === 'void',
    moment: state.moment ?? null,
    ...resultView(isVisible ? state : undefined),
    board,
    dealer,
    dealerHand: visibleHand(dealer, board),
    seats: state.seats.map((seat) => seatView(live, seat, player, board)),
    pot: state.hand ? formatAmount(sum(state.hand.players.map(({ put }) => put))) : null,
    turn: state.hand?.turn ?? null,
    actions: state.actions ?? 0,
    choices: choicesView(state, player),
  }
}

function totalMs({ row, table, state, variant }: LiveTable): number {
  if (row.phase === 'betting') return table.row.bet_seconds * 1000
  if (row.phase === 'dealing') return revealMs[table.row.game]
  if (row.phase === 'result') return resultMs
  if (!isNoLimit({ variant })) return decisionMs
  return state.seats.find(({ seat }) => seat === state.hand?.turn)?.playerId === null ? guestMs : turnMs
}

/** Returns the cards of a game without hidden ones, with their totals and the winner. */
function resultView(state: LiveState | undefined): Pick<RoundView, 'code' | 'cards' | 'totals' | 'winners' | 'tens'> {
  const result = state?.outcome?.result
  if (!result) return { code: null, cards: {}, totals: {}, winners: [], tens: {} }
  return { code: state.outcome?.code ?? null, cards: result.cards, ...totalsOf(result), tens: tensOf(result) }
}

/** Niu Niu: returns the indexes of the three cards that make ten in each hand with a bull. */
function tensOf(result: RoundResult): RoundView['tens'] {
  if (!('hands' in result)) return {}
  const tens = Object.keys(result.hands).map((hand) => {
    const cards = knownCards([1, 2, 3, 4, 5].map((no) => result.cards[`${hand}-${no}`] ?? ''))
    return [hand, cards ? tensIn(cards) : []] as const
  })
  return Object.fromEntries(tens)
}

function totalsOf(result: RoundResult): Pick<RoundView, 'totals' | 'winners'> {
  if ('hands' in result) {
    const winners = Object.entries(result.winners).flatMap(([hand, by]) => (by === 'P' ? [hand] : []))
    return { totals: { ...result.hands }, winners }
  }
  if ('dragon' in result) return { totals: { D: result.dragon, TG: result.tiger }, winners: [result.winner] }
  return { totals: { P: result.player, B: result.banker }, winners: [result.winner] }
}

/** Number of open board cards while the players decide. */
const boardAt: Readonly<Record<string, number>> = { hole: 0, flop: 3, turn: 4 }

function visibleBoard(live: LiveTable): readonly Card[] {
  const { state, row, table } = live
  if (table.row.game !== 'holdem') return []
  const board = boardOf(state)
  if (isNoLimit(live)) return board.slice(0, state.hand?.boardSize ?? 0)
  return row.phase === 'deciding' ? board.slice(0, boardAt[state.moment ?? 'hole'] ?? 0) : board
}

function visibleDealer(live: LiveTable): readonly string[] {
  const { state, row, table } = live
  if (table.row.game !== 'holdem' || isNoLimit(live) || !state.outcome) return []
  // A Hold'em table has Hold'em outcomes.
  const { dealer } = state.outcome as HoldemOutcome
  return row.phase === 'deciding' ? dealer.map(() => '??') : dealer
}

const handNames: Readonly<Record<Category, HandName>> = {
  'high card': 'high',
  'one pair': 'pair',
  'two pair': 'twoPair',
  'three of a kind': 'trips',
  straight: 'straight',
  flush: 'flush',
  'full house': 'fullHouse',
  'four of a kind': 'quads',
  'straight flush': 'straightFlush',
  'royal flush': 'royal',
}

/** Returns the name of a hand the player sees; null before the flop. */
function visibleHand(hole: readonly string[], board: readonly Card[]): HandName | null {
  const cards = knownCards(hole)
  if (cards?.length !== 2 || board.length < 3) return null
  return handNames[categoryOf(strengthOf([...cards, ...board]))]
}

function seatView(live: LiveTable, seat: LiveSeat, player: PlayerRow, board: readonly Card[]): SeatView {
  const { state, row } = live
  const isMe = seat.playerId === player.id
  const playing = state.hand?.players.find((each) => each.seat === seat.seat)
  const hasFolded = playing?.hasFolded ?? (seat.playerId !== null && (state.folded?.includes(seat.playerId) ?? false))
  const isOpen = (row.phase === 'dealing' || row.phase === 'result') && !hasFolded && isShowdown(state)
  const hole = seat.hole ?? []
  const cards = isMe || isOpen ? hole : hole.map(() => '??')
  return {
    seat: seat.seat,
    name: seat.name,
    isMe,
    isGuest: seat.playerId === null,
    cards,
    hand: visibleHand(cards, board),
    stack: playing ? formatAmount(playing.stack) : (seat.stack ?? null),
    street: playing && playing.street > 0n ? formatAmount(playing.street) : null,
    last: state.lastActions?.[seat.seat] ?? null,
    hasFolded,
    hasDecided: seat.playerId !== null && (state.decided?.includes(seat.playerId) ?? false),
    hasButton: state.button === seat.seat && playing !== undefined,
  }
}

/** Returns whether cards are shown: when two or more hands are compared, and always against the dealer. */
function isShowdown({ hand }: LiveState): boolean {
  return !hand || hand.players.filter((player) => !player.hasFolded).length > 1
}

function choicesView({ hand, seats }: LiveState, player: PlayerRow): ChoicesView | null {
  const may = hand ? choices(hand) : null
  const isMine = may && seats.find(({ seat }) => seat === may.seat)?.playerId === player.id
  if (!hand || !may || !isMine) return null
  return {
    canCheck: may.canCheck,
    call: may.call === null ? null : formatAmount(may.call),
    raiseFrom: may.raise ? formatAmount(may.raise.from) : null,
    raiseTo: may.raise ? formatAmount(may.raise.to) : null,
    pot: formatAmount(sum(hand.players.map(({ put }) => put))),
  }
}
