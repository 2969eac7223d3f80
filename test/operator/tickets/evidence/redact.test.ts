import { expect, test } from 'vitest'
import { redactor } from '../../../../src/operator/tickets/evidence/redact.ts'

const ids = ['0912000111', '5500005555555559']
const people = [
  { text: 'amy', label: '[customer]' },
  { text: 'Amy "Ace" O\'Tan', label: '[customer]' },
  { text: '陳大文', label: '[customer]' },
  { text: '客戶 1 👩‍💻', label: '[customer]' },
  { text: 'a$', label: '[agent]' },
  { text: ' ', label: '[nobody]' },
  { text: 'Player', label: '[customer]', isPart: true },
  { text: 'She is a VIP.\nBe nice', label: '[internal comment]' },
]
const redact = redactor(people, ids)

test.each([
  ['a name as a word, in any case', 'AMY and amy, not amyl or gamy', '[customer] and [customer], not amyl or gamy'],
  ['the longer name first', 'Amy "Ace" O\'Tan', '[customer]'],
  ['a name in JSON', '{"name":"Amy \\"Ace\\" O\'Tan"}', '{"name":"[customer]"}'],
  ['a name with an invisible character in HTML', '<bdi>客戶 1 👩\\u200d💻</bdi>', '<bdi>[customer]</bdi>'],
  ['a name in HTML', 'Amy &quot;Ace&quot; O&#39;Tan', '[customer]'],
  ['a name in a URL', "?username=amy&name=Amy%20%22Ace%22%20O'Tan", '?username=[customer]&name=[customer]'],
  ['a name without spaces around it', '我是陳大文。', '我是陳大文。'.replace('陳大文', '[customer]')],
  ['a name with signs of patterns', 'by a$.', 'by [agent].'],
  ['a text of several lines in JSON', '"She is a VIP.\\nBe nice"', '"[internal comment]"'],
  [
    'a name, phone, IP and card after an escaped line break in JSON',
    '{"text":"Hi\\namy\\t+886 912 345 678\\n10.1.2.3\\n4111111111111111","n":1.10}',
    '{"text":"Hi\\n[customer]\\t[phone]\\n[ip]\\n[card]","n":1.10}',
  ],
  [
    'a name in JSON within JSON',
    JSON.stringify({ body: JSON.stringify({ text: 'one\namy' }) }),
    JSON.stringify({ body: JSON.stringify({ text: 'one\n[customer]' }) }),
  ],
  ['a name in a JSON text that was cut off', '{"text":"one\\namy', '{"text":"one\\n[customer]"'],
  ['a name with escapes for its characters', '{"name":"\\u9673\\u5927\\u6587"}', '{"name":"[customer]"}'],
  [
    'a name in the middle of a URL part',
    '/a?q=hi%20amy%21&n=%e9%99%b3%e5%a4%a7%e6%96%87',
    '/a?q=hi%20[customer]!&n=[customer]',
  ],
  [
    'a word of a name, not the name of a field',
    '{"player":{"body":"{\\"player\\": \\"Player\\"}"}}',
    '{"player":{"body":"{\\"player\\": \\"[customer]\\"}"}}',
  ],
  ['a name in a form', 'text=hi+Amy+%22Ace%22+O%27Tan', 'text=hi%20[customer]'],
  [
    'an email address and phone number in a URL',
    '?email=a.b%40x.example&tel=%2B886912345678',
    '?email=[email]&tel=[phone]',
  ],
  ['a national phone number', 'call 0912 345 678 or 0912-345-678.', 'call [phone] or [phone].'],
  ['a phone number with 00', 'call 00886 912 345 678', 'call [phone]'],
  ['a message that is a phone number', '{"text":"0912345678"}', '{"text":"[phone]"}'],
  [
    'IDs of the case with the form of a phone or card number stay',
    '{"txnId":"0912000111"} 0912000111, 5500005555555559 and 0912000112',
    '{"txnId":"0912000111"} 0912000111, 5500005555555559 and [phone]',
  ],
  [
    'amounts with the digits of a phone number stay',
    '+12345678.50 +123456789,25 0.0912345678 -0912345678 00912345.67',
    '+12345678.50 +123456789,25 0.0912345678 -0912345678 00912345.67',
  ],
  ['an email address', 'write to x.y+z@shop.example.', 'write to [email].'],
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
    '{"at":1772409600000,"id":"20260310-0001","amount":"4111.50","on":"2026-03-10T00:00:00.000Z","hash":"0x0123456789"}',
    '{"at":1772409600000,"id":"20260310-0001","amount":"4111.50","on":"2026-03-10T00:00:00.000Z","hash":"0x0123456789"}',
  ],
  ['escapes and URLs without personal data stay', '{"a":"x\\u00e9\\n%20y\\/"}', '{"a":"x\\u00e9\\n%20y\\/"}'],
])('%s', (_, text, result) => {
  expect(redact(text)).toBe(result)
})
