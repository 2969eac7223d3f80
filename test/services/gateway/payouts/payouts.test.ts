import { NowPayments } from 'nowpayments-node'
import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { deliveriesAbout } from '../../../../src/outbox/queries.ts'
import { demoCredentials, ensureGatewayDemo } from '../../../../src/services/gateway/admin/demo-data.ts'
import {
  createKey,
  fund,
  sanction,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../../../src/services/gateway/admin/platform.ts'
import { decideBatch, sendPayouts } from '../../../../src/services/gateway/payouts.ts'
import { merchantOf } from '../../../../src/services/gateway/queries/merchants.ts'
import { ageRates, resetRates } from '../../../../src/services/gateway/rates/rates.ts'
import { dropPayout } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { type House, type Merchant, openHouse, refusal } from '../house.ts'
import { paying, stranger, wallet } from '../paying.ts'

/** Six digits that are neither the current code nor an adjacent one. */
function wrong(right: string): string {
  return String((Number(right) + 123_457) % 1_000_000).padStart(6, '0')
}

test('a recurring payout is rejected, and one with the flag off is accepted', async () => {
  const batch = async (interval: string | null) => {
    const { merchant, input } = await paying()
    return refusal((await merchant.loggedIn()).createPayouts({ body: { ...input(), interval } }))
  }
  for (const once of ['ONETIME', 'onetime', '', null]) expect(await batch(once)).toBe('not refused')
  expect(await batch('DAILY')).toBe('INVALID_REQUEST_PARAMS')
})

test('a sanctioned address is rejected in either spelling', async () => {
  const { house, merchant, create } = await paying()
  const spelled = '0x52908400098527886E0F7030069857D2E4169EE7'
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'eth', '10')
  })
  await setWhitelisted(house.app, merchant.id, 'eth', spelled)
  const input = { address: spelled, currency: 'eth', amount: 1 }
  await create(input)
  await sanction(house.app, spelled.toLowerCase())
  for (const address of [spelled, spelled.toLowerCase()])
    expect(await refusal(create({ ...input, address }))).toBe('POLICY_REJECTED')
})

describe('a batch', () => {
  test('is created, verified, sent and finished, with its fee on top', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const { id, withdrawals } = await create()
    const item = withdrawals[0]
    expect(item).toMatchObject({ status: 'creating', amount: '100', fee: '2.1', batch_withdrawal_id: id, hash: null })
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 897.9, pendingAmount: 0 } })
    await house.wait(60_000)
    expect(await status(id)).toBe('creating')
    expect(await verify(id, code())).toBe('OK')
    await house.settle()
    expect(await status(id)).toBe('sending')
    await house.wait(120_000)
    expect(await merchant.client.payout({ params: { id: item?.id ?? '' } })).toMatchObject([
      { status: 'finished', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(await merchant.client.payout({ params: { id } })).toMatchObject({
      id,
      withdrawals: [{ status: 'finished' }],
    })
    const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, item?.id ?? ''))
    expect(rows.map(({ event }) => event)).toEqual(['creating', 'waiting', 'processing', 'sending', 'finished'])
    const [looked] = (await merchant.client.payout({ params: { id: item?.id ?? '' } })) as [object]
    expect(JSON.parse(rows[4]?.body ?? '')).toEqual(looked)
    await house.proveLedger()
  })

  test.each([
    [{ address: stranger }, 'ADDRESS_NOT_WHITELISTED'],
    [{ address: `${wallet}x` }, 'INVALID_ADDRESS'],
    [{ amount: '997.900001' }, 'INSUFFICIENT_BALANCE'],
    [{ amount: 0.5 }, 'AMOUNT_TOO_SMALL'],
    [{ amount: 'all' }, 'INVALID_AMOUNT'],
    [{ currency: 'usd' }, 'NOT_SUPPORTED'],
    [{ currency: 'CHF' }, 'NOT_SUPPORTED'],
    [{ currency: 'doge' }, 'CURRENCY_UNAVAILABLE'],
  ])('with %j is rejected with %s and reserves nothing', async (over, expected) => {
    const { house, merchant, create } = await paying()
    expect(await refusal(create(over))).toBe(expected)
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000)
    await house.proveLedger()
  })

  test('is rejected completely if one of its payouts is', async () => {
    const { merchant, input } = await paying()
    const client = await merchant.loggedIn()
    const [good] = input().withdrawals
    const bad = { address: wallet, currency: 'usdttrc20', amount: 950 }
    expect(await refusal(client.createPayouts({ body: { withdrawals: good ? [good, bad] : [] } }))).toBe(
      'INSUFFICIENT_BALANCE',
    )
    expect((await client.payouts({ query: {} })).payouts).toEqual([])
    expect((await client.balance({}))['usdttrc20']?.amount).toBe(1000)
  })

  test('needs a key with payout permission, with any option', async () => {
    const { house, merchant, input } = await paying()
    const { token } = await merchant.client.auth({ body: { email: merchant.email, password: merchant.password } })
    const authorization = `Bearer ${token}`
    const { apiKey } = await createKey(house.app, merchant.id)
    const weak = merchant.clientWith({ 'x-api-key': apiKey, authorization })
    expect(await refusal(weak.createPayouts({ body: input() }))).toBe('FORBIDDEN')
    await setMerchant(house.app, merchant.id, { compat: true })
    expect(await refusal(merchant.clientWith({ authorization }).createPayouts({ body: input() }))).toBe('AUTH_REQUIRED')
  })
})

test('two processes that send the same payout report each status once', async () => {
  const { house, merchant, code, create, verify, status } = await paying()
  const { id, withdrawals } = await create()
  await verify(id, code())
  const { chains } = house.app
  const slow = {
    ...house.app,
    chains: {
      ...chains,
      async send(input: Parameters<typeof chains.send>[0]) {
        const hash = await chains.send(input)
        // During this time the other process takes the payout over and completes it.
        await house.wait(120_000)
        return hash
      },
    },
  }
  await sendPayouts(slow, 10)
  expect(await status(id)).toBe('finished')
  const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, withdrawals[0]?.id ?? ''))
  expect(rows.map(({ event }) => event)).toEqual(['creating', 'waiting', 'processing', 'sending', 'finished'])
  await house.proveLedger()
})

test('a payout whose sender died while it was on its chain is finished step by step', async () => {
  const { house, merchant, code, create, verify, status } = await paying()
  const { id, withdrawals } = await create()
  await verify(id, code())
  const { chains } = house.app
  const dying = {
    ...house.app,
    chains: {
      ...chains,
      async send(input: Parameters<typeof chains.send>[0]): Promise<string> {
        await chains.send(input)
        throw new Error('the process is gone')
      },
    },
  }
  await expect(sendPayouts(dying, 10)).rejects.toThrow('gone')
  await house.sleep(120_000)
  await house.settle()
  expect(await status(id)).toBe('finished')
  const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, withdrawals[0]?.id ?? ''))
  expect(rows.map(({ event }) => event)).toEqual(['creating', 'waiting', 'processing', 'sending', 'finished'])
  await house.proveLedger()
})

test('a payout that the network drops fails with the reason, and its funds are returned', async () => {
  const { house, merchant, code, create, verify, status } = await paying()
  const { id, withdrawals } = await create()
  const payout = withdrawals[0]?.id ?? ''
  expect(await refusal(dropPayout(house.app, payout))).toBe('CONFLICT')
  await verify(id, code())
  await house.settle()
  await dropPayout(house.app, payout)
  await house.wait(120_000)
  expect(await merchant.client.payout({ params: { id: payout } })).toMatchObject([
    { status: 'failed', error: 'The network dropped the transfer' },
  ])
  expect(await status(id)).toBe('failed')
  expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000)
  expect(await refusal(dropPayout(house.app, payout))).toBe('CONFLICT')
  expect(await refusal(dropPayout(house.app, '1'))).toBe('NOT_FOUND')
  await house.proveLedger()
})

describe('the code', () => {
  test('is checked by the signing service: wrong, used and missing codes do nothing', async () => {
    const { merchant, code, create, verify, status } = await paying()
    const first = await create()
    const second = await create()
    expect(await refusal(verify(first.id, wrong(code())))).toBe('INVALID_MFA_CODE')
    expect(await refusal(verify(first.id, ''))).toBe('MFA_REQUIRED')
    expect(await verify(first.id, code())).toBe('OK')
    expect(await refusal(verify(first.id, code()))).toBe('CONFLICT')
    expect(await refusal(verify(second.id, code()))).toBe('INVALID_MFA_CODE')
    expect(await status(second.id)).toBe('creating')
    expect(await refusal(verify(first.withdrawals[0]?.id ?? '', code()))).toBe('NOT_FOUND')
    expect(await refusal(merchant.client.payout({ params: { id: '1' } }))).toBe('NOT_FOUND')
  })

  test('may be wrong ten times; an hour later the batch is rejected and its funds are returned', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const { id } = await create()
    for (let i = 0; i < 10; i++) expect(await refusal(verify(id, wrong(code())))).toBe('INVALID_MFA_CODE')
    expect(await refusal(verify(id, code()))).toBe('CONFLICT')
    expect(await status(id)).toBe('creating')
    await house.wait(3_600_000)
    expect(await status(id)).toBe('rejected')
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000)
    await house.proveLedger()
  })

  test('verifies nothing after the hour, even before the batch is rejected', async () => {
    for (const [late, expected] of [
      [-1, 'not refused'],
      [0, 'CONFLICT'],
      [60_000, 'CONFLICT'],
    ] as const) {
      const { house, merchant, code, create, verify, status } = await paying()
      const { id } = await create()
      await house.sleep(3_600_000 + late)
      expect([late, await refusal(verify(id, code()))]).toEqual([late, expected])
      await house.wait(120_000)
      expect([late, await status(id)]).toEqual([late, late < 0 ? 'finished' : 'rejected'])
      if (late >= 0) expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000)
      await house.proveLedger()
    }
  })

  test('is generated from a secret that the database stores encrypted only', async () => {
    const { house, merchant, totpSecret } = await paying()
    const row = await house.app.store.read((reader) => merchantOf(reader, merchant.id))
    expect(row?.totp_sealed).toBeTruthy()
    expect(JSON.stringify(row)).not.toContain(totpSecret)
    expect(Buffer.from(row?.totp_sealed ?? '', 'base64').toString('latin1')).not.toContain(totpSecret)
  })
})

describe('policy and schedule', () => {
  test('a frozen account’s batches are not verified, and verified ones wait until it is unfrozen', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const [verified, other] = [await create(), await create()]
    await verify(verified.id, code())
    await setMerchant(house.app, merchant.id, { frozen: true })
    await house.wait(60_000)
    expect(await refusal(verify(other.id, code()))).toBe('FROZEN')
    await house.wait(600_000)
    expect([await status(verified.id), await status(other.id)]).toEqual(['waiting', 'creating'])
    await setMerchant(house.app, merchant.id, { frozen: false })
    await house.wait(120_000)
    expect(await status(verified.id)).toBe('finished')
    expect(await verify(other.id, code())).toBe('OK')
  })

  test('with the compatibility option a token alone cancels a scheduled payout, and still pays nothing out', async () => {
    const { house, merchant, create } = await paying()
    const { id } = await create({ execute_at: new Date(house.now() + 7_200_000).toISOString() })
    const { token } = await merchant.client.auth({ body: { email: merchant.email, password: merchant.password } })
    const bare = merchant.clientWith({ authorization: `Bearer ${token}` })
    expect(await refusal(bare.cancelBatch({ params: { id } }))).toBe('AUTH_REQUIRED')
    await setMerchant(house.app, merchant.id, { compat: true })
    expect(await refusal(bare.verifyPayouts({ params: { id }, body: { verification_code: '123456' } }))).toBe(
      'AUTH_REQUIRED',
    )
    expect(await bare.cancelBatch({ params: { id } })).toMatchObject({ withdrawals: [{ status: 'rejected' }] })
  })

  test('a batch above the approval limit waits for an approver, who may reject it', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    await setMerchant(house.app, merchant.id, { approvalUsd: '50' })
    const yes = await create()
    const no = await create()
    await verify(yes.id, code())
    await house.wait(30_000)
    await verify(no.id, code())
    await house.wait(120_000)
    expect([await status(yes.id), await status(no.id)]).toEqual(['waiting', 'waiting'])
    await decideBatch(house.app, yes.id, 'approve')
    await decideBatch(house.app, no.id, 'reject')
    await house.wait(120_000)
    expect([await status(yes.id), await status(no.id)]).toEqual(['finished', 'rejected'])
    expect(await refusal(decideBatch(house.app, no.id, 'approve'))).toBe('CONFLICT')
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(897.9)
    await house.proveLedger()
  })

  test('a scheduled payout is sent at its time, and can be canceled until then', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const executeAt = new Date(house.now() + 7_200_000).toISOString()
    const kept = await create({ execute_at: executeAt })
    const dropped = await create({ execute_at: executeAt })
    await verify(kept.id, code())
    await house.wait(3_000_000)
    expect(await status(kept.id)).toBe('waiting')
    const client = await merchant.loggedIn()
    const item = dropped.withdrawals[0]?.id ?? ''
    expect(await client.cancelPayout({ params: { id: 'w_id' }, body: { payout_id: item } })).toMatchObject({
      id: item,
      status: 'rejected',
    })
    await house.wait(7_200_000)
    expect(await status(kept.id)).toBe('finished')
    const later = await merchant.loggedIn()
    expect(await refusal(later.cancelBatch({ params: { id: kept.id } }))).toBe('CONFLICT')
    await house.proveLedger()
  })
})

test('payouts are listed, filtered in any case, and priced before creation', async () => {
  const { merchant, create } = await paying()
  const { id } = await create({ fiat_amount: 50, fiat_currency: 'USD', amount: undefined })
  await create()
  const list = (query: object) => merchant.client.payouts({ query })
  expect((await list({ status: 'CREATING', limit: 1 })).payouts).toHaveLength(1)
  expect((await list({ batch_id: id })).payouts).toMatchObject([{ amount: '50', fiat_amount: '50' }])
  expect((await list({ page: 1 })).payouts).toEqual([])
  expect(await refusal(list({ status: 'odd' }))).toBe('INVALID_REQUEST_PARAMS')
  expect(await merchant.client.payoutFee({ query: { currency: 'USDTTRC20', amount: '10' } })).toEqual({
    currency: 'usdttrc20',
    fee: 2.1,
  })
  expect(await merchant.client.payoutMinimum({ params: { coin: 'usdttrc20' } })).toEqual({ success: true, result: 8.4 })
})

test('the demo merchant can pay out with the data of the ready file, through a published client', async () => {
  const house = await openHouse()
  await ensureGatewayDemo(house.app)
  await ensureGatewayDemo(house.app)
  const { url } = await house.server.listen()
  for (const [environment, path] of [
    ['production', ''],
    ['sandbox', '/sandbox'],
  ] as const) {
    const demo = await demoCredentials(house.app, environment)
    if (!demo) throw new Error('no demo')
    const np = new NowPayments({ apiKey: demo.payoutApiKey, baseUrl: url + path })
    const { token } = await np.getAuthToken(demo.email, demo.password)
    const address = demo.whitelisted['btc'] ?? ''
    const { id } = await np.createPayout({ withdrawals: [{ address, currency: 'btc', amount: 0.01 }] }, token)
    const code = generateSync({ secret: demo.totpSecret, epoch: house.now() / 1000 })
    expect(await np.verifyPayout(id, code, token)).toBe('OK')
    await house.wait(3_600_000)
    expect(await np.getPayoutStatus(id)).toMatchObject({ withdrawals: [{ status: 'finished' }] })
  }
  await house.proveLedger()
})

describe('the policy is checked again when a payout is sent:', () => {
  const callbackStatuses = async (house: House, merchant: string, id: string) =>
    (await house.app.store.read((reader) => deliveriesAbout(reader, merchant, id))).map(({ event }) => event)

  test('a payout whose address left the whitelist is rejected with a callback, its funds are returned, and the rest of its batch continues', async () => {
    const { house, merchant, code, verify } = await paying()
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', stranger)
    const client = await merchant.loggedIn()
    const items = [wallet, stranger, wallet].map((address) => ({ address, currency: 'usdttrc20', amount: 100 }))
    const { id, withdrawals } = await client.createPayouts({
      body: { ipn_callback_url: 'https://shop.example/payout', withdrawals: items },
    })
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', stranger, false)
    await verify(id, code())
    await house.wait(120_000)
    expect(await merchant.client.payout({ params: { id } })).toMatchObject({
      withdrawals: [
        { status: 'finished', error: null },
        { status: 'rejected', hash: null, error: 'POLICY_REJECTED: The address is not whitelisted for usdttrc20' },
        { status: 'finished', error: null },
      ],
    })
    expect(await callbackStatuses(house, merchant.id, withdrawals[1]?.id ?? '')).toEqual([
      'creating',
      'waiting',
      'rejected',
    ])
    expect((await merchant.client.balance({}))['usdttrc20']).toEqual({ amount: 795.8, pendingAmount: 0 })
    await house.proveLedger()
  })

  test('one to an address that was sanctioned after its approval is rejected', async () => {
    const { house, merchant, code, create, verify } = await paying()
    await setMerchant(house.app, merchant.id, { approvalUsd: '50' })
    const { id } = await create({ execute_at: new Date(house.now() + 7_200_000).toISOString() })
    await verify(id, code())
    await decideBatch(house.app, id, 'approve')
    await sanction(house.app, wallet)
    await house.wait(7_260_000)
    expect(await merchant.client.payout({ params: { id } })).toMatchObject({
      withdrawals: [{ status: 'rejected', error: 'POLICY_REJECTED: The destination is on a sanctions list' }],
    })
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000)
    await house.proveLedger()
  })

  test.each([
    ['100', 'finished'],
    ['99.99', 'rejected'],
  ])('with the limit for one payout set to %s in the meantime, one of 100 usd ends %s', async (limit, expected) => {
    const { house, merchant, code, create, verify, status } = await paying()
    const { id } = await create()
    await setMerchant(house.app, merchant.id, { payoutLimitUsd: limit })
    await verify(id, code())
    await house.wait(120_000)
    expect(await status(id)).toBe(expected)
    await house.proveLedger()
  })

  test('payouts scheduled on two days for one day share its limit, and the next day has its own', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    await setMerchant(house.app, merchant.id, { payoutDayLimitUsd: '200' })
    const noonIn = (days: number) => new Date(house.now() + days * 86_400_000).toISOString()
    const third = noonIn(2)
    const ids: string[] = []
    const schedule = async (execute_at: string) => {
      const { id } = await create({ execute_at })
      await verify(id, code())
      await house.wait(60_000)
      ids.push(id)
    }
    await schedule(third)
    await schedule(third)
    await house.wait(86_400_000)
    await schedule(third)
    await schedule(noonIn(2))
    await house.wait(3 * 86_400_000)
    expect(await Promise.all(ids.map(status))).toEqual(['finished', 'finished', 'rejected', 'finished'])
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000 - 3 * 102.1)
    await house.proveLedger()
  })

  test('a process that dies between decision and sending neither decides nor sends twice', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const [first, kept] = [await create(), await create({ amount: 50 })]
    await verify(first.id, code())
    await house.wait(30_000)
    // Both are due at once, and the first is not allowed any more when it is to be sent.
    const { id } = await create({ execute_at: new Date(house.now() + 60_000).toISOString() })
    await house.wait(30_000)
    await verify(id, code())
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet, false)
    const dying = {
      ...house.app,
      store: {
        ...house.app.store,
        write: (async (...args: Parameters<typeof house.app.store.write>) => {
          await house.app.store.write(...args)
          throw new Error('the process is gone')
        }) as typeof house.app.store.write,
      },
    }
    await house.sleep(60_000)
    await expect(sendPayouts(dying, 10)).rejects.toThrow('gone')
    expect(await status(id)).toBe('rejected')
    await house.wait(120_000)
    expect(await callbackStatuses(house, merchant.id, (await itemsOf(merchant, id))[0]?.id ?? '')).toEqual([
      'creating',
      'waiting',
      'rejected',
    ])
    expect(await status(first.id)).toBe('finished')
    expect(await status(kept.id)).toBe('creating')
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBe(1000 - 102.1 - 52.1)
    await house.proveLedger()
  })

  test('without a price a payout under a limit waits, and is sent when there is one again', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    await setMerchant(house.app, merchant.id, { payoutLimitUsd: '500' })
    const { id } = await create()
    await verify(id, code())
    await ageRates(house.app, 3_600_000)
    await house.wait(600_000)
    expect(await status(id)).toBe('waiting')
    await resetRates(house.app)
    await house.wait(180_000)
    expect(await status(id)).toBe('finished')
  })
})

async function itemsOf(merchant: Merchant, id: string) {
  const read = await merchant.client.payout({ params: { id } })
  return Array.isArray(read) ? read : read.withdrawals
}
