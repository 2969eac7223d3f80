import { type Notation, written } from './layout.ts'
import type { PlannedStep, SamplePlan } from './plan.ts'
import { type Computed, Placeholder, type SampleText } from './sample.ts'

/** Samples in TypeScript, for Node 22 and later: `fetch` and `node:crypto` only. */
export function typescriptSample(plan: SamplePlan): string {
  const names = plan.authentication === 'signature' ? ['API_KEY', 'BASE_URL', 'SECRET'] : ['API_KEY', 'BASE_URL']
  if (usesSecret(plan)) names.push('SECRET')
  const environment = names.map((name) => `${name} = ''`).join(', ')
  return [
    importsOf(plan),
    `const { ${environment} } = process.env\n`,
    plan.authentication === 'signature' ? signedCall(plan) : keyCall(plan),
    plan.usesTotp && totp,
    plan.steps.map((step, i) => stepText(step, i === plan.steps.length - 1)).join('\n'),
  ]
    .filter((part) => part)
    .join('\n')
}

function usesSecret({ authentication, usesHmac }: SamplePlan): boolean {
  return authentication === 'key' && usesHmac
}

function importsOf({ authentication, usesUnique, usesTotp, usesHmac }: SamplePlan): string {
  const names = [
    authentication === 'signature' && 'createHash',
    (authentication === 'signature' || usesTotp || usesHmac) && 'createHmac',
    (authentication === 'signature' || usesUnique) && 'randomBytes',
  ].filter((name) => name)
  return names.length === 0 ? '' : `import { ${names.join(', ')} } from 'node:crypto'\n`
}

const signedCall = (plan: SamplePlan) => `/** Signs and sends a request, and returns the data of its response. */
async function call(method: string, path: string, body?: object) {
  const data = body ? JSON.stringify(body) : ''
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomBytes(16).toString('hex')
  const bodyHash = createHash('sha256').update(data).digest('hex')
  const signed = [method, path, timestamp, nonce, bodyHash].join('\\n')
  const response = await fetch(BASE_URL + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': API_KEY,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Signature': createHmac('sha256', SECRET).update(signed).digest('hex'),
    },
    body: data || undefined,
  })
${ending(plan)}`

const keyCall = (plan: SamplePlan) => {
  const { keyHeader, sendsText, calls } = plan
  const type = sendsText ? `'Content-Type': contentType` : `'Content-Type': 'application/json'`
  const contentType = sendsText
    ? `  const contentType = typeof body === 'string' ? 'application/octet-stream' : 'application/json'\n`
    : ''
  const data = sendsText ? `typeof body === 'string' ? body : JSON.stringify(body)` : 'JSON.stringify(body)'
  const headers = `const headers: Record<string, string> = { '${keyHeader}': API_KEY }\n`
  if (!calls) return headers
  return `${headers}
/** Sends a request, and returns its response. */
async function call(method: string, path: string, body?: object${sendsText ? ' | string' : ''}) {
${contentType}  const response = await fetch(BASE_URL + path, {
    method,
    headers: body === undefined ? headers : { ...headers, ${type} },
    body: body === undefined ? undefined : ${data},
  })
${ending(plan)}`
}

const ending = ({ showsRefusal, envelope }: SamplePlan) => {
  const check = showsRefusal ? '' : `  if (!response.ok) throw new Error(\`\${response.status} \${text}\`)\n`
  return `  const text = await response.text()
${check}  return text ? JSON.parse(text)${envelope === undefined ? '' : `.${envelope}`} : undefined
}
`
}

const totp = `/** Returns the current code of a Base32 TOTP secret. */
function totp(secret: string): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => parseInt(byte, 2)))).update(counter).digest()
  const code = digest.readUInt32BE(digest.readUInt8(19) & 15) & 0x7fffffff
  return String(code % 1_000_000).padStart(6, '0')
}
`

function stepText(step: PlannedStep, isLast: boolean): string {
  if ('header' in step) return `headers[${quoted(step.header)}] = ${textOf(step.value)}`
  if ('set' in step) return `const ${step.set} = ${computed(step.to)}`
  if ('unlessEmpty' in step)
    return `if (${step.unlessEmpty}.${step.list}.length === 0) {\n  console.log(${quoted(step.message)})\n  process.exit()\n}`
  if ('stream' in step) return firstEvent(step.stream)
  if ('file' in step)
    return `const file = await fetch(${expression(step.file)})
if (!file.ok) throw new Error(String(file.status))
console.log((await file.arrayBuffer()).byteLength)\n`
  const result = isLast ? 'response' : step.as
  const start = `${result === undefined ? '' : `const ${result} = `}await call('${step.method}', ${textOf(step.path)}`
  const end = isLast ? ')\nconsole.log(response)\n' : ')'
  if (step.body === undefined) return start + end
  const body = typeof step.body === 'string' ? quoted(step.body) : written(notation, step.body, '  ', start.length)
  return `${start}, ${body}${end}`
}

const firstEvent = (path: SampleText) => `const stream = await fetch(BASE_URL + ${textOf(path)}, { headers })
if (!stream.ok || !stream.body) throw new Error(\`\${stream.status} \${await stream.text()}\`)
let text = ''
// Without the break the stream continues.
for await (const part of stream.body.pipeThrough(new TextDecoderStream())) {
  text += part
  const data = /^data: (.*)\\n/m.exec(text)?.[1]
  if (data === undefined) continue
  console.log(JSON.parse(data))
  break
}
`

function computed(value: Computed): string {
  if (value.kind === 'unix-time') return 'Math.floor(Date.now() / 1000)'
  if (value.kind === 'totp') return `totp(process.env['${value.environment}'] ?? '')`
  return `createHmac('sha256', SECRET).update(${textOf(value.text)}).digest('hex')`
}

function textOf(parts: SampleText): string {
  if (parts.every((part) => typeof part === 'string')) return quoted(parts.join(''))
  if (parts.length === 1 && parts[0] instanceof Placeholder) return expression(parts[0])
  return `\`${parts.map((part) => (part instanceof Placeholder ? `\${${expression(part)}}` : part.replace(/[\\`$]/g, '\\$&'))).join('')}\``
}

function expression({ source }: Placeholder): string {
  if (source.kind === 'variable') return source.name
  if (source.kind === 'environment') return `process.env['${source.name}']`
  if (source.kind === 'unique') return `\`${source.prefix}-\${randomBytes(8).toString('hex')}\``
  return source.variable + source.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

const notation: Notation = {
  scalar: (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)),
  placeholder: expression,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `${quoted(name)}: `),
  object: ['{', '}'],
  list: ['[', ']'],
  pads: true,
}
