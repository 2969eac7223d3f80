import { ipnText } from '../../../domain/signing.ts'
import { momentText } from '../../../kit/moment.ts'
import { enqueue } from '../../../outbox/enqueue.ts'
import { refuse } from '../api/contract.ts'
import { callbackUrl, checkCallbackNames } from '../ipn/ipns.ts'
import type { Gateway } from '../service.ts'
import { theMerchant } from './platform.ts'

/**
 * Enqueues a test callback to the merchant's URL or another one. It has all fields of a payment, so that a receiver's
 * parsing is tested too. Its id and amounts are 0, and `gw_test` is true. Returns the delivery's id.
 */
export async function sendTestIpn(app: Gateway, merchantId: string, to?: string): Promise<string> {
  await checkCallbackNames(app, { ipn_callback_url: to })
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, merchantId)
    const url = callbackUrl(app, to, 'url') ?? merchant.ipn_url
    if (url === null)
      throw refuse(
        'CONFLICT',
        `Merchant ${merchant.id} has no IPN URL. To set one: countroom help console merchants ipn url`,
      )
    const id = app.id()
    const body = ipnText({
      actually_paid: 0,
      actually_paid_at_fiat: 0,
      gw_test: true,
      invoice_id: null,
      order_description: 'Test callback',
      order_id: null,
      outcome_amount: 0,
      outcome_currency: 'usdttrc20',
      parent_payment_id: null,
      pay_address: '',
      pay_amount: 0,
      pay_currency: 'usdttrc20',
      payment_id: 0,
      payment_status: 'waiting',
      price_amount: 0,
      price_currency: 'usd',
      purchase_id: null,
      updated_at: momentText(tx.now),
    })
    await enqueue(tx, {
      id,
      channel: 'merchant-ipn',
      owner: merchant.id,
      event: 'test',
      subject: '0',
      url,
      body,
      maxAttempts: merchant.ipn_attempts ?? undefined,
    })
    return id
  })
}
