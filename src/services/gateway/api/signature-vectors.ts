import type { SignatureVector } from '../../../http/docs/samples/sample.ts'

const body =
  '{"actually_paid":100.25,"order_id":"order-1042","pay_amount":100.25,"pay_currency":"usdttrc20","payment_id":5000000191,"payment_status":"finished","price_amount":100,"price_currency":"usd"}'

/** Worked signature of an IPN (2-payment-gateway-api, Events). */
export const signatureVectors: readonly SignatureVector[] = [
  {
    title: 'An IPN',
    description:
      'x-gw-sig is the HMAC-SHA512 of the raw body, keyed with the IPN secret. The body has its keys sorted at every depth and no spaces. It is shortened here.',
    parts: [['Body', body]],
    text: body,
    secret: 'kB7xQ2mT9vLc4WzR8nHd',
    algorithm: 'sha512',
    signature:
      '6c09935ec011babd7ee421d68d5ca9b65e526f5d0467638f134bcc97796c6513f91e7e4121ac29d48ec42fea2d940ba4bd3387451748ea81ada99e85f1254c34',
  },
]
