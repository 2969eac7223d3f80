import { describe, expect, test } from 'vitest'
import { isForCustomers, secretsIn } from '../../../../src/domain/tickets/outgoing/secrets.ts'

/** What of a text may be shown, and what is hidden. */
const partsOf = (text: string) =>
  secretsIn(text).map(({ rule, at, hiddenFrom, end }) => [
    rule,
    text.slice(at, hiddenFrom),
    text.slice(hiddenFrom, end),
  ])

test('a text without any has none', () => {
  expect(secretsIn('Your withdrawal of 20 USD is on its way.')).toEqual([])
})

test('what stands before a secret may be shown, the secret itself may not', () => {
  expect(partsOf('Your password is Tr0ub4dor&3')).toEqual([['secret', 'password is ', 'Tr0ub4dor&3']])
  expect(partsOf('See https://x.example/?token=abcd1234efgh')).toEqual([['secret', 'token=', 'abcd1234efgh']])
  expect(partsOf('postgres://ann:hunter22@db.example/x')).toEqual([['secret', 'postgres://ann:', 'hunter22']])
})

test('several are told in the order of the text, and one within another once', () => {
  const key = 'ek_l_aB3dE6gH9jK2mN5pQ8sT1vW4'
  expect(partsOf(`whs_aB3dE6gH9jK2 and api key: ${key}`)).toEqual([
    ['secret', '', 'whs_aB3dE6gH9jK2'],
    ['api-key', '', key],
  ])
})

describe('a seed', () => {
  const twelve = 'abandon ability absent absorb abstract absurd abuse access accident account accuse achieve'
  test('of twelve words is found with its end, numbered or not', () => {
    expect(partsOf(`Seed? ${twelve}.`)).toEqual([['seed-phrase', '', twelve]])
    const numbered = twelve.split(' ').map((word, i) => `${i + 1}. ${word}`)
    expect(secretsIn(numbered.join('\n')).map(({ rule }) => rule)).toEqual(['seed-phrase'])
  })
  test('of eleven words is none', () => {
    expect(secretsIn(twelve.replace(' achieve', ''))).toEqual([])
  })
})

describe('what customers rightly get', () => {
  test.each([
    ['a hash of a transaction', 'a'.repeat(32) + '1'.repeat(32)],
    ['the same with 0x', `0x${'ab12'.repeat(16)}`],
    ['an address of Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['an address of Bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
    ['an address of TRON', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'],
    ['an id of ours', 'pay_01JZ0000000000000000000000'],
    ['an id of a payment provider', 'pi_3MtwBwLkdIwHu7ix28a3tqPa'],
  ])('%s', (_name, run) => {
    expect(isForCustomers(run)).toBe(true)
  })
  test.each([
    ['letters and digits drawn by chance', 'xT9kQ2mZ7pL4vB8nW3cR6yH1sD5fG0jK'],
    ['with signs of base64', 'aB+3dE/6gH9jK2mN5pQ8sT1vW4yZ7=='],
    ['too short for an address', 'aB3dE6gH9jK2mN5pQ8sT1vW4'],
  ])('but not %s', (_name, run) => {
    expect(isForCustomers(run)).toBe(false)
  })
})
