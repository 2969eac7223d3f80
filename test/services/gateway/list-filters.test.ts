import { expect, test } from 'vitest'
import { aMerchant, aPayment, openHouse } from './house.ts'

test('payments are listed by status, one or several', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await aPayment(merchant)
  const count = async (status: string) => (await merchant.client.payments({ query: { status } })).total
  expect([await count('waiting'), await count('finished'), await count('finished,waiting')]).toEqual([1, 0, 1])
})
