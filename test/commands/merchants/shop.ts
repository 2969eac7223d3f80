import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { demoCredentials } from '../../../src/services/gateway/admin/demo-data.ts'
import { depositTo, sanction } from '../../../src/services/gateway/admin/platform.ts'
import { gateway as contract } from '../../../src/services/gateway/api/contract.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { openWorld } from '../../../src/world/world.ts'

export const payer = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

/** A world with a paid, an overpaid, two part-paid, a frozen and a foreign payment, an hour later. */
export async function aShop(db: string) {
  const world = await openWorld({ db })
  await ensureDemoWorld(world)
  const demo = await demoCredentials(world.gateway, 'production')
  const transport = inProcess(world.server)
  const client = createClient(contract, (request) =>
    transport({ ...request, headers: { ...request.headers, 'x-api-key': demo?.apiKey ?? '' } }),
  )
  const pay = async (order: string, plan: Parameters<typeof depositTo>[2], isTainted = false) => {
    const { payment_id: id } = await client.createPayment({
      body: { price_amount: 100, price_currency: 'usd', pay_currency: 'usdttrc20', order_id: order },
    })
    const { sender } = await depositTo(world.gateway, id, plan)
    if (isTainted) await sanction(world.gateway, sender)
    return String(id)
  }
  const ids = {
    paid: await pay('=o-1', {}),
    overpaid: await pay('o-2', { amount: '130' }),
    part: await pay('o-3', { amount: '60' }),
    back: await pay('o-4', { amount: '50' }),
    frozen: await pay('o-5', {}, true),
    foreign: await pay('o-6', { contract: null, amount: '70' }),
  }
  await client.createInvoice({ body: { price_amount: 12, price_currency: 'usd', order_id: 'o-7' } })
  await world.clock.advance((await world.clock.now()) + 3_600_000)
  await world.close()
  return ids
}
