import { generateSync } from 'otplib'
import { enrollTotp, fund, setWhitelisted, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, openHouse } from './house.ts'

export const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
export const stranger = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/** A merchant with 1000 usdttrc20, a whitelisted address, a second factor, and a key that may pay out. */
export async function paying() {
  const house = await openHouse()
  const merchant = await aMerchant(house, {
    scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
  })
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1000')
  })
  await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet)
  const { totpSecret } = await enrollTotp(house.app, merchant.id)
  const code = () => generateSync({ secret: totpSecret, epoch: house.now() / 1000 })
  const input = (over = {}) => ({
    ipn_callback_url: 'https://shop.example/payout',
    withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 100, ...over }],
  })
  const create = async (over = {}) => (await merchant.loggedIn()).createPayouts({ body: input(over) })
  const verify = async (id: string, verification_code: string) =>
    (await merchant.loggedIn()).verifyPayouts({ params: { id }, body: { verification_code } })
  const status = async (id: string) => {
    const read = await merchant.client.payout({ params: { id } })
    return (Array.isArray(read) ? read : read.withdrawals)[0]?.status
  }
  return { house, merchant, totpSecret, code, input, create, verify, status }
}
