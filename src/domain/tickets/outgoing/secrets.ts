import { wordlist } from '@scure/bip39/wordlists/english.js'
import { ownSecrets } from './own-secrets.ts'

/**
 * Detects secrets in a text: by their issuers' prefixes, by the words in front of them, and by looking random. Texts
 * meant for customers look random too (coin addresses, transaction hashes, ids) and are recognized by their form.
 */

export type SecretRule = 'api-key' | 'secret' | 'jwt' | 'private-key' | 'seed-phrase'

export interface Secret {
  readonly rule: SecretRule
  /** Kind, in a few words. */
  readonly kind: string
  readonly at: number
  readonly end: number
  /** Start of the part that must be hidden. */
  readonly hiddenFrom: number
}

type Form = readonly [rule: SecretRule, kind: string, form: RegExp]

/** Unambiguous forms. */
const forms: readonly Form[] = [
  ...ownSecrets.map(({ rule, kind, prefix, rest }): Form => [rule, kind, new RegExp(`\\b${prefix}${rest}`, 'g')]),
  // Third parties whose keys are common in an office.
  ['api-key', 'AWS key', /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ['api-key', 'Google API key', /\bAIza[\w-]{30,}/g],
  ['api-key', 'Google token', /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g],
  ['api-key', 'GitHub token', /\b(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{22,})/g],
  ['api-key', 'GitLab token', /\bgl(?:pat|dt|rt|ptt|ft|soat|agent|cbt|imt)-[\w-]{16,}/g],
  ['api-key', 'Slack token', /\bxox[a-z](?:\.xox[a-z])?-[\w-]{10,}|\bxapp-\d-[\w-]{10,}/g],
  ['secret', 'Slack webhook', /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{10,}/g],
  ['secret', 'Discord webhook', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/g],
  ['api-key', 'Stripe key', /\b[prs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/g],
  ['secret', 'Stripe webhook secret', /\bwhsec_[A-Za-z0-9+/=]{16,}/g],
  ['api-key', 'key', /\b[prs]k_[A-Za-z0-9_]{20,}/g],
  ['api-key', 'model provider key', /\bsk-(?=[\w-]{0,200}\d)[\w-]{20,}/g],
  ['api-key', 'Telegram bot token', /(?<!\d)\d{8,10}:AA[\w-]{32,}/g],
  ['api-key', 'Discord token', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g],
  ['api-key', 'SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['api-key', 'Mailgun key', /\bkey-[0-9a-f]{32}\b/g],
  ['api-key', 'Twilio key', /\b(?:SK|AC)[0-9a-f]{32}\b/g],
  ['api-key', 'npm token', /\bnpm_[A-Za-z0-9]{36}/g],
  ['api-key', 'PyPI token', /\bpypi-AgE[\w-]{20,}/g],
  ['api-key', 'Shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g],
  ['api-key', 'Square token', /\b(?:sq0[a-z]{3}-[\w-]{20,}|EAAA[\w-]{58,})/g],
  ['api-key', 'DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{32,}/g],
  ['api-key', 'Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['api-key', 'Atlassian token', /\bATATT3[\w=-]{20,}/g],
  ['api-key', 'Vault token', /\bhv[sbr]\.[\w-]{20,}/g],
  [
    'api-key',
    'token',
    /\b(?:glsa|sntry[su]|lin_api|dp\.[a-z]{2}|PMAK|ntn|rubygems|tfp|figd|pat|r8|dckr_pat)[_.-][\w-]{24,}/g,
  ],
  ['api-key', 'Databricks token', /\bdapi[0-9a-f]{32}\b/g],
  ['secret', 'Azure key', /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{20,}={0,2}/g],
  ['jwt', 'JSON web token', /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){1,3}/g],
  ['private-key', 'private key', /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\bPuTTY-User-Key-File-\d/g],
  ['private-key', 'age secret key', /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g],
  ['private-key', 'extended private key of a wallet', /\b[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{80,}/g],
  ['private-key', 'private key of a wallet', /(?<![A-Za-z0-9])[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/g],
  ['private-key', 'secret seed of a Stellar wallet', /(?<![A-Za-z0-9])S[A-Z2-7]{55}(?![A-Za-z0-9])/g],
  ['secret', '2FA secret', /\botpauth(?:-migration)?:\/\/\S{6,}/g],
]

/** Text allowed between a keyword and its value: "is", a symbol, an aside, quotes or marks. */
const separator = String.raw`(?:[ \t]*\([^()\n]{1,40}\))?["'”’」*_\x60]{0,3}[ \t]*(?:\b(?:is|was)\b|[=:：为為是])[ \t]*(?:\r?\n[ \t]*)?["'“‘「*_\x60]{0,3}`

const labels: readonly (readonly [rule: SecretRule, kind: string, label: string])[] = [
  [
    'private-key',
    'private key',
    String.raw`\b(?:private|priv|spending|wallet)[ _-]?key|私[鑰钥]|\b(?:hd[ _-]?|wallet[ _-]?)?seed(?:[ _-]?(?:hex|bytes|key))?`,
  ],
  [
    'api-key',
    'key',
    String.raw`\b(?:x[ _-])?(?:[a-z]+[ _-])?api[ _-]?(?:key|token|secret)|\baccess[ _-]?(?:key(?:[ _-]?id)?|token)|\bkey|(?:API|介面|接口)[ ]?(?:金鑰|密[鑰钥])`,
  ],
  [
    'secret',
    'password',
    String.raw`\b(?:password|passwd|passphrase|passcode|pwd)|密[碼码]|口令|パスワード|비밀번호|\bcontraseña|\bsenha|\bmot de passe|\bpasswort|mật khẩu|รหัสผ่าน`,
  ],
  [
    'secret',
    'secret',
    String.raw`\b(?:[a-z]+[ _-])?(?:secret|token)(?:[ _-]key)?|\bcredentials?|\b(?:totp|2fa|mfa)(?:[ _-](?:key|code))?|金鑰|密[鑰钥]|令牌`,
  ],
]

interface Valued {
  readonly rule: SecretRule
  readonly kind: string
  /** The first group may be shown, the second must be hidden. */
  readonly form: RegExp
  readonly isSecret: (value: string, label: string) => boolean
}

const always = () => true

const valued: readonly Valued[] = [
  {
    rule: 'secret',
    kind: 'link with a token',
    form: /((?<=[?&#;])(?:[a-z]+_?)?(?:token|key|secret|password|passwd|pwd|auth|jwt|ticket)=|(?<=\/launch\?)t=)([\w.~%+/=-]{8,})/gi,
    isSecret: always,
  },
  {
    rule: 'secret',
    kind: 'password in an address',
    form: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#]{1,100}:)([^\s@/]{3,200})(?=@)/gi,
    isSecret: always,
  },
  {
    rule: 'secret',
    kind: 'request header',
    form: /(\b(?:bearer|basic)[ \t]+)([A-Za-z0-9+/_.=~-]{16,})/gi,
    isSecret: (value) => /\d/.test(value) && /[a-z]/i.test(value),
  },
  ...labels.map(
    ([rule, kind, label]): Valued => ({
      rule,
      kind,
      form: new RegExp(`((?:${label})(?![A-Za-z])${separator})([!-~]{6,400})`, 'giu'),
      isSecret: secretTest(rule, kind),
    }),
  ),
]

/** Returns whether the text after a keyword is its value, and not the next word of a sentence. */
function secretTest(rule: SecretRule, kind: string): Valued['isSecret'] {
  return (value, label) => {
    const bare = value.replace(/["'”’」*_`.,;:!?)\]}]+$/, '')
    const isMixed = /\d/.test(bare) && /[a-z]/i.test(bare)
    if (/:\/\/|@[^@]+\.[a-z]/i.test(bare)) return false
    if (rule === 'private-key') return bare.length >= 20 && isMixed
    const isLong = isMixed && bare.replace(/[^A-Za-z0-9]/g, '').length >= 16
    // A coin is a token too, and has an address.
    if (kind !== 'password') return isLong && !(/^(?:[a-z]+[ _-])?token|^key/i.test(label) && isForCustomers(bare))
    // "8-character" and "2026-03-01T10:00Z" can follow the keyword too.
    if (/^\d{1,3}-[a-z]+$/i.test(bare) || /^\d{4}-\d\d-\d\d/.test(bare)) return false
    if (bare.length >= 10 && isMixedCase(bare)) return true
    return bare.length >= 6 && (isMixed ? /[a-z]/.test(bare) : /[a-z\d].*[!#$%^&*+=?~].*[a-z\d]/i.test(bare))
  }
}

/** Returns every secret in a text, in order; nested ones are reported once. */
export function secretsIn(text: string): Secret[] {
  const secrets: Secret[] = []
  const add = (secret: Secret) => {
    if (!secrets.some(({ at, end }) => secret.at < end && secret.end > at)) secrets.push(secret)
  }
  for (const [rule, kind, form] of forms)
    for (const { 0: whole, index } of text.matchAll(form))
      add({ rule, kind, at: index, end: index + whole.length, hiddenFrom: index })
  for (const { rule, kind, form, isSecret } of valued)
    for (const { 0: whole, 1: label = '', 2: value = '', index } of text.matchAll(form))
      if (isSecret(value, label))
        add({ rule, kind, at: index, end: index + whole.length, hiddenFrom: index + label.length })
  for (const phrase of seedPhrases(text)) add(phrase)
  for (const bare of bareSecrets(text)) add(bare)
  return secrets.sort((a, b) => a.at - b.at)
}

/** Minimum number of words in a seed phrase. */
const fewestWords = 12
let words: ReadonlySet<string> | undefined
/** Seed words that are common in sentences. A random seed has hardly any of them. */
const ofSentences = new Set(
  'able about above again all also any because before behind believe best between can come day do during each enough ever every find for get give good have help how into just know like long make more much must need never next now off often once one only other over own please same seek should some start still such than that then there they this time today together two under until up use very want way what when where which while will wish with within year you your'.split(
    ' ',
  ),
)

/** Finds consecutive words of a wallet's seed, numbered or not. */
function seedPhrases(text: string): Secret[] {
  const phrases: Secret[] = []
  words ??= new Set(wordlist)
  let run: { word: string; at: number; end: number }[] = []
  const close = () => {
    const [first, last] = [run[0], run.at(-1)]
    const sentenceWords = run.filter(({ word }) => ofSentences.has(word)).length
    if (first && last && run.length >= fewestWords && sentenceWords * 4 <= run.length)
      phrases.push({
        rule: 'seed-phrase',
        kind: `${run.length} words of a wallet seed`,
        at: first.at,
        end: last.end,
        hiddenFrom: first.at,
      })
    run = []
  }
  for (const { 0: piece, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/^\d{1,2}$/.test(piece)) continue
    const word = piece.toLowerCase()
    const last = run.at(-1)
    // Between two seed words there are spaces, numbers and small marks; the end of a sentence has more.
    if (last && !/^[\s\d.,;:|()[\]-]{1,12}$/.test(text.slice(last.end, index))) close()
    if (words.has(word)) run.push({ word, at: index, end: index + piece.length })
    else close()
  }
  close()
  // In Chinese each word is a single character.
  for (const { 0: whole, index } of text.matchAll(
    /(?<!\p{L})(?:\p{Script=Han}[ \t\u3000]+){11,}\p{Script=Han}(?!\p{L})/gu,
  ))
    phrases.push({
      rule: 'seed-phrase',
      kind: 'words of a wallet seed',
      at: index,
      end: index + whole.length,
      hiddenFrom: index,
    })
  return phrases
}

/** Finds keys, secrets and passwords without a form, such as those of our own tenants, merchants and 2FA apps. */
function bareSecrets(text: string): Secret[] {
  const secrets: Secret[] = []
  // URLs are checked above: a link that a customer is meant to open may be random.
  const plain = text.replace(/\b(?:https?|wss?):\/\/[^\s<>"')\]]+/gi, (link) => ' '.repeat(link.length))
  const add = (kind: string, at: number, length: number) =>
    secrets.push({ rule: 'secret', kind, at, end: at + length, hiddenFrom: at })
  for (const { 0: run, index } of plain.matchAll(
    /(?<![\w@./+=~-])[A-Za-z0-9][A-Za-z0-9+/_-]{17,}[A-Za-z0-9+/]={0,2}(?![\w@]|\.[a-z])/g,
  )) {
    if (/^(?:0x)?[0-9a-f]{128,}$/i.test(run)) add('key or seed in hex', index, run.length)
    else if (/^(?:[A-Z2-7]{26}|[A-Z2-7]{32})$/.test(run) && hasDigits(run) && /[G-Z]/.test(run))
      add('2FA secret', index, run.length)
    else if (looksDrawn(run) && !isForCustomers(run)) add('key, secret or password', index, run.length)
  }
  for (const { 0: run, index } of plain.matchAll(/(?<![\w-])(?:[A-Z2-7]{4}[ -]){7}[A-Z2-7]{4}(?![\w-])/g))
    if (hasDigits(run)) add('2FA secret', index, run.length)
  return secrets
}

/** Returns whether a text has at least two digits: in capitals alone it may be words. */
const hasDigits = (run: string): boolean => /\d.*\d/.test(run)

/** Returns whether lower case, upper case and digits alternate too often for handwritten text. */
function looksDrawn(run: string): boolean {
  const characters = run.replace(/^[a-z]{2,6}_/, '').replace(/[^A-Za-z0-9]/g, '')
  if (characters.length < 18 || !/[a-z]/.test(characters) || !/[A-Z]/.test(characters) || !/\d/.test(characters))
    return false
  return changesIn(characters) >= 0.35 * characters.length
}

const isMixedCase = (value: string): boolean => /^[A-Za-z0-9]+$/.test(value) && changesIn(value) >= 0.3 * value.length

/** Counts the changes between lower case, upper case and digits. */
function changesIn(characters: string): number {
  const kinds = [...characters].map((each) => (each <= '9' ? 0 : each <= 'Z' ? 1 : 2))
  return kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length
}

const base58 = /^[1-9A-HJ-NP-Za-km-z]+$/
/** Lengths of longer addresses and signatures in base58: Cardano, Solana, Monero. */
const longForms: ReadonlySet<number> = new Set([59, 86, 87, 88, 95, 104, 106])

/** Returns whether a text has a form that customers receive: transaction hashes, coin addresses and ids. */
export function isForCustomers(run: string): boolean {
  if (/^(?:0x)?[0-9a-f]+$/i.test(run)) return true
  if (/^[a-z]{2,6}_[0-9A-HJKMNP-TV-Z]{26}$/.test(run)) return true
  if (/^(?:pi|ch|cs|re|tr|txn|tx|py|in|order|pay|inv|evt|cus)_/.test(run)) return true
  if (/^(?:[EUk]Q|0Q|[EUk]f)[\w+/-]{46}$/.test(run)) return true
  if (!base58.test(run)) return false
  const { length } = run
  if (length >= 25 && length <= 35) return true
  if (length === 43 || length === 44) return true
  return ((length === 47 || length === 48) && /^[15C-HJ]/.test(run)) || longForms.has(length)
}
