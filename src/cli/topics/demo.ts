/** Steps of the demo after its world is served. */

/** Folder of the demo's files. */
export interface DemoWorld {
  readonly folder: string
  readonly ready: string
  /** Address of the IPN receiver; absent before the step that starts it. */
  readonly receiver: string | undefined
}

export interface DemoStep {
  readonly title: string
  /** Arguments of the command; can use the result of the previous step. */
  readonly args: (world: DemoWorld, before: never) => readonly string[]
  readonly input?: string
  /** Expected exit codes. */
  readonly mayEnd: readonly number[]
  /** True for a listener that runs until the demo ends. */
  readonly listens?: boolean
  /** Returns whether the awaited result is there; the step is repeated until then. */
  readonly isThere?: (data: never) => boolean
  /** Formats the result in one line. */
  readonly tell: (data: never) => string
}

/** Optional fields of a step. */
interface More<Data> extends Pick<Partial<DemoStep>, 'input' | 'listens'> {
  readonly isThere?: (data: Data) => boolean
}

/** Creates a step with a typed result. */
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
    'Add the keys of the world as a profile, like those of a real platform',
    ({ ready }) => ['profiles', 'add', 'house', '--environment', 'live', '--from', ready],
    (data) => `${data.environment}, at ${data.target}`,
  ),
  step<{ url: string }>(
    'Create a one-time game link for a player',
    () => ['launch', 'amy', ...live],
    (data) => data.url,
  ),
  step<{ txnId: string; balance: string }>(
    'Deposit money with a transfer ID that is stored before it is sent',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `${data.txnId} done, balance ${data.balance}`,
  ),
  step<{ duplicate: boolean; balance: string }>(
    'Send the same deposit again: it is done once',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `duplicate ${data.duplicate}, balance ${data.balance}`,
  ),
  step<{ rows: number; moved: readonly { amount: string; currency: string }[] }>(
    'Validate a file of transfers and create a batch',
    () => ['wallet', 'plan', '-', '--id', 'demo-payday', '--as', 'ann', ...live],
    (data) => `${data.rows} rows, ${data.moved.map(({ amount, currency }) => `${amount} ${currency}`).join()} in total`,
    { input: payday },
  ),
  step<{ by: string; madeBy: string }>(
    'Let a second person approve exactly this batch',
    () => ['wallet', 'approve', 'demo-payday', '--as', 'beth', ...confirmed('360.5:USD'), ...live],
    (data) => `created by ${data.madeBy}, approved by ${data.by}`,
  ),
  step<{ doneNow: number; rows: number }>(
    'Apply the batch, each row once',
    ({ folder }) => ['wallet', 'apply', 'demo-payday', '--out', `${folder}/payday.csv`, ...live],
    (data) => `${data.doneNow} of ${data.rows} done`,
  ),
  step<{ slips: number; rounds: number; corrected: number }>(
    'Deal three days of rounds, some corrected or voided afterwards',
    () => ['sim', 'play', '--rounds', '300', '--players', '8', '--days', '3', '--corrected', '100', '--voided', '100'],
    (data) => `${data.slips} slips in ${data.rounds} rounds, ${data.corrected} corrected`,
  ),
  step<{ revisions: readonly { round: { code: string }; bets: readonly { winLoss: string }[] }[] }>(
    'Deal one exact round, and correct its result',
    () => ['sim', 'deal', '-'],
    (data) => data.revisions.map(({ bets }, i) => `revision ${i + 1}: ${bets[0]?.winLoss}`).join(', '),
    { input: exactRound },
  ),
  step<{ rows: number }>(
    'Sync every bet by cursor',
    ({ folder }) => ['bets', 'sync', '--out', `${folder}/bets`, ...live],
    (data) => `${data.rows} rows`,
  ),
  step<{ verdict: string }>(
    'Reconcile the day: figures of the platform against the book, player by player',
    ({ folder }) => ['reconcile', 'daily', '--report', `${folder}/report.html`, ...live],
    (data) => data.verdict,
  ),
  step<{ url: string }>(
    'Receive IPNs of the gateway: verify, store, then acknowledge',
    () => ['ipn', 'listen', '--port', '0', ...live],
    (data) => `listening at ${data.url}`,
    { listens: true },
  ),
  step<{ payment_id: number; pay_address: string }>(
    'Create a crypto payment with its own deposit address',
    ({ receiver = '' }) => [
      ...['payments', 'create', '25', 'usd', 'usdttrc20', '--order', 'order-1', '--callback', receiver],
      ...live,
    ],
    (data) => `payment ${data.payment_id} to ${data.pay_address}`,
  ),
  step<{ payments: readonly { payment_status: string; actually_paid: number }[] }, { payment_id: number }>(
    'Pay it on a simulated chain, with confirmations',
    (_, before) => ['sim', 'chain', 'deposit', String(before.payment_id), '--confirm'],
    ({ payments }) => payments.map((paid) => `${paid.payment_status}, ${paid.actually_paid} paid`).join(),
  ),
  step<Received>(
    'List the IPNs that arrived',
    () => ['ipn', 'list', ...live],
    (data) =>
      data.callbacks
        .map(({ status }) => status)
        .toReversed()
        .join(', '),
    { isThere: ({ callbacks }) => callbacks.some(({ status }) => status === 'finished') },
  ),
  step<{ taken: number }>(
    'Replay the last IPN, byte for byte',
    ({ receiver = '' }) => ['ipn', 'replay', '--status', 'finished', '--to', receiver, ...live],
    (data) => `${data.taken} sent and accepted`,
  ),
  step<{ ticket: { ticketNumber: number } }>(
    'Create a ticket for a missing deposit',
    () => ['tickets', 'create', 'Deposit is missing', '--account', 'amy', '--field', 'txnId=demo-1', ...live],
    (data) => `#${data.ticket.ticketNumber}`,
  ),
  step<{ queue: readonly { title: string; score: number; reasons: readonly { text: string }[] }[] }>(
    'List the ticket queue with reasons (on a terminal, one key handles a ticket)',
    () => ['tickets', 'triage', ...live],
    (data) =>
      data.queue.map(({ title, reasons }) => `${title}: ${reasons.map(({ text }) => text).join(', ')}`).join('; '),
  ),
  step<{ counts: { applied: number; tickets: number } }>(
    'Apply a bulk action to many tickets, each comment once',
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
    'Show the account and its credit',
    () => ['account', 'show', ...live],
    (data) => `USD ${data.balanceUsd} of credit`,
  ),
  step<{ now: string; done: number }>(
    'Move the clock into the next month and run all periodic jobs on the way',
    () => ['console', 'clock', 'advance', '32d'],
    (data) => `now ${data.now}, ${data.done} jobs done`,
  ),
  step<{ statements: number; total: { chargesUsd: string; differenceUsd: string } | null }>(
    'Export the statement of the month, with a total that proves it',
    ({ folder }) => ['statements', 'export', '--out', `${folder}/statements.csv`, ...live],
    ({ statements, total }) =>
      `${statements} statement, USD ${total?.chargesUsd} of charges, difference ${total?.differenceUsd}`,
  ),
]
