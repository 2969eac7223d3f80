import { momentText, secondText } from '../../../kit/moment.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { factsPart, tablePart } from '../../evidence/case-page.ts'
import type { Case } from '../../evidence/pack.ts'
import type { Part } from '../../report/html.ts'
import { listPart } from '../../report/layout.ts'
import type { RemoteComment } from '../parse.ts'
import type { SlipEvidence, TicketRecords, TransferEvidence } from './collect.ts'

/** Returns the records of a ticket as a case. A redacted one omits internal comments. */
export function ticketCase(records: TicketRecords, isRedacted: boolean): Case {
  const { ticket, missing } = records
  const comments = (ticket.comments ?? []).filter(({ visibility }) => !isRedacted || visibility === 'public')
  const hidden = (ticket.comments ?? []).length - comments.length
  const history = isRedacted ? null : ticket.history
  const name = ticket.ticketNumber > 0 ? `#${ticket.ticketNumber}` : ticket.ticketId
  return {
    subject: { kind: 'ticket', id: ticket.ticketId },
    data: {
      redacted: isRedacted,
      hiddenComments: hidden,
      ...records,
      ticket: { ...ticketData(ticket), comments, history },
    },
    page: {
      title: `Ticket ${name}`,
      over: isRedacted ? 'Evidence, redacted' : 'Evidence',
      heading: `Ticket ${name}`,
      under: ticket.title,
      content: [
        listPart('Not in this case', [...missing, ...hiddenText(hidden)]),
        ticketPart(records),
        commentsPart(comments),
        ...recordParts(records),
      ],
    },
  }
}

function ticketPart({ ticket, window }: TicketRecords): Part {
  const fields = ticket.fieldValues.map(({ fieldCode, value }) => [`Field ${fieldCode}`, String(value)])
  return factsPart('Ticket', {
    Status: ticket.status,
    Customer: ticket.customerAccount,
    Name: ticket.customerDisplayName,
    Language: ticket.customerLanguage,
    Created: timeText(ticket.createdAt),
    'Last change': timeText(ticket.updatedAt),
    'Records from': secondText(window.from),
    'Records to': secondText(window.to),
    ...Object.fromEntries(fields),
    Description: ticket.description === '' ? null : ticket.description,
  })
}

function commentsPart(comments: readonly RemoteComment[]): Part {
  return tablePart(
    'Comments',
    titles('Time', 'Author', 'Visibility', 'Text'),
    comments.map(({ createdAt, authorDisplayName, visibility, content }) => [
      createdAt === null ? null : secondText(createdAt),
      authorDisplayName,
      visibility,
      content,
    ]),
  )
}

const roundFields = ['roundId', 'tableId', 'game', 'status', 'rev', 'settledAt']
const paymentFields = [
  ...['payment_id', 'payment_status', 'order_id', 'price_amount', 'price_currency'],
  ...['actually_paid', 'pay_currency', 'created_at'],
]

function recordParts({ room, player, balance, transfers, slips, rounds, payments }: TicketRecords): Part[] {
  return [
    tablePart(
      'Messages of the customer’s room',
      titles('Number', 'Time', 'Sender', 'Text'),
      (room?.lines ?? []).map(({ seq, at, by, text: words, files }) => [
        seq === null ? null : String(seq),
        at === null ? null : secondText(at),
        by,
        [...files.map((file) => `[${file}]`), words].join(' ').trim(),
      ]),
    ),
    factsPart('Player at the platform', factsOf(player)),
    factsPart('Balance at the platform', factsOf(balance)),
    transfersPart(transfers),
    slipsPart(slips),
    recordsPart('Rounds at the platform', rounds, roundFields),
    recordsPart('Payments at the gateway', payments, paymentFields),
  ]
}

/** Returns a ticket with its times as text, as the API has them. */
function ticketData(ticket: TicketRecords['ticket']): object {
  const at = (ms: number | null) => (ms === null || Number.isNaN(ms) ? null : momentText(ms))
  const { createdAt, updatedAt, firstResponseAt, snoozedUntil } = ticket
  return {
    ...ticket,
    createdAt: at(createdAt),
    updatedAt: at(updatedAt),
    firstResponseAt: at(firstResponseAt),
    snoozedUntil: at(snoozedUntil),
  }
}

const hiddenText = (count: number): string[] =>
  count === 0 ? [] : [`${countText(count, 'internal comment')}, and the history of the ticket`]

const titles = (...names: readonly string[]) => names.map((title) => ({ title }))
const timeText = (at: number): string | null => (Number.isNaN(at) ? null : secondText(at))

function factsOf(record: object | null): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(record ?? {}).flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  )
}

function transfersPart(transfers: readonly TransferEvidence[]): Part {
  return tablePart(
    'Transfers',
    titles('Transaction ID', 'Time', 'Amount', 'Journal', 'Platform'),
    transfers.map(({ txnId, journal, platform }) => [
      txnId,
      journal === null ? null : secondText(journal.madeAt),
      journal === null ? null : `${journal.dir} ${journal.amount} ${journal.currency}`,
      journal === null ? 'not in the journal' : [journal.state, journal.refusal ?? ''].join(' ').trim(),
      platform === undefined ? 'not looked up' : platform === null ? 'not found' : platformText(platform),
    ]),
  )
}

function platformText(record: object): string {
  const value = (name: string) => String(Reflect.get(record, name) ?? '')
  return ['status', 'dir', 'amount', 'currency', 'at']
    .map(value)
    .filter((text) => text !== '')
    .join(' ')
}

function slipsPart(slips: readonly SlipEvidence[]): Part {
  return tablePart(
    'Slips of the player',
    [
      ...titles('Slip', 'Revision', 'Status', 'Settled', 'Round'),
      { title: 'Stake', isFigure: true },
      { title: 'Payout', isFigure: true },
    ],
    slips.map(({ slipId, rev, settledAt, record }) => [
      slipId,
      String(rev),
      text(record['status']),
      secondText(settledAt),
      text(record['roundId']),
      text(record['stake']),
      text(record['payout']),
    ]),
  )
}

const text = (value: unknown): string | null => (value === undefined || value === null ? null : String(value))

function recordsPart(title: string, records: readonly object[], names: readonly string[]): Part {
  const known = names.filter((name) => records.some((record) => text(Reflect.get(record, name)) !== null))
  return tablePart(
    title,
    titles(...known),
    records.map((record) => known.map((name) => text(Reflect.get(record, name)))),
  )
}
