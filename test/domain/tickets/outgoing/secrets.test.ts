import { describe, expect, test } from 'vitest'
import { isForCustomers, secretsIn } from '../../../../src/domain/tickets/outgoing/secrets.ts'

/** Parts of a text that may be shown, and parts that are hidden. */
const partsOf = (text: string) =>
  secretsIn(text).map(({ rule, at, hiddenFrom, end }) => [
    rule,
    text.slice(at, hiddenFrom),
    text.slice(hiddenFrom, end),
  ])

test('a text without secrets has none', () => {
  expect(secretsIn('Your withdrawal of 20 USD is on its way.')).toEqual([])
})

test('the text before a secret can be shown, the secret cannot', () => {
  expect(partsOf('Your password is Tr0ub4dor&3')).toEqual([['secret', 'password is ', 'Tr0ub4dor&3']])
  expect(partsOf('See https://x.example/?token=abcd1234efgh')).toEqual([['secret', 'token=', 'abcd1234efgh']])
  expect(partsOf('postgres://ann:hunter22@db.example/x')).toEqual([['secret', 'postgres://ann:', 'hunter22']])
})

test('several are reported in the order of the text, and a nested one once', () => {
  const key = 'ek_l_aB3dE6gH9jK2mN5pQ8sT1vW4'
  expect(partsOf(`whs_aB3dE6gH9jK2 and api key: ${key}`)).toEqual([
    ['secret', '', 'whs_aB3dE6gH9jK2'],
    ['api-key', '', key],
  ])
})

describe('a secret of a known form', () => {
  // Joined here: none of them is valid, so no secret scanner needs to report this file.
  const one = (...parts: readonly string[]) => parts.join('')
  const a36 = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
  const hex32 = '0123456789abcdef0123456789abcdef'
  test.each([
    ['api-key', 'AWS key', one('AKIA', 'IOSFODNN7EXAMPLE')],
    ['api-key', 'Google API key', one('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q')],
    ['api-key', 'Google token', one('ya29.', a36)],
    ['api-key', 'Google token', one('GOCSPX-', a36)],
    ['api-key', 'GitHub token', one('ghp_', a36)],
    ['api-key', 'GitLab token', one('glpat-', 'a1B2c3D4e5F6g7H8i9J0')],
    ['api-key', 'Slack token', one('xoxb-', '123456789012-1234567890123-a1B2c3D4e5F6')],
    ['secret', 'Slack webhook', one('hooks.slack.com/', 'services/T0001/B0001/a1B2c3D4e5F6g7H8')],
    ['secret', 'Discord webhook', one('discord.com/api/', 'webhooks/123456/', a36)],
    ['api-key', 'Stripe key', one('sk_', 'live_abcdefghijklmnop1234')],
    ['secret', 'Stripe webhook secret', one('whsec_', 'a1B2c3D4e5F6g7H8i9J0')],
    ['api-key', 'key', one('pk_', 'abcdefghijklmnop1234')],
    ['api-key', 'model provider key', one('sk-', 'proj-', a36)],
    ['api-key', 'Telegram bot token', one('123456789:', 'AAF', a36.slice(0, 32))],
    ['api-key', 'Discord token', one('M', a36.slice(0, 23), '.', a36.slice(0, 6), '.', a36.slice(0, 27))],
    ['api-key', 'SendGrid key', one('SG.', 'a1B2c3D4e5F6g7H8i9J0kL.', a36)],
    ['api-key', 'Mailgun key', one('key-', hex32)],
    ['api-key', 'Twilio key', one('SK', hex32)],
    ['api-key', 'npm token', one('npm_', a36)],
    ['api-key', 'PyPI token', one('pypi-', 'AgE', a36)],
    ['api-key', 'Shopify token', one('shpat_', hex32)],
    ['api-key', 'Square token', one('sq0atp-', a36)],
    ['api-key', 'Square token', one('EAAA', a36, a36)],
    ['api-key', 'DigitalOcean token', one('dop_v1_', hex32)],
    ['api-key', 'Hugging Face token', one('hf_', a36)],
    ['api-key', 'Atlassian token', one('ATATT3', a36)],
    ['api-key', 'Vault token', one('hvs.', a36)],
    ['api-key', 'token', one('glsa_', a36)],
    ['api-key', 'Databricks token', one('dapi', hex32)],
    ['secret', 'Azure key', one('AccountKey=', a36, '==')],
    ['jwt', 'JSON web token', one('eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', 'abcdefghijkl')],
    ['private-key', 'private key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['private-key', 'private key', 'PuTTY-User-Key-File-3'],
    ['private-key', 'age secret key', one('AGE-SECRET-KEY-', '1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQ')],
    ['private-key', 'extended private key of a wallet', one('xprv', a36, a36, a36).replaceAll('0', '2')],
    ['private-key', 'private key of a wallet', one('5HueCGU8rMjxEXxiPuD5BDku4', 'MkFqeZyd4dZ1jvhTVqvbTLvyTJ')],
    [
      'private-key',
      'secret seed of a Stellar wallet',
      one('S', 'BCVMMCBEDB64TVJZFYJOJAERZC4YVVUOE6SYR2Y76CBTENGUSGWRRVO'),
    ],
    ['secret', '2FA secret', 'otpauth://totp/Casino:amy?secret=JBSWY3DPEHPK3PXP'],
  ])('matches the rule %s and is called %s: %s', (rule, kind, secret) => {
    const text = `Use ${secret} now`
    expect(secretsIn(text)).toEqual([{ rule, kind, at: 4, end: 4 + secret.length, hiddenFrom: 4 }])
  })

  const label = (before: string, value: string) => ({ before, value })
  test.each([
    ['secret', 'link with a token', label('token=', 'abcd1234efgh')],
    ['secret', 'password in an address', label('postgres://ann:', 'hunter22')],
    ['secret', 'request header', label('Bearer ', one('abcdefgh', '12345678'))],
    ['private-key', 'private key', label('private key: ', one(hex32, hex32))],
    ['api-key', 'key', label('api key: ', a36)],
    ['secret', 'password', label('password: ', 'Tr0ub4dor')],
    ['secret', 'secret', label('client secret: ', a36)],
  ])('and, after a word, matches the rule %s and is called %s: %j', (rule, kind, { before, value }) => {
    const text = `?${before}${value}@x`
    expect(secretsIn(text)[0]).toMatchObject({ rule, kind, hiddenFrom: 1 + before.length })
  })
})

describe('at the limits of a secret', () => {
  const rulesIn = (text: string) => secretsIn(text).map(({ rule }) => rule)
  test.each([
    ['16 letters and digits behind a word for keys', 'api key: abcdefgh12345678', ['api-key']],
    ['15 of them', 'api key: abcdefgh1234567', []],
    ['15 of them and a dash', 'api key: abcdefgh-1234567', []],
    ['16 letters without a digit', 'api key: abcdefghijklmnop', []],
    ['20 letters and digits behind a seed', 'seed: abcdefghij1234567890', ['private-key']],
    ['19 of them', 'seed: abcdefghij123456789', []],
    ['20 letters without a digit', 'seed: abcdefghijklmnopqrst', []],
    ['a header of letters and digits', 'Bearer abcdefgh12345678', ['secret']],
    ['a header of letters', 'Bearer abcdefghijklmnop', []],
    ['a header of digits', 'Basic 1234567890123456', []],
    ['a password of 6 signs, letters and digits', 'password: aB3dE6.', ['secret']],
    ['one of 5', 'password: aB3dE.', []],
    ['a password of 10 letters that change case 3 times', 'password: abcDEFghiJ', ['secret']],
    ['one that changes it twice', 'password: abcDEFGhij', []],
    ['one of 9 letters', 'password: aBcDeFgHi', []],
    ['words in a row with dashes', 'password: Abc-Def-Ghi', []],
    ['18 signs that alternate, and a dash', 'a1B2c3D4e-5F6g7H8i9', ['secret']],
    ['17 of them', 'a1B2c3D4-e-5F6g7H8i', []],
    ['20 signs of which 7 begin another kind', 'xxxYYY111zzzWWW22vvT', ['secret']],
    ['the second sign among them', 'xYYY111zzzWWW2222vvT', ['secret']],
    ['20 signs of which 6 do', 'xxxYYY111zzzWWW222vv', []],
    ['32 signs of which 11 do', 'abcDEF123ghiJKL456mnoPQR78stUV90', []],
    ['a 9 among digits begins none', 'xxxYYY119zzzWWW222vv', []],
    ['a Z among capitals begins none', 'xxxYYZ111zzzWWW222vv', []],
    ['32 signs of base32 with two digits', 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCD27', ['secret']],
    ['26 of them', 'ABCDEFGHIJKLMNOPQRSTUVWX27', ['secret']],
    ['with one digit', 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDE7', []],
    ['without any', 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF', []],
    ['in fours with two digits', 'ABCD EFGH IJKL MNOP QRST UVWX YZAB CD27', ['secret']],
    ['in fours with one digit', 'ABCD EFGH IJKL MNOP QRST UVWX YZAB CDE7', []],
    ['in fours without any', 'ABCD EFGH IJKL MNOP QRST UVWX YZAB CDEF', []],
  ])('%s: %s is %j', (_, text, rules) => {
    expect(rulesIn(text)).toEqual(rules)
  })

  test('two adjacent secrets are two, in any order of recognition', () => {
    const aws = ['AKIA', 'IOSFODNN7EXAMPLE'].join('')
    const key = '-----BEGIN RSA PRIVATE KEY-----'
    expect(partsOf(aws + key)).toEqual([
      ['api-key', '', aws],
      ['private-key', '', key],
    ])
    expect(partsOf(key + aws)).toEqual([
      ['private-key', '', key],
      ['api-key', '', aws],
    ])
  })
})

describe('a seed', () => {
  const twelve = 'abandon ability absent absorb abstract absurd abuse access accident account accuse achieve'
  test('of twelve words is found completely, numbered or not', () => {
    expect(partsOf(`Seed? ${twelve}.`)).toEqual([['seed-phrase', '', twelve]])
    const numbered = twelve.split(' ').map((word, i) => `${i + 1}. ${word}`)
    expect(secretsIn(numbered.join('\n')).map(({ rule }) => rule)).toEqual(['seed-phrase'])
  })
  test('can contain a quarter of words that are common in sentences', () => {
    const three = twelve.replace('abandon', 'about').replace('abuse', 'above').replace('account', 'again')
    expect(secretsIn(three).map(({ rule }) => rule)).toEqual(['seed-phrase'])
    expect(secretsIn(three.replace('access', 'all'))).toEqual([])
  })
  test('in Chinese is found from its first character to its last', () => {
    const phrase = '的 一 是 在 不 了 有 和 人 這 中 大'
    expect(partsOf(`助記詞：${phrase}。`)).toEqual([['seed-phrase', '', phrase]])
  })
  test('of eleven words is not one', () => {
    expect(secretsIn(twelve.replace(' achieve', ''))).toEqual([])
  })
})

describe('legitimate customer texts', () => {
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
  test('base58 characters in the length of an address or a signature', () => {
    const lengths = Array.from({ length: 120 }, (_, i) => i + 2)
    const long = [59, 86, 87, 88, 95, 104, 106]
    const short = [25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 43, 44]
    expect(lengths.filter((length) => isForCustomers('z'.repeat(length)))).toEqual([...short, ...long])
    // Those of Polkadot and Kusama begin with one of a few characters.
    expect(lengths.filter((length) => isForCustomers('1'.padEnd(length, 'z')))).toEqual([...short, 47, 48, ...long])
  })
  test.each([
    ['letters and digits drawn by chance', 'xT9kQ2mZ7pL4vB8nW3cR6yH1sD5fG0jK'],
    ['with signs of base64', 'aB+3dE/6gH9jK2mN5pQ8sT1vW4yZ7=='],
    ['too short for an address', 'aB3dE6gH9jK2mN5pQ8sT1vW4'],
  ])('but not %s', (_name, run) => {
    expect(isForCustomers(run)).toBe(false)
  })
})
