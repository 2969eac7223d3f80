import { countText } from '../../../kit/text/count-text.ts'
import { packFolder } from '../../../operator/evidence/pack.ts'
import { type TicketRecords, ticketRecords } from '../../../operator/tickets/evidence/collect.ts'
import { type Named, type Redactor, redactor } from '../../../operator/tickets/evidence/redact.ts'
import { ticketCase } from '../../../operator/tickets/evidence/ticket-case.ts'
import type { FullTicket } from '../../../operator/tickets/parse.ts'
import { openRoomsApi } from '../../../operator/tickets/rooms-api.ts'
import { openTicketsApi } from '../../../operator/tickets/tickets-api.ts'
import type { CommandContext } from '../../context/context.ts'
import { endedAfter } from '../../terminal/progress.ts'
import { checkedIds } from '../chat/ids.ts'
import { writeEvidence } from '../evidence/write-evidence.ts'

interface EvidenceFlags {
  readonly out: string
  readonly redact?: boolean
  readonly days: number
}

const dayMs = 86_400_000

/** Writes an evidence pack about a ticket: its records, and every request made for them. */
export async function writeTicketEvidence(context: CommandContext, name: string, flags: EvidenceFlags) {
  const [id = ''] = checkedIds([name], 'ticket')
  packFolder(flags.out)
  await context.services.shareWorld()
  const progress = context.progress(`Collecting evidence about ${name}`)
  const collect = (paymentIds?: readonly number[]) =>
    recordsOf(context, id, { days: flags.days, paymentIds, onStep: (step) => progress.update(0, step) })
  // Read once before the requests are recorded, to know the people, internal notes and payments of others that no file may have.
  const before = flags.redact ? await collect() : undefined
  const redact: Redactor = before === undefined ? (text) => text : redactor(peopleIn(before), idsIn(before))
  let records: TicketRecords | undefined
  const writing = writeEvidence(context, { out: flags.out, mask: redact }, async () => {
    records = await collect(before?.payments.map(({ payment_id: paymentId }) => paymentId))
    return ticketCase(records, flags.redact === true)
  })
  const written = await endedAfter(progress, writing)
  const missing = [...new Set([...(before?.missing ?? []), ...(records?.missing ?? [])])]
  for (const each of missing) context.warn(each)
  if (missing.length > 0)
    context.endWith(
      'CANNOT_CONCLUDE',
      `The case is written, but ${countText(missing.length, 'part is', 'parts are')} missing: ${missing[0]}`,
      { missing },
    )
  return { ticket: records?.ticket.ticketId ?? id, redacted: flags.redact === true, missing, ...written }
}

async function recordsOf(
  context: CommandContext,
  id: string,
  { days, ...options }: { days: number; paymentIds?: readonly number[] | undefined; onStep: (step: string) => void },
): Promise<TicketRecords> {
  const { bot, agent } = await context.services.chat()
  return ticketRecords(
    {
      ...options,
      rooms: openRoomsApi({ bot, agent }),
      casino: async () => (await context.services.casino()).casino,
      payments: async () => (await context.services.gateway()).gateway,
      book: await context.services.bookIfThere(),
    },
    await openTicketsApi({ bot, agent }).read(id),
    days * dayMs,
  )
}

/** Returns the people and internal notes of a ticket, and the addresses of its payments. */
function peopleIn({ ticket, room, player, payments }: TicketRecords): Named[] {
  const senders = (type: string) =>
    (room?.lines ?? []).filter(({ senderType }) => senderType === type).map(({ by }) => by)
  const nickname = String(Reflect.get(player ?? {}, 'nickname') ?? '')
  const customers = [ticket.customerAccount, ticket.customerDisplayName, nickname, ...senders('customer')]
  return [
    ...named('[customer]', ...customers),
    ...named('[customer]', ...customers.flatMap(wordsOfName)).map((word) => ({ ...word, isPart: true })),
    ...named('[agent]', ticket.assigneeName, ...senders('agent'), ...agentsIn(ticket)),
    ...named('[address]', ...payments.map(({ pay_address: address }) => address)),
    ...(ticket.comments ?? [])
      .filter(({ visibility }) => visibility !== 'public')
      .map(({ content }) => ({ text: content, label: '[internal comment]' })),
  ]
}

/** Returns the IDs that the case is about. */
const idsIn = ({ ticket, transfers, slips, payments }: TicketRecords): string[] =>
  [
    ticket.ticketId,
    ...transfers.map(({ txnId }) => txnId),
    ...slips.map(({ slipId }) => slipId),
    ...payments.flatMap(({ payment_id: paymentId, order_id: orderId }) => [paymentId, orderId ?? '']),
  ].map(String)

/** Returns the words of a name, which customers write alone: "I am Amy". Initials and short particles are in too many texts. */
const wordsOfName = (name: string | null): string[] =>
  (name ?? '').split(/[^\p{L}\p{M}'’-]+/u).filter((word) => word.length > 2)

const named = (label: string, ...texts: readonly (string | null)[]): Named[] =>
  texts.flatMap((text) => (text === null ? [] : [{ text, label }]))

/** Names of agents in the comments and the history; `API` is the default name of programs. */
function agentsIn({ comments, history }: FullTicket): string[] {
  const authors = (comments ?? []).flatMap(({ authorType, authorDisplayName }) =>
    authorType === 'agent' && authorDisplayName !== null ? [authorDisplayName] : [],
  )
  const actors = (history ?? []).flatMap(({ actorType, actorDisplayName }) =>
    actorType === 'agent' && actorDisplayName !== null ? [actorDisplayName] : [],
  )
  return [...new Set([...authors, ...actors])].filter((name) => name !== 'API')
}
