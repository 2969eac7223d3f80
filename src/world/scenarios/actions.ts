/** Form of a field's value. */
export type Kind = 'text' | 'count' | 'whole' | 'amount' | 'duration' | 'bool'

/** Values of a step by their keys. */
export type Fields = Readonly<Record<string, string>>

interface Action {
  readonly keys: Readonly<Record<string, Kind>>
  readonly required: readonly string[]
}

/** Actions of a scenario with their keys. `fault` has the keys of `sim faults add`. */
export const actions = {
  /** Deposits or withdraws money of a player; the player is created if needed. */
  deposit: { keys: { user: 'text', amount: 'amount', currency: 'text' }, required: ['user', 'amount'] },
  withdraw: { keys: { user: 'text', amount: 'amount', currency: 'text' }, required: ['user', 'amount'] },
  /** Deals rounds with betting players. `corrected` and `voided` are rounds per 10,000. */
  play: {
    keys: { rounds: 'count', players: 'count', tables: 'text', days: 'whole', corrected: 'whole', voided: 'whole' },
    required: ['rounds'],
  },
  /** Creates a payment, and pays `share` percent of it. */
  payment: {
    keys: { order: 'text', price: 'amount', currency: 'text', coin: 'text', share: 'whole', confirm: 'bool' },
    required: ['order', 'price'],
  },
  /** Lets a customer write messages, and an agent answer each Nth one. */
  chat: { keys: { customer: 'text', messages: 'count', 'answer-every': 'count' }, required: ['customer'] },
  /** Opens a receiver of callbacks; the IPNs of later payments go to it. */
  'receive-callbacks': { keys: {}, required: [] },
  /** Injects a fault. */
  fault: { keys: {}, required: [] },
  /** Removes the faults that the scenario has set. */
  'clear-faults': { keys: {}, required: [] },
  /** Advances the world's clock, and runs what is due on the way. */
  advance: { keys: { by: 'duration' }, required: ['by'] },
  /** Compares a figure; the scenario fails when it does not hold. */
  check: {
    keys: { that: 'text', of: 'text', is: 'text', 'at-least': 'amount', 'at-most': 'amount' },
    required: ['that'],
  },
} as const satisfies Record<string, Action>

/** Figures that a check can compare, and whether `of` must name something, may, or has no meaning. */
export const figures = {
  balance: 'needed',
  'balance-change': 'needed',
  payment: 'needed',
  slips: 'none',
  corrected: 'none',
  voided: 'none',
  messages: 'none',
  'fault-hits': 'optional',
  callbacks: 'optional',
  'failed-callbacks': 'none',
  statements: 'none',
  statement: 'none',
  invariants: 'none',
} as const
export type Figure = keyof typeof figures
