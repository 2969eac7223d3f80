import { expect, test } from 'vitest'
import { overHttp } from '../../src/http/client/http-transport.ts'
import { signed } from '../../src/http/client/sign.ts'
import { keyInHeader } from '../../src/http/client/signers.ts'
import { inProcess } from '../../src/http/client/transport.ts'
import type { Transport } from '../../src/http/contract/wire-types.ts'
import { allTickets, listTickets } from '../../src/operator/tickets/list.ts'
import type { TicketListQuery } from '../../src/operator/tickets/tickets-api.ts'
import { openTicketsApi } from '../../src/operator/tickets/tickets-api.ts'
import { aHelpdesk, aMerchant } from '../services/chat/helpdesk.ts'
import { bareChat } from '../support/worlds/chat-served.ts'

/** A helpdesk of our own with this number of open tickets, changed between the pages that are read. */
async function busyHelpdesk(count: number, between: (page: number, bot: Bot) => Promise<unknown>) {
  const helpdesk = await aHelpdesk()
  const { bot, apiKey } = await aMerchant(helpdesk)
  for (let i = 1; i <= count; i++) {
    helpdesk.clock.now += 100_000
    await bot.createTicket({ body: { title: `Matter ${i}` } })
  }
  const transport = signed(inProcess(helpdesk.server), keyInHeader('x-chat-apikey', apiKey))
  let pages = 0
  const requests: string[] = []
  const retrying: Transport = async (request) => {
    const reply = await transport(request)
    requests.push(request.path)
    if (request.path.includes('/tickets?')) {
      helpdesk.clock.now += 1_000
      await between(++pages, bot)
    }
    return reply
  }
  return { bot, requests, tickets: openTicketsApi({ bot: { once: retrying, retrying }, agent: undefined }) }
}

type Bot = Awaited<ReturnType<typeof aMerchant>>['bot']
const moved = (bot: Bot, number: number, status: string) =>
  bot.setStatus({ params: { ticketId: String(number) }, body: { status } })
const numbersOf = (tickets: readonly { ticketNumber: number }[]) =>
  tickets.map(({ ticketNumber }) => ticketNumber).sort((a, b) => a - b)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const open: TicketListQuery = { status: 'open' }

test('a ticket that moves between two pages is found, and one that left the list is not in it', async () => {
  const { tickets } = await busyHelpdesk(230, async (page, bot) => {
    // Those of the first page leave, so that the first of the second page move up to a page that was already read.
    if (page === 1) for (const number of [230, 229, 228]) await moved(bot, number, 'resolved')
  })
  const { tickets: results, isWhole } = await allTickets(tickets, [open])
  expect(isWhole).toBe(true)
  expect(numbersOf(results)).toEqual(upTo(227))
})

test('new and changed tickets during the read are returned in their latest state', async () => {
  const taken: number[] = []
  const { tickets } = await busyHelpdesk(150, async (page, bot) => {
    if (page !== 2) return
    // One leaves and one arrives: the count is unchanged.
    await moved(bot, 150, 'closed')
    await bot.createTicket({ body: { title: 'New' } })
    await bot.comment({ params: { ticketId: '7' }, body: { content: 'looked at' } })
  })
  const { tickets: results, isWhole } = await allTickets(tickets, [open], {
    take: (fresh) => taken.push(...numbersOf(fresh)) > 0,
  })
  expect(isWhole).toBe(true)
  expect(numbersOf(results)).toEqual([...upTo(149), 151])
  expect(results.find(({ ticketNumber }) => ticketNumber === 7)?.commentCount).toBe(1)
  // Each was returned once when it was read, including the one that left afterwards.
  expect(numbersOf(taken.map((ticketNumber) => ({ ticketNumber })))).toEqual(upTo(151))
})

test('a ticket that moves to a list already read is neither lost nor duplicated', async () => {
  const { tickets } = await busyHelpdesk(6, async (page, bot) => {
    if (page === 1) await moved(bot, 1, 'in_progress')
    // The first list is finished: the ticket returns to it.
    if (page === 2) await moved(bot, 1, 'open')
  })
  const { tickets: results } = await allTickets(tickets, [{ status: 'in_progress' }, { status: 'open' }])
  expect(numbersOf(results)).toEqual(upTo(6))
})

test('a list that changes continuously is returned in its last state, marked as incomplete', async () => {
  const { tickets, requests } = await busyHelpdesk(120, async (page, bot) => {
    await moved(bot, 120 - page, 'resolved')
  })
  const { isWhole } = await allTickets(tickets, [open])
  expect(isWhole).toBe(false)
  expect(requests.length).toBeLessThan(40)
})

test('a list of one page needs no more requests, and an unchanged one only a check for changes', async () => {
  const small = await busyHelpdesk(3, async () => {})
  await allTickets(small.tickets, [{}])
  expect(small.requests).toHaveLength(1)
  const large = await busyHelpdesk(150, async () => {})
  await allTickets(large.tickets, [{}])
  expect(large.requests.filter((path) => path.includes('page=')).length).toBe(4)
})

test('reading ends when the consumer stops', async () => {
  const { tickets, requests } = await busyHelpdesk(250, async () => {})
  const { tickets: results } = await allTickets(tickets, [open], { take: () => false })
  expect([results.length, requests.length]).toEqual([100, 1])
  expect((await listTickets(tickets, open, 250, () => false)).tickets).toHaveLength(100)
})

/** The same for an instance without a filter for changes. */
async function strangeHelpdesk(count: number, tellsTotal = true) {
  const bare = await bareChat(count)
  bare.tellsTotal = tellsTotal
  const http = overHttp(bare.url, {})
  const retrying = signed(http, keyInHeader('x-chat-apikey', 'bare-key'))
  return { bare, tickets: openTicketsApi({ bot: { once: retrying, retrying }, agent: undefined }) }
}

test('without a filter for changes, a list whose count changed is read again', async () => {
  const { bare, tickets } = await strangeHelpdesk(230)
  bare.beforePage = (page) => {
    if (page !== 2) return
    bare.beforePage = () => {}
    for (const ticket of bare.tickets.slice(0, 3)) ticket.status = 'resolved'
  }
  const { tickets: results, isWhole } = await allTickets(tickets, [open])
  expect(isWhole).toBe(true)
  expect(results.map(({ ticketId }) => ticketId)).toEqual(
    expect.arrayContaining(
      upTo(230)
        .slice(3)
        .map((n) => `T${n}`),
    ),
  )
  expect(results).toHaveLength(227)
})

test('a list that changes every time is reported; without a count, a list with duplicates is read again', async () => {
  const restless = await strangeHelpdesk(230)
  let turn = 0
  restless.bare.beforePage = (page) => {
    const next = restless.bare.tickets[turn++]
    if (page === 2 && next) next.status = 'resolved'
  }
  expect((await allTickets(restless.tickets, [open])).isWhole).toBe(false)

  const silent = await strangeHelpdesk(150, false)
  silent.bare.beforePage = (page) => {
    if (page !== 2) return
    silent.bare.beforePage = () => {}
    silent.bare.tickets.unshift({ id: 'T0', subject: 'New', status: 'open', comments: [] })
  }
  const { tickets: results, isWhole } = await allTickets(silent.tickets, [open])
  expect([results.length, isWhole]).toEqual([151, true])
})
