import { expect, test } from 'vitest'
import { ownSecrets } from '../../../../src/domain/tickets/outgoing/own-secrets.ts'

/** Returns the kind of a text by its complete form. */
const formsOf = (text: string) =>
  ownSecrets.filter(({ prefix, rest }) => new RegExp(`^${prefix}${rest}$`).test(text)).map(({ kind: what }) => what)

const ulid = '01JZ0000000000000000000000'
const letters = (length: number) => 'aB3'.repeat(length).slice(0, length)

test.each([
  [`ek_l_${letters(24)}`, 'key of the casino API'],
  [`ek_s_${letters(24)}`, 'key of the casino API'],
  [`gw_p_${letters(32)}`, 'key of the gateway API'],
  [`gw_s_${letters(32)}`, 'key of the gateway API'],
  [`gw_${letters(32)}`, 'key of the gateway API'],
  [`ck_${ulid}_${letters(43)}`, 'key of the chat API'],
  [`cat_${ulid}_${letters(43)}`, 'agent token'],
  [`wk_${letters(24)}`, 'tenant key of the chat'],
  [`rt_${letters(60)}.${letters(43)}`, 'room token'],
  [`st_${letters(80)}.${letters(43)}`, 'stream ticket'],
  [`whs_${letters(32)}`, 'webhook secret'],
])('%s is one of ours: %s', (secret, what) => {
  expect(formsOf(secret)).toEqual([what])
})

test.each([
  'ek_x_abcdefgh',
  'ek_l_abc',
  `gw_${letters(15)}`,
  `ck_${letters(43)}`,
  `cat_${ulid}`,
  'wk_short',
  'whs_abc',
])('%s is not', (text) => {
  expect(formsOf(text)).toEqual([])
})

test('only the tenant key, which is in public pages, is public', () => {
  expect(ownSecrets.filter(({ isPublic }) => isPublic).map(({ kind: what }) => what)).toEqual([
    'tenant key of the chat',
  ])
})

test('keys match the rule for keys, and proofs of identity are secrets', () => {
  expect(ownSecrets.filter(({ rule }) => rule === 'secret').map(({ kind: what }) => what)).toEqual([
    'room token',
    'stream ticket',
    'webhook secret',
  ])
})
