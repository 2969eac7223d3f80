import fc from 'fast-check'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/kit/problem.ts'
import {
  depositTo,
  enrollTotp,
  fund,
  refundPayment,
  removeDeposit,
  sanction,
  setCoin,
  setWhitelisted,
  theMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, openHouse } from './house.ts'

const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

type Step =
  | { do: 'pay'; amount: number; payout: boolean; fixed: boolean }
  | { do: 'deposit' | 'stray'; which: number; percent: number }
  | { do: 'reorganize' | 'refund'; which: number }
  | { do: 'wait'; seconds: number }
  | { do: 'convert' | 'sub' | 'back' | 'payout'; amount: number }
  | { do: 'settle to wallet' | 'keep in custody' | 'bad deposit' }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    amount: fc.integer({ min: 9, max: 500 }),
    payout: fc.boolean(),
    fixed: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('deposit', 'stray'), which: fc.nat(9), percent: fc.integer({ min: 1, max: 220 }) }),
  fc.record({ do: fc.constantFrom('reorganize', 'refund'), which: fc.nat(9) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 90, 1500, 700_000) }),
  fc.record({ do: fc.constantFrom('convert', 'sub', 'back', 'payout'), amount: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ do: fc.constantFrom('settle to wallet', 'keep in custody', 'bad deposit') }),
)

test('after any history every balance is the sum of its entries, the whole sums to zero, and nothing failed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const house = await openHouse()
      const merchant = await aMerchant(house, {
        scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
      })
      await house.app.store.write(async (tx) => {
        await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '500')
      })
      await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet)
      await sanction(house.app, 'bad')
      const { totpSecret } = await enrollTotp(house.app, merchant.id)
      const sub = (await (await merchant.loggedIn()).createSubaccount({ body: { name: 'amy' } })).result.id
      const payments: { id: number; due: number }[] = []
      const deposits: string[] = []

      const act = async (step: Step): Promise<void> => {
        const picked = 'which' in step ? payments[step.which % Math.max(1, payments.length)] : payments.at(-1)
        switch (step.do) {
          case 'pay': {
            const body = {
              price_amount: step.amount,
              price_currency: 'usd',
              pay_currency: 'usdttrc20',
              is_fixed_rate: step.fixed,
              ...(step.payout ? { payout_currency: 'btc' } : {}),
            }
            const made = await merchant.client.createPayment({ body })
            payments.push({ id: made.payment_id, due: made.pay_amount })
            return
          }
          case 'deposit':
          case 'stray': {
            if (!picked) return
            const amount = ((picked.due * step.percent) / 100).toFixed(6)
            const plan = step.do === 'stray' ? { amount, contract: null } : { amount, sender: wallet }
            deposits.push((await depositTo(house.app, picked.id, plan)).id)
            return
          }
          case 'bad deposit':
            if (picked) deposits.push((await depositTo(house.app, picked.id, { sender: 'bad' })).id)
            return
          case 'reorganize':
            await removeDeposit(house.app, deposits[step.which % Math.max(1, deposits.length)] ?? 'none')
            return
          case 'refund':
            if (picked) await refundPayment(house.app, picked.id)
            return
          case 'wait':
            return house.wait(step.seconds * 1000)
          case 'settle to wallet':
          case 'keep in custody':
            await setCoin(house.app, merchant.id, 'usdttrc20', {
              wallet: step.do === 'settle to wallet' ? wallet : null,
            })
            return
          case 'convert': {
            const body = { amount: step.amount, from_currency: 'usdttrc20', to_currency: 'btc' }
            await (await merchant.loggedIn()).createConversion({ body })
            return
          }
          case 'sub':
          case 'back': {
            const client = await merchant.loggedIn()
            const body = { currency: 'usdttrc20', amount: step.amount, sub_partner_id: sub }
            await (step.do === 'sub' ? client.depositToSub({ body }) : client.writeOffSub({ body }))
            return
          }
          case 'payout': {
            const client = await merchant.loggedIn()
            const body = { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: step.amount }] }
            const { id } = await client.createPayouts({ body })
            const verification_code = generateSync({ secret: totpSecret, epoch: house.now() / 1000 })
            await client.verifyPayouts({ params: { id }, body: { verification_code } })
          }
        }
      }
      for (const step of steps) {
        try {
          await act(step)
        } catch (error) {
          // A refusal is a response like any other; it must not have changed anything.
          if (!(error instanceof Problem) || error.code === 'INTERNAL_ERROR') throw error
        }
        await house.proveLedger()
      }
      await house.wait(30 * 24 * 3_600_000)
      await house.proveLedger()
      expect(house.failures).toEqual([])
    }),
    { numRuns: 15, seed: 20260301 },
  )
})
