import type { SignatureVector } from '../../../http/docs/samples/sample.ts'

/** Worked signature of a customer's identity, which the merchant's back end makes for its page. */
export const identityVector: SignatureVector = {
  title: 'A signed identity',
  description:
    "The signature is the HMAC-SHA256 of the customer's account, a full stop and the time in Unix seconds, keyed with the identity secret. It is valid for 300 seconds.",
  parts: [
    ['customerAccount', 'ann'],
    ['issuedAt', '1772323200'],
  ],
  text: 'ann.1772323200',
  secret: 'Q5dZt8LmVw2Xc7RkPj4HsNf9By1GaTe6UoIx3KvWlE0',
  algorithm: 'sha256',
  signature: 'cfc306663421068b3841aceca4b4e4e2cd8fd3284702fa52b2e189b141e43f9a',
}
