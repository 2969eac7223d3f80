import type { SignatureVector } from '../../../http/docs/samples/sample.ts'

const secret = 'sk_l_5b1f0c7e9a3d4862'
const body = '{"username":"amy","txnId":"deposit-7f3a9c21","amount":"10.00","currency":"USD"}'
const bodyHash = '4d00e49b838371481b8683ff2f32265c4843ae1ebb7c349dfa8b034e5b962beb'
const request = {
  method: 'POST',
  path: '/api/tenant/v1/wallet/deposit',
  timestamp: '1772323200',
  nonce: '4f9d0c2b7a615e384f9d0c2b',
}
const webhookSecret = 'whs_3c9e1d7f5b2a4068'
const webhookBody =
  '{"id":"01J8Z3V7C4R2M9K6H3F1E0D8B5","event":"account.topup","companyCode":"DEMO","createdAt":"2026-03-01T00:00:00.000Z","data":{"amountUsd":"100.00","balanceUsd":"250.00","ref":"bank-1042"}}'

/** Worked signatures of a request and of a webhook (1-tenant-api, Authentication and Events). */
export const signatureVectors: readonly SignatureVector[] = [
  {
    title: 'A signed request',
    description: 'The five lines are joined by line feeds, without one at the end. X-Signature is their HMAC-SHA256.',
    parts: [
      ['Method', request.method],
      ['Path and query', request.path],
      ['X-Timestamp', request.timestamp],
      ['X-Nonce', request.nonce],
      ['Body', body],
      ['SHA-256 of the body', bodyHash],
    ],
    text: [request.method, request.path, request.timestamp, request.nonce, bodyHash].join('\n'),
    secret,
    algorithm: 'sha256',
    signature: 'c3b1c7282d764dbe761fb0405272f50a5b853602222ab4562615efe9ce619753',
  },
  {
    title: 'A webhook',
    description:
      'X-Svc-Signature is t=TIME,v1=SIGNATURE. The signature is the HMAC-SHA256 of the time, a full stop and the raw body. The secret is used whole, with its whs_.',
    parts: [
      ['Time', request.timestamp],
      ['Body', webhookBody],
    ],
    text: `${request.timestamp}.${webhookBody}`,
    secret: webhookSecret,
    algorithm: 'sha256',
    signature: '882c383ec1421efda4b81adb83373f102a0c79d34021230d33232dff93729914',
  },
]
