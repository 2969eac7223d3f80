import { wordlist } from '@scure/bip39/wordlists/english.js'
import { expect, test } from 'vitest'
import { seedWords } from '../../../../src/domain/tickets/outgoing/seed-words.ts'

test('the words of seeds are those of BIP-39, in its order', () => {
  expect(seedWords.length).toBe(2048)
  expect(seedWords).toEqual(wordlist)
})
