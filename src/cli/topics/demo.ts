/** What the demo does after its world is served, step by step. */

/** Where the demo's files are. */
export interface DemoWorld {
  readonly folder: string
  readonly ready: string
  /** Where the operator's own receiver of the gateway's callbacks listens; nothing until the step that starts it. */
  readonly receiver: string | undefined
}

export interface DemoStep {
  readonly title: string
  /** What is typed; may use what the step before it came to. */
  readonly args: (world: DemoWorld, before: never) => readonly string[]
  readonly input?: string
  /** The exit codes that are as it should be. */
  readonly mayEnd: readonly number[]
  /** Starts what listens until the demo ends, instead of running to an end of its own. */
  readonly listens?: boolean
  /** Whether what it waits for is there; it is asked again while it is not. */
  readonly isThere?: (data: never) => boolean
  /** One line of what came of it. */
  readonly tell: (data: never) => string
}

/** What few steps have. */
interface More<Data> extends Pick<Partial<DemoStep>, 'input' | 'listens'> {
  readonly isThere?: (data: Data) => boolean
}

/** A step whose result is told by its type. */
function step<Data, Before = unknown>(
  title: string,
  args: (world: DemoWorld, before: Before) => readonly string[],
  tell: (data: Data) => string,
  more: More<Data> = {},
): DemoStep {
  return {
    title,
    args: args as DemoStep['args'],
    tell: tell as DemoStep['tell'],
    mayEnd: [0],
    ...(more as Partial<DemoStep>),
  }
}

interface Received {
  readonly callbacks: readonly { readonly status: string }[]
}

const live = ['--profile', 'house']
const confirmed = (total: string) => ['--yes', '--confirm-total', total]

const exactRound = JSON.stringify({
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: '100', S6: '10', BP: '5' } }],
  then: [{ correct: { cardInfo: '5H4S3C5D----' } }],
})

const payday = 'username,amount,currency,note\nbob,200.50,USD,July\ncho,110,USD,July\ndee,-50,USD,cash out\n'

export const demoSteps: readonly DemoStep[] = [
  step<{ environment: string; target: string }>(
    'Its keys become a profile, as those of a real platform would',
    ({ ready }) => ['profiles', 'add', 'house', '--environment', 'live', '--from', ready],
    (data) => `${data.environment}, at ${data.target}`,
  ),
  step<{ url: string }>(
    'A player goes into the game by a link that works once',
    () => ['launch', 'amy', ...live],
    (data) => data.url,
  ),
  step<{ txnId: string; balance: string }>(
    'Money goes in, under an id that was written down before it was sent',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `${data.txnId} done, balance ${data.balance}`,
  ),
  step<{ duplicate: boolean; balance: string }>(
    'Sent a second time, it does not go in twice',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `duplicate ${data.duplicate}, balance ${data.balance}`,
  ),
  step<{ rows: number; moved: readonly { amount: string; currency: string }[] }>(
    'Payday: a file of transfers is checked row by row and becomes a plan',
    () => ['wallet', 'plan', '-', '--id', 'demo-payday', '--as', 'ann', ...live],
    (data) => `${data.rows} rows, ${data.moved.map(({ amount, currency }) => `${amount} ${currency}`).join()} in all`,
    { input: payday },
  ),
  step<{ by: string; madeBy: string }>(
    'Somebody else looks at it and says yes to exactly that',
    () => ['wallet', 'approve', 'demo-payday', '--as', 'beth', ...confirmed('360.5:USD'), ...live],
    (data) => `made by ${data.madeBy}, approved by ${data.by}`,
  ),
  step<{ doneNow: number; rows: number }>(
    'It is carried out, each row once, whatever happens on the way',
    ({ folder }) => ['wallet', 'apply', 'demo-payday', '--out', `${folder}/payday.csv`, ...live],
    (data) => `${data.doneNow} of ${data.rows} done`,
  ),
  step<{ slips: number; rounds: number; corrected: number }>(
    'Three days of play at the tables, some of it corrected or voided afterwards',
    () => ['sim', 'play', '--rounds', '300', '--players', '8', '--days', '3', '--corrected', '100', '--voided', '100'],
    (data) => `${data.slips} slips in ${data.rounds} rounds, ${data.corrected} corrected`,
  ),
  step<{ revisions: readonly { round: { code: string }; bets: readonly { winLoss: string }[] }[] }>(
    'One exact round, won and then corrected',
    () => ['sim', 'deal', '-'],
    (data) => data.revisions.map(({ bets }, i) => `revision ${i + 1}: ${bets[0]?.winLoss}`).join(', '),
    { input: exactRound },
  ),
  step<{ rows: number }>(
    'Every bet is pulled, by cursor',
    ({ folder }) => ['bets', 'sync', '--out', `${folder}/bets`, ...live],
    (data) => `${data.rows} rows`,
  ),
  step<{ verdict: string }>(
    'The day is proved: the platform’s figures against ours, player by player',
    ({ folder }) => ['reconcile', 'daily', '--report', `${folder}/report.html`, ...live],
    (data) => data.verdict,
  ),
  step<{ url: string }>(
    'The gateway will call back: what comes is checked, kept with its bytes, and only then acknowledged',
    () => ['ipn', 'listen', '--port', '0', ...live],
    (data) => `listening at ${data.url}`,
    { listens: true },
  ),
  step<{ payment_id: number; pay_address: string }>(
    'A customer wants to pay in a coin: the payment gateway gives an address of their own',
    ({ receiver = '' }) => [
      ...['payments', 'create', '25', 'usd', 'usdttrc20', '--order', 'order-1', '--callback', receiver],
      ...live,
    ],
    (data) => `payment ${data.payment_id} to ${data.pay_address}`,
  ),
  step<{ payments: readonly { payment_status: string; actually_paid: number }[] }, { payment_id: number }>(
    'They pay, on a simulated chain, and the blocks come that confirm it',
    (_, before) => ['sim', 'chain', 'deposit', String(before.payment_id), '--confirm'],
    ({ payments }) => payments.map((paid) => `${paid.payment_status}, ${paid.actually_paid} paid`).join(),
  ),
  step<Received>(
    'Every callback of it came',
    () => ['ipn', 'list', ...live],
    (data) =>
      data.callbacks
        .map(({ status }) => status)
        .toReversed()
        .join(', '),
    { isThere: ({ callbacks }) => callbacks.some(({ status }) => status === 'finished') },
  ),
  step<{ taken: number }>(
    'A shop that was down meanwhile gets the last one again, byte for byte',
    ({ receiver = '' }) => ['ipn', 'replay', '--status', 'finished', '--to', receiver, ...live],
    (data) => `${data.taken} sent again and taken`,
  ),
  step<{ ticket: { ticketNumber: number } }>(
    'A customer misses a deposit and gets a ticket',
    () => ['tickets', 'create', 'Deposit is missing', '--account', 'amy', '--field', 'txnId=demo-1', ...live],
    (data) => `#${data.ticket.ticketNumber}`,
  ),
  step<{ queue: readonly { title: string; score: number; reasons: readonly { text: string }[] }[] }>(
    'What wants to be looked at, and why: on a terminal one key decides each',
    () => ['tickets', 'triage', ...live],
    (data) =>
      data.queue.map(({ title, reasons }) => `${title}: ${reasons.map(({ text }) => text).join(', ')}`).join('; '),
  ),
  step<{ counts: { applied: number; tickets: number } }>(
    'And the same done to many at once: written down first, each comment once',
    () => [
      'tickets',
      'bulk',
      '--filter',
      'keyword=deposit',
      '--status',
      'resolved',
      '--comment',
      'It is demo-1',
      '--apply',
      ...live,
    ],
    (data) => `${data.counts.applied} of ${data.counts.tickets} done`,
  ),
  step<{ balanceUsd: string; daysLeft: number | null }>(
    'And the bill is looked at',
    () => ['account', 'show', ...live],
    (data) => `USD ${data.balanceUsd} of credit`,
  ),
  step<{ now: string; done: number }>(
    'The world’s clock moves into the next month, and all that falls due on the way is done',
    () => ['console', 'clock', 'advance', '32d'],
    (data) => `it is ${data.now}, ${data.done} things done`,
  ),
  step<{ statements: number; total: { chargesUsd: string; differenceUsd: string } | null }>(
    'The month’s statement is there, with a total that proves it',
    ({ folder }) => ['statements', 'export', '--out', `${folder}/statements.csv`, ...live],
    ({ statements, total }) =>
      `${statements} statement, USD ${total?.chargesUsd} of charges, difference ${total?.differenceUsd}`,
  ),
]
