import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forbidden, type GuardRule, guard, guardRules } from '../../../../src/domain/tickets/outgoing/guard.ts'
import { letters, ulid } from '../../../../src/kit/ids.ts'
import { anyCharacter } from '../../../support/any-text.ts'

const rulesOf = (text: string, words: readonly string[] = []) => guard(text, words).map(({ rule }) => rule)

/** Reproducible randomness: each test has its own. */
function chance(seed: number): (size: number) => Uint8Array {
  let count = 0
  return (size) => {
    count += 1
    return Uint8Array.from(createHash('shake256', { outputLength: size }).update(`${seed} ${count}`).digest())
  }
}
const seeds = fc.integer({ min: 1, max: 2 ** 31 })
/** In the forms in which it is pasted: after a word or none, in quotes or none. */
const pasted = fc.constantFrom<(secret: string) => string>(
  (secret) => secret,
  (secret) => `Please use ${secret} for it.`,
  (secret) => `您可以使用「${secret}」登入`,
  (secret) => `key="${secret}"`,
  (secret) => `\`${secret}\`,`,
  (secret) => `Hello Ann,\n\n${secret}\n\nBest regards`,
)
const base64url = (length: number, random: (size: number) => Uint8Array) =>
  Buffer.from(random(length)).toString('base64url').slice(0, length)
const base32 = (length: number, random: (size: number) => Uint8Array) =>
  [...random(length)].map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('')
const hex = (length: number, random: (size: number) => Uint8Array) => Buffer.from(random(length / 2)).toString('hex')

type Random = (size: number) => Uint8Array

describe('secrets of this product', () => {
  const made: readonly (readonly [string, GuardRule, (random: Random) => string])[] = [
    ['casino key, live', 'api-key', (random) => `ek_l_${letters(24, random)}`],
    ['casino key, sandbox', 'api-key', (random) => `ek_s_${letters(24, random)}`],
    ['gateway key', 'api-key', (random) => `gw_p_${letters(32, random)}`],
    ['gateway sandbox key', 'api-key', (random) => `gw_s_${letters(32, random)}`],
    ['gateway key of another form', 'api-key', (random) => `gw_${letters(32, random)}`],
    ['chat key', 'api-key', (random) => `ck_${ulid(1_800_000_000_000, random(10))}_${base64url(43, random)}`],
    ['agent token', 'api-key', (random) => `cat_${ulid(1_800_000_000_000, random(10))}_${base64url(43, random)}`],
    ['tenant key of the chat', 'api-key', (random) => `wk_${letters(24, random)}`],
    ['room token', 'secret', (random) => `rt_${base64url(60, random)}.${base64url(43, random)}`],
    ['stream ticket', 'secret', (random) => `st_${base64url(80, random)}.${base64url(43, random)}`],
    ['webhook secret', 'secret', (random) => `whs_${letters(32, random)}`],
    ['launch link', 'secret', (random) => `https://play.example/Launch?t=${letters(40, random)}`],
    [
      'gateway login token',
      'jwt',
      (random) => `eyJhbGciOiJIUzI1NiJ9.eyJ${base64url(60, random)}.${base64url(43, random)}`,
    ],
  ]
  test.each(made)('%s is blocked by %s', (_name, rule, make) => {
    fc.assert(
      fc.property(seeds, pasted, (seed, paste) => {
        const secret = make(chance(seed))
        const text = paste(secret)
        const hits = guard(text)
        expect(hits.map((hit) => hit.rule)).toEqual([rule])
        // Reported, and not sent.
        expect(hits[0]?.what).toEqual(expect.stringMatching(/./))
        expect(JSON.stringify(hits)).not.toContain(secret.slice(-12))
        expect(JSON.stringify(hits)).not.toContain(secret.replace(/^.*\?t=/, '').slice(0, 10))
      }),
      { numRuns: 30 },
    )
  })

  // These have only random characters, so a very small share of them looks like the address of a coin.
  const bare: readonly (readonly [string, number, (random: Random) => string])[] = [
    ['tenant’s secret and IPN secret', 0.98, (random) => letters(48, random)],
    ['session of a player', 0.99, (random) => letters(40, random)],
    ['secrets of a chat tenant', 0.9, (random) => letters(43, random)],
    ['password', 0.9, (random) => letters(20, random)],
    ['2FA secret', 0.97, (random) => base32(32, random)],
    ['2FA secret in fours', 0.97, (random) => base32(32, random).replace(/.{4}(?=.)/g, '$& ')],
    ['seed of an environment', 1, (random) => hex(128, random)],
  ]
  test.each(bare)('a bare %s is blocked', (_name, share, make) => {
    const random = chance(7)
    const secrets = Array.from({ length: 200 }, () => make(random))
    const held = secrets.filter((secret) => rulesOf(`Here it is: ${secret} – thank you`).includes('secret'))
    expect(held.length / secrets.length).toBeGreaterThanOrEqual(share)
  })

  test('after a word each of them is blocked, and the word is shown', () => {
    const random = chance(11)
    for (let i = 0; i < 40; i++)
      for (const [label, secret] of [
        ['Secret: ', letters(48, random)],
        ['your IPN secret is ', letters(48, random)],
        ['identity secret = ', letters(43, random)],
        ['Password: ', letters(20, random)],
        ['密碼是', letters(20, random)],
        ['TOTP secret: ', base32(32, random)],
        ['private key: 0x', hex(64, random)],
        ['私鑰：', hex(64, random)],
      ] as const) {
        const [hit] = guard(`${label}${secret}.`)
        expect([label, secret, hit?.rule]).toEqual([label, secret, expect.stringMatching(/^(secret|private-key)$/)])
        expect(hit?.found.length).toBeLessThan(label.length + 10)
      }
  })
})

describe('secrets of others', () => {
  // Joined here: none of them is valid, so no secret scanner needs to report this file.
  const one = (...parts: readonly string[]) => parts.join('')
  const a36 = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
  test.each<[rule: GuardRule, text: string]>([
    ['api-key', one('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q')],
    ['api-key', one('AKIA', 'IOSFODNN7EXAMPLE')],
    ['api-key', one('ASIA', 'IOSFODNN7EXAMPLE')],
    ['secret', one('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCY3x9Pq2Lm7T')],
    ['api-key', one('ghp_', a36)],
    ['api-key', one('ghs_', a36)],
    ['api-key', one('github_pat_', '11ABCDEFG0', a36)],
    ['api-key', one('glpat-', 'a1B2c3D4e5F6g7H8i9J0')],
    ['api-key', one('xoxb-', '123456789012-1234567890123-a1B2c3D4e5F6')],
    ['api-key', one('xapp-', '1-A0123-456-abcdef0123456789')],
    ['secret', one('https://hooks.slack.com/', 'services/T0001/B0001/a1B2c3D4e5F6g7H8')],
    ['api-key', one('sk_', 'live_abcdefghijklmnop1234')],
    ['api-key', one('rk_', 'test_abcdefghijklmnop1234')],
    ['secret', one('whsec_', 'a1B2c3D4e5F6g7H8i9J0')],
    ['api-key', one('sk-', 'proj-', a36)],
    ['api-key', one('sk-', 'ant-api03-', a36)],
    ['api-key', one('123456789:', 'AAF', a36.slice(0, 32))],
    ['api-key', one('SG.', 'a1B2c3D4e5F6g7H8i9J0kL.', a36)],
    ['api-key', one('npm_', a36)],
    ['api-key', one('hf_', a36.slice(0, 34))],
    ['api-key', one('shpat_', '0123456789abcdef0123456789abcdef')],
    ['api-key', one('dop_v1_', '0123456789abcdef'.repeat(4))],
    ['api-key', one('SK', '0123456789abcdef'.repeat(2))],
    ['jwt', one('eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', 'abcdefghijkl')],
    ['jwt', one('eyJhbGciOiJub25lIn0.', 'eyJzdWIiOiIxMjM0In0.')],
    ['private-key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['private-key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['private-key', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
    ['private-key', one('5HueCGU8rMjxEXxiPuD5BDku4', 'MkFqeZyd4dZ1jvhTVqvbTLvyTJ')],
    ['private-key', one('KwdMAjGmerYanjeui5SHS7Jk', 'mpZvVipYvB2LJGU1ZxJwYvP98617')],
    [
      'private-key',
      one(
        'xprv',
        '9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      ),
    ],
    ['private-key', one('AGE-SECRET-KEY-', '1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQ')],
    ['private-key', one('S', 'BCVMMCBEDB64TVJZFYJOJAERZC4YVVUOE6SYR2Y76CBTENGUSGWRRVO')],
    ['private-key', `my private key: ${'4c0883a69102937d'.repeat(4)}`],
    ['seed-phrase', 'abandon ability able about above absent absorb abstract absurd abuse access accident'],
    ['seed-phrase', 'Legal winner thank year wave sausage worth useful legal winner thank yellow.'],
    [
      'seed-phrase',
      '1. letter 2. advice 3. cage 4. absurd\n5. amount 6. doctor 7. acoustic 8. avoid\n9. letter 10. advice 11. cage 12. above',
    ],
    ['seed-phrase', '助記詞：的 一 是 在 不 了 有 和 人 這 中 大'],
    ['secret', 'otpauth://totp/Casino:amy?secret=JBSWY3DPEHPK3PXP&issuer=Casino'],
    ['secret', 'Your password is Sommer2026!'],
    ['secret', '您的臨時密碼：Abc12345'],
    ['secret', 'password (temporary): hunter22'],
    ['secret', 'https://x.example/reset?token=0123456789abcdef'],
    ['secret', 'postgres://count:pa55@db.example/room'],
    ['secret', one('Authorization: ', 'Basic ZGVtbzpkZW1vMTIzNDU2Nzg5')],
    ['card-number', 'your card 4111 1111 1111 1111 is'],
  ])('%s: %j', (rule, text) => {
    const hits = guard(text)
    expect(hits.map((hit) => hit.rule)).toEqual([rule])
    // Of a short secret at most a quarter is shown.
    const longest = Math.max(...text.split(/\s+/).map((word) => word.length))
    if (rule !== 'private-key' && longest > 14) expect(JSON.stringify(hits)).not.toContain(text.slice(-12))
  })
})

describe('leftovers in a text', () => {
  test.each([
    'Dear {{name}}, hello',
    'Dear {{ customer.name }}, hello',
    'Dear {name}, hello',
    'Dear {customer_name},',
    'Dear {first name},',
    `Hello ${'$'}{name}!`,
    'It is {0} of {1}',
    'Hi {% if vip %}',
    'Dear [name], hello',
    'Dear [Customer Name],',
    'Dear [CUSTOMER_NAME],',
    'Dear [your name],',
    'Dear [first name],',
    'Dear [Player’s Name],',
    'We paid [amount] on [date].',
    'See [link].',
    'Ask [insert agent here]',
    'Dear [xxx],',
    'Dear [customerName],',
    '[客戶名稱] 您好',
    '親愛的［客户姓名］，',
    '您的訂單 [訂單編號] 已完成',
    '[請填寫金額]',
    '【客戶名稱】您好',
    '親愛的【姓名】：',
    '<客戶名稱> 您好',
    'Dear <name>,',
    'Dear <customer name>,',
    'Dear <<FirstName>>,',
    'Dear %NAME%,',
    'Dear %customer_name%,',
    'Dear %s, hello',
    'Dear __NAME__,',
    'Dear *|FNAME|*,',
    'Dear XXX,',
    'Dear xxx,',
    '親愛的XXX您好',
    'XX先生您好',
    '尊敬的○○○',
    'TODO look this up',
    'todo: look this up',
    'The amount is TBD',
    'FIXME',
    'INSERT NAME HERE',
    'Lorem ipsum dolor sit amet',
    'Dear ____, hello',
    '金額（待補）',
  ])('an unfilled placeholder: %j', (text) => {
    expect(rulesOf(text)).toContain('placeholder')
  })

  test.each([
    'please ask @bob about it',
    '@all please look',
    'cc @here',
    '@everyone',
    '@channel',
    '@所有人 請看',
    '麻煩@小明看一下',
    '請＠客服主管確認',
    '@_risk_team',
    '<@U024BE7LH> please',
    '<!here> look',
  ])('a mention of colleagues: %j', (text) => {
    expect(rulesOf(text)).toContain('mention')
  })

  test.each([
    'Internal note: the customer is rude',
    'Internal: the customer is rude',
    '**Internal note**\nThe customer is rude',
    '**Internal note:** the customer is rude',
    '*internal only*',
    '[Internal] check the bank',
    '(internal use only) check the bank',
    '## Handoff to tier 2: see above',
    '### Hand-off',
    '### Hand-off\nSee above',
    '## Handoff notes',
    '## Internal',
    'Hello\n\n# Escalation summary\nthree calls',
    'Handover: x',
    'Handover notes - x',
    'hand over\nSee above',
    'Thank you.\nHand-off notes\nsee above',
    '> Escalation by Bea: see above',
    'Note to self: ask Bea',
    'Notes for the next shift:',
    'Agent notes: rude',
    'Staff only\nrude',
    'Do not share with the customer: x',
    'This is for internal use only.',
    '内部备注',
    '內部備註：客戶態度差',
    '【內部備註】客戶態度差',
    '內部：請查',
    '## 交接',
    '交接：請夜班跟進',
    '交接事項\n請夜班跟進',
    '請勿轉給客戶',
    'Nota interna: x',
    '引き継ぎ：x',
  ])('an internal note: %j', (text) => {
    expect(rulesOf(text)).toContain('hand-off')
  })

  test.each([
    ['this comes from Project Lemon', 'internal-word'],
    ['Hello , we found it', 'empty-variable'],
    ['Dear, we found it', 'empty-variable'],
    ['尊敬的，您的存款', 'empty-variable'],
    ['your balance is undefined', 'empty-variable'],
    ['your balance is null USDT', 'empty-variable'],
    ['your balance is NaN', 'empty-variable'],
    ['we sent [object Object]', 'empty-variable'],
  ])('%j is blocked by %s', (text, rule) => {
    expect(rulesOf(text, ['project lemon'])).toContain(rule)
  })

  test.each([
    ['my bank says no', 'ban', false],
    ['a ban!', 'ban', true],
    ['(Tier-2)', 'tier-2', true],
    ['we use C++ here', 'c++', true],
    ['the risk\n team said', 'risk team', true],
    ['在黑名單上', '黑名單', true],
  ])('%j has the internal word "%s" in it: %s', (text, word, expected) => {
    expect(rulesOf(text, [word]).includes('internal-word')).toBe(expected)
  })
})

const txHash = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

describe('legitimate customer texts', () => {
  test.each([
    'Your deposit T-9 has arrived. Thank you!',
    'Hello Ann, transfer 1234567890123456 was found.',
    'write to help@example.com',
    'Write to <help@example.com> or call +44 20 7946 0958.',
    '您的存款已到帳。',
    'Hi, we looked into it.',
    'at 10:30 on 2026-03-01',
    'As the rules say [1], the bonus ends on Friday (see above).',
    'We found your transaction [T-123] of 100 USDT.',
    'Your ticket [#1042] is closed; see [our rules](https://example.com/rules).',
    'See [link](https://example.com/rules) and [your account](https://example.com/me).',
    'You wrote "[...] it is gone".',
    'Our answer was {} and the list was [].',
    'Send {"amount": "1"} as the body.',
    'The odds are {1, 2, 3}, all alike.',
    'It costs 5% to 10% of it. We are 100%sure. A 50%-off offer!',
    'Steps: 1) open <b>Wallet</b> 2) press "Send".',
    'If x < name and y > 3, it holds.',
    'Your card ending XXXX-1234 or **** 1234 was charged.',
    'Todo está bien, gracias. Todos los jugadores lo saben.',
    'The bet is null and void under rule 7.',
    'My grandmother Nan says hi to you!',
    'Internal transfers take five minutes.',
    'Internal transfers: these take five minutes.',
    'Internal wallets (between your accounts): free',
    'The handover of your account takes two days.',
    'Handing you over to my colleague now.',
    'Your case was escalated to our payments team: they answer within a day.',
    'Support only answers in English at night.',
    'Notes: the bonus is for players of 18 and over.',
    'Do not share your password with other players or customers.',
    'Please do not send coins to this address twice.',
    '備註：提款需要24小時。',
    '內部轉帳：免手續費。',
    '【提款須知】請先完成驗證。',
    '【交易金額】100 USDT',
    '您的金額 [100] 已到帳，詳見 [公告]。',
    '個別客戶需要更多時間。',
    '我們已將您的問題轉交相關部門處理。',
    '驗證碼請勿外傳。密碼長度為8至20個字元。',
    '二〇二六年三月一日',
    'Your password must have 8 characters; the passcode is sent by mail.',
    'Password: 8-character minimum, one digit.',
    'The password was changed 2026-03-01 at 10:00.',
    'The secret is patience. The key is verification2 by mail.',
    'Your token is USDT-TRC20, and the key: ask us.',
    'Your bonus code: WELCOME100, your ticket code AB12-CD34-EF56.',
    `Your transaction is ${txHash}.`,
    `Your transaction is 0x${txHash} on Ethereum.`,
    `TXID: ${txHash.toUpperCase()}`,
    `https://tronscan.org/#/transaction/${txHash}`,
    'Send to TCLVxP8BMVBkJwTDj18SFiR96Dq8C5aM6B only.',
    'Send to bc1q0kzphffatd7pgq5nvmgf3vynakkpuzkyxtwed8 only.',
    'The token: 0xdAC17F958D2ee523a2206206994597C13D831ec7 (USDT).',
    'Send to 0xE57ff863C67f8F81c50039efE9b7Cb8d4f46465c, memo 12345.',
    'Send to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa or 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy.',
    'XRP: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh, tag 7',
    'SOL: 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    'Solana signature 5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    'TON: EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'ADA: addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'Monero 44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f9wfn3RVGQBEP3A',
    'Your ticket is tkt_01M81V51NBMWP4R1V05DNCZN28, the room room_01M81V51NBMWP4R1V05DNCZN28.',
    'Payment 5745459419, order 123e4567-e89b-12d3-a456-426614174000.',
    'Pay here: https://pay.example/pay/aB3dE5fG7hJ9kL2mN4pQ6rS8',
    'Your file: https://chat.example/api/widget/v1/media/med_01M81V51NBMWP4R1V05DNCZN28?exp=1800000000&sig=aB3dE5fG7hJ9kL2mN4pQ6rS8aB3dE5fG7hJ9kL2mN4p',
    'Follow us: https://t.me/@casino or https://example.com/@casino',
    'The file IMG_20260301_Deposit-Receipt-Final-V2.png came through.',
    'We play cat-and-mouse-games-all-day here, state-of-the-art-quality-2026.',
    'You can claim this bonus once more when you win this card game this week, and never before.',
    'Saya tidak bisa masuk akun saya sejak kemarin malam mohon bantu segera terima kasih banyak',
    'Thank you for your patience while we look into the matter with our payments team today.',
    'Thanks!\n\n________________\nCustomer care\n_____',
    '- one\n- two\n---\n* three',
    'Call us at 14:00 @ the desk, or mail a.b@c.example.',
  ])('%j is sent', (text) => {
    expect(guard(text, ['project lemon'])).toEqual([])
  })
})

test('a rule is skipped by its own name only, and each rule has one', () => {
  const hits = guard('key sk_live_abcdefghijklmnop1234 for @bob')
  expect(JSON.stringify(hits)).not.toContain('abcdefgh')
  expect(forbidden(hits, ['mention']).map(({ rule }) => rule)).toEqual(['api-key'])
  expect(new Set(guardRules).size).toBe(guardRules.length)
})

test('any text is checked, and a long one takes linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
      for (const { rule } of guard(text)) expect(guardRules).toContain(rule)
    }),
  )
  const hostile = [
    'a',
    ' ',
    '[',
    '{',
    '<',
    '@',
    '%a',
    '_',
    '# ',
    '- ',
    '> ',
    '1. ',
    '的 ',
    'password: ',
    'A1b',
    'eyJ',
    '\n',
    'abandon ',
    '1 ',
    'x.',
    'internal ',
    '[your ',
    'sk-a-',
  ]
  for (const piece of hostile) {
    const text = piece.repeat(Math.ceil(10_000 / piece.length))
    // A rule that scans such a text more than once per character would exceed the test's time limit.
    for (const each of [text, `${text}!`]) expect(guard(each)).toBeInstanceOf(Array)
  }
})
