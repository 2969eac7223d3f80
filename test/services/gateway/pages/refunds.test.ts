import { describe, expect, onTestFinished, test } from 'vitest'
import { approvalLimits } from '../../../../src/domain/wallet/approval.ts'
import { depositTo, fund, sanction, theMerchant } from '../../../../src/services/gateway/admin/platform.ts'
import {
  findRefund,
  listRefunds,
  requestRefund,
  withdrawApproved,
} from '../../../../src/services/gateway/admin/staff-payments.ts'
import { pageTags } from '../../../../src/services/gateway/hosted-pages/language.ts'
import { nameRefundAddress, refundOfLink } from '../../../../src/services/gateway/payments/approved-refunds.ts'
import { chainTxsTo } from '../../../../src/services/gateway/queries/chain.ts'
import { paymentOf } from '../../../../src/services/gateway/queries/payments.ts'
import { dropPayout } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { violations } from '../../../support/browser/axe.ts'
import { pageMs, theBrowser } from '../../../support/browser/chromium.ts'
import { engines } from '../../../support/databases/engines.ts'
import { aMerchant, aPayment, openHouse, refusal } from '../house.ts'

/** Refunds whose address the customer names. A transfer on TRON costs 2.1 usdttrc20. */

const mine = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const other = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

async function opened(open?: Parameters<typeof openHouse>[0], amount = '100') {
  const house = await openHouse(open)
  const merchant = await aMerchant(house)
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '500')
  })
  const { payment_id: id, gw_payment_url: link } = await aPayment(merchant)
  await depositTo(house.app, id, { amount })
  await house.wait(120_000)
  const approve = (more: Partial<Parameters<typeof requestRefund>[2]> = {}) =>
    requestRefund(house.app, id, { part: {}, by: 'ann', isAskingCustomer: true, ...more })
  const status = async () => (await merchant.client.payment({ params: { payment_id: String(id) } })).payment_status
  const refunds = () => listRefunds(house.app, { paymentId: id })
  const sentTo = async (address: string) =>
    (await house.app.store.read((reader) => chainTxsTo(reader, 'production', address))).map(({ units }) => units)
  const name = (refund: string, address: string) =>
    house.app.store.write((tx) => nameRefundAddress(house.app, tx, refund, address))
  const post = (url: string, body: string) =>
    house.server.inject({
      method: 'POST',
      path: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  return { house, merchant, id, link, approve, status, refunds, sentTo, name, post }
}

describe.each(engines)('on $name', (engine) => {
  test('of many addresses named at once, one is paid, once', async () => {
    const database = await engine.database()
    const { house, approve, refunds, sentTo, name, status } = await opened({ open: database.open })
    const approved = await approve()
    expect(approved).toMatchObject({ state: 'approved', address: '', payout: null, sends: '97.9' })
    const ends = await Promise.all(Array.from({ length: 6 }, (_, i) => name(approved.id, i % 2 === 0 ? mine : other)))
    expect(new Set(ends.map(({ address }) => address)).size).toBe(1)
    await house.wait(300_000)
    expect((await sentTo(mine)).concat(await sentTo(other))).toEqual(['97900000'])
    expect(await refunds()).toMatchObject([{ id: approved.id, state: 'done', address: ends[0]?.address }])
    expect(await status()).toBe('refunded')
    await house.proveLedger()
    expect(house.failures).toEqual([])
  })
})

test('an approved part counts as refunded until it is withdrawn, and then its link pays nothing', async () => {
  const { house, id, approve, refunds, name, post } = await opened()
  const approved = await approve({ part: { amount: '60' } })
  expect(await refusal(approve({ part: { amount: '60' } }))).toBe('CONFLICT')
  expect(await refusal(requestRefund(house.app, id, { part: { amount: '60' }, address: mine, by: 'ann' }))).toBe(
    'CONFLICT',
  )
  expect(await refusal(requestRefund(house.app, id, { part: { amount: '41' }, address: mine, by: 'ann' }))).toBe(
    'CONFLICT',
  )
  expect(await findRefund(house.app, id, { part: { amount: '60' }, by: 'ann' }, 0)).toMatchObject({
    link: approved.link,
  })
  expect(await withdrawApproved(house.app, id)).toMatchObject({ id: approved.id, state: 'withdrawn' })
  expect(await refusal(withdrawApproved(house.app, id))).toBe('CONFLICT')
  expect(await name(approved.id, mine)).toMatchObject({ state: 'withdrawn', payout: null })
  const reply = await post(approved.link ?? '', `address=${mine}&confirm=yes`)
  expect(reply.status).toBe(303)
  expect(await refunds()).toMatchObject([{ state: 'withdrawn', payout: null }])
  const sent = await requestRefund(house.app, id, { part: { amount: '60' }, address: mine, by: 'ann' })
  expect(sent.link).toBeNull()
  const withoutSecret = await house.app.store.read(async (reader) => {
    const row = await paymentOf(reader, id)
    return row && refundOfLink(reader, row, '')
  })
  expect(withoutSecret).toBeUndefined()
  await house.proveLedger()
})

test('above the limit a second person approves, before there is a link', async () => {
  const { house, approve } = await opened()
  const limits = approvalLimits('50:usdttrc20') ?? undefined
  const first = await approve({ limits })
  expect(first).toMatchObject({ state: 'requested', link: null })
  expect(await refusal(approve({ limits }))).toBe('CONFLICT')
  expect(await approve({ limits, by: 'beth' })).toMatchObject({
    id: first.id,
    state: 'approved',
    requestedBy: 'ann',
    approvedBy: 'beth',
    link: expect.stringMatching(/^https:\/\/pay[.]example\/pay\/[A-Za-z0-9]{24}\/refund\/[A-Za-z0-9]{32}$/),
  })
  await house.proveLedger()
})

test('a part-paid payment asks for nothing while its refund waits, and again after a withdrawal', async () => {
  const { house, id, link, approve } = await opened({}, '40')
  const state = async () =>
    JSON.parse(
      (await house.server.inject({ method: 'GET', path: `${new URL(link).pathname}/state`, headers: {} })).body,
    )
  await approve()
  expect(await state()).toMatchObject({ phase: 'returning', address: '', text: expect.stringContaining('refund link') })
  await withdrawApproved(house.app, id)
  expect(await state()).toMatchObject({ phase: 'partly', amount: '60' })
})

test('addresses that must not get the money are refused, and so is a merchant who spent it', async () => {
  const { house, merchant, id, approve, refunds, post } = await opened()
  const { link } = await approve()
  const url = link ?? ''
  await sanction(house.app, other)
  const { pay_address: deposits } = await merchant.client.payment({ params: { payment_id: String(id) } })
  for (const [address, status, said] of [
    ['', 422, 'not a valid USDT address on TRON'],
    ['0x52908400098527886E0F7030069857D2E4169EE7', 422, 'not a valid USDT address on TRON'],
    [`${mine.slice(0, -1)}X`, 422, 'not a valid USDT address on TRON'],
    ['%3Cscript%3E', 422, '&lt;script&gt;'],
    [deposits, 422, 'not a valid USDT address on TRON'],
    [other, 409, 'cannot be sent to this address'],
  ] as const)
    for (const confirm of ['', '&confirm=yes']) {
      const reply = await post(url, `address=${address}${confirm}`)
      expect([address, reply.status]).toEqual([address, status])
      expect(reply.body).toContain(said)
    }
  expect((await post(url, `address=${'x'.repeat(2000)}`)).status).toBe(413)
  expect(await refunds()).toMatchObject([{ state: 'approved', payout: null }])

  // Neither secret opens the page without the other.
  const path = new URL(url).pathname
  for (const wrong of [
    `${path}x`,
    path.slice(0, -1),
    path.replace('/refund/', 'x/refund/'),
    `/sandbox${path}`,
    path.replace(/[^/]+$/, ''),
  ])
    expect([wrong, (await house.server.inject({ method: 'GET', path: wrong, headers: {} })).status]).toEqual([
      wrong,
      404,
    ])

  await house.app.store.write(async (tx) => {
    await tx.q.updateTable('gateway_merchants').set({ frozen: 1 }).where('id', '=', merchant.id).execute()
  })
  const frozen = await post(url, `address=${mine}&confirm=yes`)
  expect([frozen.status, frozen.body.includes('Try again later')]).toEqual([409, true])
  expect(await refunds()).toMatchObject([{ state: 'approved', payout: null }])
})

test('the customer names the address, confirms it, and follows the refund, on a phone, on pages without a script', async () => {
  const { house, link, approve } = await opened()
  const approved = await approve()
  const { url } = await house.server.listen()
  const context = await (await theBrowser()).newContext({
    viewport: { width: 360, height: 640 },
    locale: 'en-GB',
  })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(pageMs)
  const page = await context.newPage()
  await page.goto(url + new URL(link).pathname)
  await page.getByText('Open the refund link that Shop gave you.').waitFor()
  const here = url + new URL(approved.link ?? '').pathname
  for (const tag of pageTags) {
    await page.goto(`${here}?lang=${tag}`)
    expect([tag, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([tag, 360])
  }
  await page.goto(here)
  await page.getByRole('heading', { name: 'Where should the refund go?' }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await page.content()).not.toContain('<script')
  // Nothing was sent yet.
  expect(await page.locator('.facts').textContent()).not.toContain('Refunded')
  const field = page.getByLabel('Your USDT address on TRON')
  await field.fill(`${mine.slice(0, -1)}X`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').filter({ hasText: 'not a valid USDT address' }).waitFor()
  expect(await violations(page)).toEqual([])
  await field.fill(mine)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Is this address correct?' }).waitFor()
  expect(await page.getByLabel('To this address').textContent()).toBe(mine)
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Change the address' }).click()
  await field.fill(mine)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Send the refund' }).click()
  await page.getByRole('heading', { name: 'Refund on its way' }).waitFor()
  expect(await violations(page)).toEqual([])
  await house.wait(300_000)
  await page.reload()
  await page.getByRole('heading', { name: 'Refunded' }).waitFor()
  await page.getByRole('link', { name: 'To the payment and its receipt' }).click()
  await page.getByRole('heading', { name: 'Refunded' }).waitFor()
  expect(await page.getByRole('region', { name: 'Receipt' }).getByRole('listitem').last().textContent()).toMatch(
    /^Refunded97[.]9 USDTDate.*Transaction[0-9a-f]{64}$/,
  )
})

test('a refund whose payout failed reports it, and can be approved again', async () => {
  const { house, approve, name, refunds } = await opened()
  const { id, link } = await approve()
  const { payout } = await name(id, mine)
  await house.settle()
  await dropPayout(house.app, payout ?? '')
  await house.settle()
  const page = await house.server.inject({ method: 'GET', path: new URL(link ?? '').pathname, headers: {} })
  expect([page.status, page.body.includes('Refund not sent')]).toEqual([200, true])
  expect(await approve()).toMatchObject({ state: 'approved' })
  expect((await refunds()).map(({ state }) => state).toSorted()).toEqual(['approved', 'failed'])
  await house.proveLedger()
})
