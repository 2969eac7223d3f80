import { expect, test } from 'vitest'
import { maskedHeaders, maskedText } from '../../src/domain/message-masks.ts'
import { withoutSecretForms } from '../../src/domain/secret-forms.ts'

const ulid = '01JQ7Z6Y3V8T2M9K4H5N0B1C2D'

test.each([
  ['key ek_l_AbCd1234 of live', 'key ek_l_*** of live'],
  ['key ek_s_AbCd1234', 'key ek_s_***'],
  [`gw_${'a'.repeat(16)}`, 'gw_***'],
  [`agent cat_${ulid}_${'x'.repeat(20)}`, 'agent cat_***'],
  [`rt_${'x'.repeat(20)}.sig`, 'rt_***'],
  ['whs_abcd', 'whs_***'],
  ['Bearer eyJhbGciOi.eyJzdWIi.c2ln done', 'Bearer *** done'],
  ['postgres://user:pa55@db:5432/x', 'postgres://user:***@db:5432/x'],
  ['/play?token=abc&table=BAC-01', '/play?token=***&table=BAC-01'],
  ['/x?a=1&signature=ff00 next', '/x?a=1&signature=*** next'],
])('hides the secret of %s', (text, safe) => {
  expect(withoutSecretForms(text)).toBe(safe)
})

test.each(['no secret here', `wk_${'a'.repeat(16)} is public`, 'ek_l_abc', 'a token of thanks', 'http://host:8080/x'])(
  'leaves %s unchanged',
  (text) => {
    expect(withoutSecretForms(text)).toBe(text)
  },
)

test('masks secret headers and fields of messages, and leaves the rest unchanged', () => {
  expect(
    maskedHeaders({ authorization: 'Bearer abc.def', 'x-api-key': 'ek_s_12345678', 'x-nonce': 'n', date: undefined }),
  ).toEqual({ authorization: 'Bearer ***', 'x-api-key': 'ek_s_***', 'x-nonce': 'n' })
  expect(maskedText('{"password" : "a\\"b", "amount":1.10}')).toBe('{"password" : "***", "amount":1.10}')
  expect(maskedText('/play?t=abc&table=x')).toBe('/play?t=***&table=x')
})
