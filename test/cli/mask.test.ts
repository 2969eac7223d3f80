import { expect, test } from 'vitest'
import { hide, masked, maskedValue } from '../../src/cli/mask.ts'

test('what is a secret by its form is never printed', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  expect(masked(`key ek_s_0123456789ABCDEF and ${jwt}`)).toBe('key ek_s_*** and ***')
  expect(masked('open postgres://count:pa:ss@db/x now')).toBe('open postgres://count:***@db/x now')
  expect(masked('https://h/Launch?token=abc&lang=ENG')).toBe('https://h/Launch?token=***&lang=ENG')
  const proof = 'a'.repeat(43)
  expect(masked(`ck_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6_${proof} cat_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6_${proof}`)).toBe(
    'ck_*** cat_***',
  )
  expect(masked(`a room's rt_${proof}.${proof}, and start_at`)).toBe("a room's rt_***, and start_at")
  expect(masked('http://127.0.0.1:8787/a and amy@example.com')).toBe('http://127.0.0.1:8787/a and amy@example.com')
})

test('a secret once learned is taken out of everything, also inside values', () => {
  hide(['correct horse', 'abc'])
  expect(maskedValue({ a: ['the correct horse', 1], b: null, c: true })).toEqual({
    a: ['the ***', 1],
    b: null,
    c: true,
  })
  expect(masked('abc stays: it is too short to be one')).toBe('abc stays: it is too short to be one')
})
