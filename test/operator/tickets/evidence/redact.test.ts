import { expect, test } from 'vitest'
import { redactor } from '../../../../src/operator/tickets/evidence/redact.ts'

const redact = redactor([
  { text: 'amy', label: '[customer]' },
  { text: 'Amy "Ace" O\'Tan', label: '[customer]' },
  { text: '陳大文', label: '[customer]' },
  { text: 'a$', label: '[agent]' },
  { text: ' ', label: '[nobody]' },
  { text: 'She is a VIP.\nBe nice', label: '[internal comment]' },
])

test.each([
  ['a name as a word, in any case', 'AMY and amy, not amyl or gamy', '[customer] and [customer], not amyl or gamy'],
  ['the longer name first', 'Amy "Ace" O\'Tan', '[customer]'],
  ['a name in JSON', '{"name":"Amy \\"Ace\\" O\'Tan"}', '{"name":"[customer]"}'],
  ['a name in HTML', 'Amy &quot;Ace&quot; O&#39;Tan', '[customer]'],
  ['a name in a URL', "?username=amy&name=Amy%20%22Ace%22%20O'Tan", '?username=[customer]&name=[customer]'],
  ['a name without spaces around it', '我是陳大文。', '我是陳大文。'.replace('陳大文', '[customer]')],
  ['a name with signs of patterns', 'by a$.', 'by [agent].'],
  ['a text of several lines in JSON', '"She is a VIP.\\nBe nice"', '"[internal comment]"'],
  ['an e-mail address', 'write to x.y+z@shop.example.', 'write to [email].'],
  ['a phone number', 'call +886 912 345 678 now', 'call [phone] now'],
  ['an IP address', 'from 10.1.2.3:80', 'from [ip]:80'],
  [
    'wallet addresses',
    'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE 0x52908400098527886E0F7030069857D2E4169EE7',
    '[address] [address]',
  ],
  ['a card number', 'my card 4111 1111 1111 1111!', 'my card [card]!'],
  [
    'amounts, times and IDs stay',
    '{"at":1772409600000,"id":"20260310-0001","amount":"4111.50"}',
    '{"at":1772409600000,"id":"20260310-0001","amount":"4111.50"}',
  ],
])('%s', (_, text, result) => {
  expect(redact(text)).toBe(result)
})
