import { expect } from 'vitest'
import { agree } from '../round-agreement.ts'
import { players, recordOf } from '../round-model.ts'
import { money, stakeOf } from '../slip-reference.ts'
import { choicesAt, type HandSeat, toAct } from './no-limit-reference.ts'
import type { Page } from './pages.ts'
import { bestOf, nameOf } from './poker-reference.ts'
import { decisions, type HandModel, type HandReal, type Table } from './table-model.ts'

/** Compares everything a tenant can read, and the pages of its players, with the model. */
export async function agreeOnAll(model: HandModel, real: HandReal): Promise<void> {
  await agree(model, real)
  await agreeOnPages(model, real)
  for (const [name, page] of real.pages) {
    const rounds = model.rounds.filter(({ slips }) => slips.has(name)).slice(-30)
    const { slips } = await page.slips({ query: {} })
    expect(slips).toMatchObject(rounds.toReversed().map((round) => slipOf(round, name)))
  }
}

/** Compares the table on the page of each player. */
export async function agreeOnPages({ table, balances }: HandModel, { pages }: HandReal): Promise<void> {
  for (const name of players) {
    const view = await viewOf(pages, table, name)
    expect(view).toMatchObject({ status: 'open', balance: money(balances.get(name) ?? 0), round: roundOf(table, name) })
    expect(view.mine).toEqual(mineOf(table, name))
  }
}

export async function viewOf(pages: ReadonlyMap<string, Page>, { round }: Table, name: string) {
  const page = pages.get(name)
  if (!page) throw new Error(`${name} has no page`)
  return (await page.table({ params: { tableId: round.game.tableId } })).view
}

function slipOf(round: Table['round'], name: string) {
  const bets = round.slips.get(name) ?? {}
  const revision = round.revisions.at(-1)
  const record = revision && recordOf(round, name, bets, revision, 0)
  return {
    tableId: round.game.tableId,
    variant: round.game.variant,
    status: record?.status ?? 'placed',
    bets: betsOf(round, name),
    stake: money(stakeOf(bets)),
    payout: record?.payout ?? '0',
    winLoss: record?.winLoss ?? '0',
    code: record?.result.code ?? '',
    cards: record?.result.cardInfo ?? '',
  }
}

const betsOf = ({ slips }: Table['round'], name: string) =>
  Object.fromEntries(Object.entries(slips.get(name) ?? {}).map(([zone, amount]) => [zone, money(amount)]))

function mineOf(table: Table, name: string) {
  const { round, variant } = table
  const bets = round.slips.get(name)
  if (!bets) return null
  const revision = round.revisions.at(-1)
  const record = revision && recordOf(round, name, bets, revision, 0)
  const seat = table.hand?.seats.find((each) => each.name === name)
  return {
    variant,
    bets: betsOf(round, name),
    stake: money(stakeOf(bets)),
    hold: '0',
    hasDecided: table.phase === 'deciding' && table.decided.has(name),
    // At no-limit the seat shows it while the hand is played.
    hasFolded: table.folded.has(name) || (revision !== undefined && (seat?.hasFolded ?? false)),
    result: record
      ? {
          ...{ status: record.status, stake: record.stake, payout: record.payout, winLoss: record.winLoss },
          ...{ code: record.result.code, hold: '0', returns: record.bets },
        }
      : null,
  }
}

function roundOf(table: Table, name: string) {
  const { round, phase } = table
  const isVoid = round.status === 'void'
  const common = { roundId: round.id, no: table.no, phase, dueAt: table.dueAt, isVoid }
  // The documents do not describe the visible rest of a voided hand.
  if (isVoid) return common
  const cards = shownCards(table)
  return { ...common, ...cards, ...(table.variant === 'thbp' ? dealerHand(table, name) : noLimitHand(table, name)) }
}

/** Returns the cards on the table: during decisions, those visible to the players, and none of the dealer's. */
function shownCards({ variant, phase, dealt, decision, hand, round }: Table) {
  if (!dealt) return { board: [], dealer: [] }
  if (variant === 'thbp' && phase === 'deciding') {
    const { board } = decisions[decision] ?? decisions[0]
    return { board: dealt.board.slice(0, board), dealer: ['??', '??'] }
  }
  const corrected = round.revisions.at(-1)?.outcome?.cardInfo?.split('||')
  const [board = dealt.board, dealer = dealt.dealer] = corrected?.map(cardsOf) ?? []
  return { board: variant === 'nlhe' && hand ? board.slice(0, hand.board) : board, dealer }
}

const cardsOf = (text: string) => (text === '' ? [] : text.split(' '))

function seatCards(table: Table, name: string, isSeen: boolean) {
  const hole = cardsOf(table.round.game.holes?.[name] ?? '')
  const { board } = shownCards(table)
  const isNamed = isSeen && hole.length === 2 && board.length >= 3
  return {
    cards: isSeen ? hole : hole.map(() => '??'),
    hand: isNamed ? nameOf(bestOf([...hole, ...board])) : null,
  }
}

const isOver = ({ phase }: Table) => phase === 'dealing' || phase === 'result'

function dealerHand(table: Table, me: string) {
  const { phase, decision, decided, folded } = table
  const isDeciding = phase === 'deciding'
  const seats = table.dealtIn.map((name, i) => ({
    ...{ seat: i + 1, name, isMe: name === me, isGuest: false, hasFolded: folded.has(name), hasButton: false },
    ...seatCards(table, name, name === me || (isOver(table) && !folded.has(name))),
    hasDecided: isDeciding && decided.has(name),
  }))
  const moment = isDeciding ? decisions[decision]?.moment : null
  return { moment, seats, pot: null, turn: null, choices: null }
}

function noLimitHand(table: Table, me: string) {
  const { hand, phase } = table
  if (!hand) {
    const seats = table.taken.map(({ seat, name, stack }) => ({ seat, name, isMe: name === me, stack: money(stack) }))
    return phase === 'betting' ? { seats, pot: null, turn: null, choices: null } : { choices: null }
  }
  const isShowdown = hand.seats.filter(({ hasFolded }) => !hasFolded).length > 1
  const view = (each: HandSeat) => ({
    ...{ seat: each.seat, name: each.name, isMe: each.name === me, hasFolded: each.hasFolded },
    ...seatCards(table, each.name, each.name === me || (isOver(table) && isShowdown && !each.hasFolded)),
    stack: money(each.stack),
    street: each.street > 0 ? money(each.street) : null,
    hasButton: each.seat === hand.button,
  })
  const pot = money(hand.seats.reduce((all, { put }) => all + put, 0))
  const next = toAct(hand)
  const may = next?.name === me ? choicesAt(hand) : null
  return {
    seats: hand.seats.toSorted((a, b) => a.seat - b.seat).map(view),
    ...{ pot, turn: next?.seat ?? null, actions: table.actions },
    choices: may && {
      canCheck: may.canCheck,
      call: may.call === null ? null : money(may.call),
      raiseFrom: may.raise ? money(may.raise.from) : null,
      raiseTo: may.raise ? money(may.raise.to) : null,
      pot,
    },
  }
}
