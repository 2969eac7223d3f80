import { countText } from '../../kit/text/count-text.ts'
/** Steps of the demo after its world is served. */

/** Folder of the demo's files. */
export interface DemoWorld {
  readonly folder: string
  readonly ready: string
  /** Address of the IPN receiver; absent before the step that starts it. */
  readonly receiver: string | undefined
  /** Id of the round dealt from the file; absent before. */
  readonly round?: string
  /** The day that is reconciled; absent before. */
  readonly day?: string
  /** Id of the break that the demo explains; absent before. */
  readonly breakId?: string
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
  /** Returns whether the awaited result has arrived; the step is repeated until then. */
  readonly isThere?: (data: never) => boolean
  /** Returns whether the result is the one that the title promises; anything else ends the demo with an error. */
  readonly isRight?: (data: never) => boolean
  /** Returns what later steps need of the result. */
  readonly keep?: (data: never) => Partial<DemoWorld>
  /** Formats the result in one line. */
  readonly tell: (data: never) => string
}

/** Optional fields of a step. */
interface StepOptions<Data> extends Pick<Partial<DemoStep>, 'input' | 'listens' | 'mayEnd'> {
  readonly isThere?: (data: Data) => boolean
  readonly isRight?: (data: Data) => boolean
  readonly keep?: (data: Data) => Partial<DemoWorld>
}

/** Creates a step with a typed result. */
function step<Data, Before = unknown>(
  title: string,
  args: (world: DemoWorld, before: Before) => readonly string[],
  tell: (data: Data) => string,
  more: StepOptions<Data> = {},
): DemoStep {
  return {
    title,
    args: args as DemoStep['args'],
    tell: tell as DemoStep['tell'],
    mayEnd: [0],
    ...(more as Partial<DemoStep>),
  }
}

/** Statuses of a payment in their order; each has a callback, and callbacks may arrive in another order. */
const inOrder = ['waiting', 'confirming', 'confirmed', 'finished']
const statuses = (callbacks: Received['callbacks']): string =>
  inOrder.filter((status) => callbacks.some((callback) => callback.status === status)).join(', ')

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
})

/** Passphrase of the demo's approver, on its own world and book only. */
const passphrase = 'seven green umbrellas\n'

const payday = 'username,amount,currency,note\nbob,200.50,USD,July\ncho,110,USD,July\ndee,-50,USD,cash out\n'

const receiverOf = ({ receiver = '' }: DemoWorld) => receiver

/** Players, money and rounds. */
const play: readonly DemoStep[] = [
  step<{ environment: string; target: string }>(
    'Add a profile with the keys of the platform',
    ({ ready }) => ['profiles', 'add', 'house', '--environment', 'live', '--from', ready],
    (data) => `${data.environment}, at ${data.target}`,
  ),
  step<{ url: string }>(
    'Create a launch link for a player',
    () => ['launch', 'amy', ...live],
    (data) => data.url,
  ),
  step<{ kind: string }>(
    'Inject a fault: the next deposit is carried out, but its response is lost',
    () => ['sim', 'faults', 'add', 'cut-after', '--service', 'casino', '--endpoint', 'deposit', '--times', '1'],
    () => 'the connection will be closed without a response',
  ),
  step<{ txnId: string; balance: string; attempts: number }>(
    'Deposit: the command retries under the same transfer ID, so the money moves once',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `${data.txnId} done after ${data.attempts} attempts, balance ${data.balance}`,
    { isRight: ({ attempts, balance }) => attempts === 2 && balance === '10250.5' },
  ),
  step<{ duplicate: boolean; balance: string }>(
    'Repeat the command: nothing moves',
    () => ['wallet', 'deposit', 'amy', '250.5', 'USD', '--txn', 'demo-1', ...confirmed('250.5:USD'), ...live],
    (data) => `duplicate ${data.duplicate}, balance ${data.balance}`,
    { isRight: ({ duplicate }) => duplicate },
  ),
  step<{ rows: number; moved: readonly { amount: string; currency: string }[] }>(
    'Create a batch from a file of transfers; every row is validated',
    () => ['wallet', 'plan', '-', '--id', 'demo-payday', ...live],
    (data) => `${data.rows} rows, ${data.moved.map(({ amount, currency }) => `${amount} ${currency}`).join()} in total`,
    { input: payday },
  ),
  step<{ name: string }>(
    'Add an approver, whose name a passphrase proves',
    () => ['approvers', 'add', 'beth', '--passphrase-file', '-', ...live],
    (data) => data.name,
    { input: passphrase },
  ),
  step<{ by: string; madeBy: string }>(
    'Approve exactly this batch, as a second person',
    () => [
      ...['wallet', 'approve', 'demo-payday', '--as', 'beth', '--passphrase-file', '-'],
      ...confirmed('360.5:USD'),
      ...live,
    ],
    (data) => `made by ${data.madeBy}, approved by ${data.by}`,
    { input: passphrase },
  ),
  step<{ doneNow: number; rows: number }>(
    'Apply the batch, each row once',
    ({ folder }) => ['wallet', 'apply', 'demo-payday', '--out', `${folder}/payday.csv`, ...live],
    (data) => `${data.doneNow} of ${data.rows} done`,
  ),
  step<{ slips: number; rounds: number; corrected: number }>(
    'Deal three days of rounds at every table, some corrected or voided',
    () => ['sim', 'play', '--rounds', '300', '--players', '8', '--days', '3', '--corrected', '100', '--voided', '100'],
    (data) => `${data.slips} slips in ${data.rounds} rounds, ${data.corrected} corrected`,
  ),
  step<{ roundId: string; revisions: readonly { bets: readonly { winLoss: string }[] }[] }>(
    'Deal one exact round from a file',
    () => ['sim', 'deal', '-'],
    ({ revisions }) => `amy wins ${revisions[0]?.bets[0]?.winLoss}`,
    { input: exactRound, keep: ({ roundId }) => ({ round: roundId }) },
  ),
]

interface Period {
  readonly period: string
  readonly state: string
  readonly breaks: { readonly open: number }
  readonly closedBy: string | null
  readonly approvedBy: string | null
}

interface RestatedDays {
  readonly restated: readonly {
    readonly date: string
    readonly breakId: string | null
    readonly players: readonly {
      readonly player: string
      readonly winLoss: string
      readonly slips: readonly {
        readonly slipId: string
        readonly to: { readonly rev: number } | null
        readonly change: string
      }[]
    }[]
  }[]
}

const changedSlips = (day: RestatedDays | null) =>
  (day?.restated ?? []).flatMap(({ players }) => players.flatMap(({ slips }) => slips))

/** A day is reconciled, changes afterwards, and the change is explained. */
const reconcile: readonly DemoStep[] = [
  step<{ now: string }>(
    'Move the clock past the end of the day',
    () => ['console', 'clock', 'advance', '16h'],
    (data) => `it is ${data.now.slice(0, 16).replace('T', ' ')} UTC`,
  ),
  step<{ rows: number }>(
    'Sync every bet',
    ({ folder }) => ['bets', 'sync', '--out', `${folder}/bets`, ...live],
    (data) => `${data.rows} rows`,
  ),
  step<{ verdict: string; date: string }>(
    "Reconcile yesterday: the platform's summary against the book",
    ({ folder }) => ['reconcile', 'daily', '--report', `${folder}/report.html`, ...live],
    (data) => `${data.date} is ${data.verdict}`,
    { isRight: ({ verdict }) => verdict === 'balanced', keep: ({ date }) => ({ day: date }) },
  ),
  step<Period>(
    'Close the day: it is balanced',
    ({ day = '' }) => ['reconcile', 'periods', 'close', day, ...live],
    ({ period, state, closedBy }) => `${period} is ${state}, by ${closedBy}`,
    { isRight: ({ state }) => state === 'closed' },
  ),
  step<Period>(
    'Approve the closed day, as a second person',
    ({ day = '' }) => ['reconcile', 'periods', 'approve', day, '--as', 'beth', '--passphrase-file', '-', ...live],
    ({ period, state, approvedBy }) => `${period} is ${state}, by ${approvedBy}`,
    { input: passphrase, isRight: ({ state }) => state === 'approved' },
  ),
  step<{ bets: readonly { winLoss: string }[] }>(
    'The platform corrects the round after the day was signed off',
    ({ round = '' }) => ['sim', 'correct', round, '--card-info', '5H4S3C5D----'],
    ({ bets }) => `amy wins ${bets[0]?.winLoss} instead`,
  ),
  step<{ verdict: string; date: string }>(
    'Reconcile again: the day differs, and the report names the slip',
    ({ folder }) => ['reconcile', 'daily', '--report', `${folder}/difference.html`, ...live],
    (data) => `${data.date} has ${data.verdict} (exit 9)`,
    { mayEnd: [9] },
  ),
  step<{ added: number }>(
    'Sync the new records',
    ({ folder }) => ['bets', 'sync', '--out', `${folder}/bets`, ...live],
    (data) => `${data.added} new revision`,
  ),
  step<RestatedDays>(
    'List the days that changed after they were reconciled',
    () => ['reconcile', 'restated', ...live],
    ({ restated }) =>
      restated
        .map(
          ({ date, players }) => `${date}: ${players.map(({ player, winLoss }) => `${player} ${winLoss}`).join(', ')}`,
        )
        .join('; ')
        .concat(' (exit 9)'),
    { mayEnd: [9], keep: ({ restated }) => ({ breakId: restated[0]?.breakId ?? '' }) },
  ),
  step<{ day: RestatedDays | null }>(
    'Explain the break: which slip, which revision, by how much',
    ({ breakId = '' }) => ['reconcile', 'explain', breakId, ...live],
    ({ day }) =>
      changedSlips(day)
        .map(({ slipId, to, change }) => `slip ${slipId}, revision ${to?.rev}: ${change}`)
        .join('; '),
    { isRight: ({ day }) => changedSlips(day).length === 1 },
  ),
  step<Period>(
    'Show the day that was signed off: it is restated, with open breaks',
    ({ day = '' }) => ['reconcile', 'periods', 'show', day, ...live],
    ({ period, state, breaks }) => `${period} is ${state}, ${breaks.open} open breaks (exit 9)`,
    { mayEnd: [9], isRight: ({ state, breaks }) => state === 'restated' && breaks.open === 2 },
  ),
  step<{ accepted: readonly unknown[] }>(
    'Accept the new figures, with a reason',
    () => ['reconcile', 'restated', '--accept', '--note', 'Corrected round at BAC-01', ...live],
    () => 'accepted',
  ),
]

/** Callbacks of the gateway, tickets and the bill. */
const backOffice: readonly DemoStep[] = [
  step<{ url: string }>(
    'Receive IPNs of the gateway: verified, stored, then acknowledged',
    () => ['ipn', 'listen', '--port', '0', ...live],
    (data) => `listening at ${data.url}`,
    { listens: true },
  ),
  step<{ kind: string }>(
    'Inject a fault: the last IPN of the next payment is lost',
    () => ['sim', 'faults', 'add', 'lose', '--endpoint', 'finished', '--times', '1'],
    () => 'the IPN "finished" will be lost',
  ),
  step<{ payment_id: number; pay_address: string }>(
    'Create a crypto payment',
    (world) => [
      'payments',
      'create',
      '25',
      'usd',
      'usdttrc20',
      '--order',
      'order-1',
      '--callback',
      receiverOf(world),
      ...live,
    ],
    (data) => `payment ${data.payment_id} to ${data.pay_address}`,
  ),
  step<{ payments: readonly { payment_status: string; actually_paid: number }[] }, { payment_id: number }>(
    'The customer pays on the simulated chain',
    (_, before) => ['sim', 'chain', 'deposit', String(before.payment_id), '--confirm'],
    ({ payments }) => payments.map((paid) => `${paid.payment_status}, ${paid.actually_paid} paid`).join(),
  ),
  step<Received>(
    'List the received IPNs',
    () => ['ipn', 'list', ...live],
    ({ callbacks }) => `${statuses(callbacks)}; "finished" is missing`,
    {
      isThere: ({ callbacks }) => callbacks.length >= inOrder.length - 1,
      isRight: ({ callbacks }) => callbacks.every(({ status }) => status !== 'finished'),
    },
  ),
  step<{ healed: number; callbacks: readonly { status: string }[] }>(
    'Heal it: rebuild the lost IPN from the payment, byte for byte, and deliver it',
    (world) => ['ipn', 'heal', '--min-age', '0', '--to', receiverOf(world), ...live],
    ({ callbacks }) => `${callbacks.map(({ status }) => status).join(', ')} healed`,
    { isRight: ({ healed }) => healed === 1 },
  ),
  step<{ verdict: string }>(
    'Reconcile all payments with the IPNs',
    () => ['reconcile', 'payments', '--min-age', '0', ...live],
    ({ verdict }) => verdict,
    { isRight: ({ verdict }) => verdict === 'balanced' },
  ),
  step<{ taken: number }>(
    'Replay an IPN for a shop that was down',
    (world) => ['ipn', 'replay', '--status', 'finished', '--to', receiverOf(world), ...live],
    (data) => `${data.taken} sent again`,
  ),
  step<{ ticket: { ticketNumber: number } }>(
    'Create a ticket for a customer whose deposit is missing',
    () => ['tickets', 'create', 'Deposit is missing', '--account', 'amy', '--field', 'txnId=demo-1', ...live],
    (data) => `#${data.ticket.ticketNumber}`,
  ),
  step<{ queue: readonly { title: string; reasons: readonly { text: string }[] }[] }>(
    'Triage the tickets: most urgent first, with the reasons',
    () => ['tickets', 'triage', ...live],
    (data) =>
      data.queue.map(({ title, reasons }) => `${title}: ${reasons.map(({ text }) => text).join(', ')}`).join('; '),
  ),
  step<{ counts: { applied: number; tickets: number } }>(
    'Answer many tickets at once',
    () => [
      ...['tickets', 'bulk', '--filter', 'keyword=deposit', '--status', 'resolved'],
      ...['--comment', 'Found: transfer demo-1', '--apply', ...live],
    ],
    (data) => `${data.counts.applied} of ${data.counts.tickets} done`,
  ),
  step<{ status: string; steps: readonly { action: string }[] }>(
    "Play a scenario with its checks: the platform's worst day",
    () => ['sim', 'scenario', 'run', 'worst-day'],
    ({ status, steps }) => `${steps.filter(({ action }) => action === 'check').length} checks ${status}`,
    { isRight: ({ status }) => status === 'passed' },
  ),
  step<{ now: string; done: number }>(
    'Move the clock into the next month and run everything that falls due',
    () => ['console', 'clock', 'advance', '32d'],
    (data) => `it is ${data.now.slice(0, 10)}, ${data.done} jobs run`,
  ),
  step<{ statements: number; total: { chargesUsd: string; differenceUsd: string } | null }>(
    'Export the monthly statements, with a total that proves them',
    ({ folder }) => ['statements', 'export', '--out', `${folder}/statements.csv`, ...live],
    ({ statements, total }) =>
      `${countText(statements, 'statement')}, USD ${total?.chargesUsd} of charges, difference ${total?.differenceUsd}`,
  ),
]

export const demoSteps: readonly DemoStep[] = [...play, ...reconcile, ...backOffice]
