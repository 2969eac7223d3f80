import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { violations } from '../../../support/browser/axe.ts'
import { aSite } from '../browser.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, refuses, widgetClient } from '../helpdesk.ts'

/** Tickets of a customer whose account the merchant has signed, and of no one else. */

function signed({ clock }: Helpdesk, { identitySecret }: Merchant, customerAccount: string) {
  const issuedAt = Math.floor(clock.now / 1000)
  const signature = createHmac('sha256', identitySecret).update(`${customerAccount}.${issuedAt}`).digest('hex')
  return { customerAccount, issuedAt, signature }
}

const tokenOf = async (helpdesk: Helpdesk, merchant: Merchant, account: string) => {
  const identity = signed(helpdesk, merchant, account)
  return (await widgetClient(helpdesk, merchant.tenantKey).identify({ query: {}, body: { identity } })).roomToken
}

test('a customer sees, creates and answers their own tickets; other customers and visitors see none of them', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const amy = widgetClient(helpdesk, merchant.tenantKey, await tokenOf(helpdesk, merchant, 'amy'))
  const bob = widgetClient(helpdesk, merchant.tenantKey, await tokenOf(helpdesk, merchant, 'bob'))
  const query = {}
  expect(await amy.ownTickets({ query })).toEqual({ items: [], total: 0 })
  const { items: forms } = await amy.ownForms({ query })
  expect(forms).toMatchObject([{ formCode: 'general', fields: [{ fieldCode: 'txnId' }, { fieldCode: 'amount' }] }])
  const input = { formCode: 'general', title: 'Where is <b>it</b>?', description: 'x', clientTicketId: 'a' }
  const fieldValues = [{ fieldCode: 'amount', value: '100.50' }]
  const created = await amy.createOwnTicket({ query, body: { ...input, fieldValues } })
  expect(await amy.createOwnTicket({ query, body: { ...input, fieldValues } })).toEqual(created)
  const params = { ticketId: created.ticketId }
  await merchant.agent.comment({ params, body: { content: 'internal', visibility: 'internal' } })
  await merchant.agent.comment({ params, body: { content: 'Which network?', visibility: 'public' } })
  const ticket = await amy.ownTicket({ params, query })
  expect(ticket).toMatchObject({
    title: input.title,
    fields: [{ label: 'Amount', value: '100.50' }],
    comments: [{ content: 'Which network?', authorType: 'agent', authorDisplayName: 'Desk 1' }],
  })
  expect(JSON.stringify(ticket)).not.toMatch(/internal|assignee|priority/)
  const reply = { content: 'TRON', clientCommentId: 'r' }
  expect(await amy.replyToOwnTicket({ params, query, body: reply })).toMatchObject({ duplicate: false })
  expect(await amy.replyToOwnTicket({ params, query, body: reply })).toMatchObject({ duplicate: true })
  expect(await merchant.agent.ticket({ params })).toMatchObject({ customerAccount: 'amy', publicCommentCount: 2 })

  const numbered = { ticketId: String(created.ticketNumber) }
  for (const each of [params, numbered]) {
    await refuses('TICKET_NOT_FOUND', bob.ownTicket({ params: each, query }))
    await refuses('TICKET_NOT_FOUND', bob.replyToOwnTicket({ params: each, query, body: reply }))
  }
  expect((await bob.ownTickets({ query })).items).toEqual([])
  // A visitor's room is a browser's, and belongs to no person.
  const room = await widgetClient(helpdesk, merchant.tenantKey).openRoom({ query, body: {} })
  for (const [token, code] of [
    [room.roomToken, 'IDENTITY_INVALID'],
    [undefined, 'INVALID_ROOM_TOKEN'],
    ['rt_x.y', 'INVALID_ROOM_TOKEN'],
  ] as const) {
    const visitor = widgetClient(helpdesk, merchant.tenantKey, token)
    await refuses(code, visitor.ownTickets({ query }))
    await refuses(code, visitor.ownTicket({ params, query }))
    await refuses(code, visitor.ownForms({ query }))
    await refuses(code, visitor.createOwnTicket({ query, body: input }))
    await refuses(code, visitor.replyToOwnTicket({ params, query, body: reply }))
  }
  // Another merchant's token is none, and the free plan has no tickets.
  const other = await aMerchant(helpdesk, { plan: 'free' })
  const theirs = await tokenOf(helpdesk, other, 'amy')
  await refuses('INVALID_ROOM_TOKEN', widgetClient(helpdesk, merchant.tenantKey, theirs).ownTickets({ query }))
  await refuses('PLAN_REQUIRED', widgetClient(helpdesk, other.tenantKey, theirs).ownTickets({ query }))

  const wrong = [
    { fieldCode: 'amount', value: 'much' },
    { fieldCode: 'nothing', value: 'x' },
  ]
  await refuses(
    'INVALID_FIELD_VALUES',
    amy.createOwnTicket({ query, body: { ...input, clientTicketId: 'b', fieldValues: wrong } }),
  )
  await merchant.agent.setStatus({ params, body: { status: 'closed' } })
  await refuses(
    'TRANSITION_NOT_ALLOWED',
    amy.replyToOwnTicket({ params, query, body: { content: 'x', clientCommentId: 's' } }),
  )
})

test('invalid tokens count as failed keys of their address, and valid ones do not', async () => {
  const helpdesk = await aHelpdesk({ rateLimits: true })
  const merchant = await aMerchant(helpdesk)
  const amy = widgetClient(helpdesk, merchant.tenantKey, await tokenOf(helpdesk, merchant, 'amy'))
  const guess = () => widgetClient(helpdesk, merchant.tenantKey, 'rt_x.y').ownTickets({ query: {} })
  // Ten at once (1.7, "failed keys per IP").
  for (let i = 0; i < 10; i++) await refuses('INVALID_ROOM_TOKEN', guess())
  await refuses('RATE_LIMITED', guess())
  expect((await amy.ownTickets({ query: {} })).total).toBe(0)
})

test('in the widget, a logged-in customer opens a ticket with its form, reads the answer, and replies', async () => {
  const { open, helpdesk, merchant } = await aSite()
  const { issuedAt, signature } = signed(helpdesk, merchant, 'amy')
  const page = await open({ 'data-account': 'amy', 'data-identity': `${issuedAt}.${signature}` })
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('button', { name: 'Your requests' }).click()
  await page.getByText('You have no requests yet.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'New request' }).click()
  await page.getByRole('textbox', { name: 'Amount' }).fill('much')
  await page.getByRole('button', { name: 'Send' }).click()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await page.locator('[aria-invalid=true]').first().waitFor()
  expect(await violations(page)).toEqual([])
  await subject.fill('My deposit')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Enter a valid value.').waitFor()
  await page.getByRole('textbox', { name: 'Amount' }).fill('100.50')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: '#1 My deposit' }).waitFor()
  await page.getByText('100.50').waitFor()
  const [{ ticketId = '' } = {}] = (await merchant.agent.tickets({ query: {} })).items
  await merchant.agent.comment({ params: { ticketId }, body: { content: 'Which network?', visibility: 'public' } })
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: '#1 My deposit' }).click()
  await page.getByText('Which network?').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('TRON')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('TRON').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor()
})

test('requests are offered when the settings arrive, also while the options are open', async () => {
  const { open, helpdesk, merchant } = await aSite()
  const { issuedAt, signature } = signed(helpdesk, merchant, 'amy')
  const settings = Promise.withResolvers<void>()
  const page = await open(
    { 'data-account': 'amy', 'data-identity': `${issuedAt}.${signature}` },
    {
      meddle: (tab) =>
        tab.route(/\/config\?/, async (route) => {
          await settings.promise
          await route.continue()
        }),
    },
  )
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('checkbox', { name: 'Sound for new messages' }).waitFor()
  const requests = page.getByRole('button', { name: 'Your requests' })
  expect(await requests.count()).toBe(0)
  settings.resolve()
  await requests.click()
  await page.getByText('You have no requests yet.').waitFor()
})
