import { type Notation, written } from './layout.ts'
import type { PlannedStep, SamplePlan } from './plan.ts'
import { type Computed, Placeholder, type SampleInput, type SampleText } from './sample.ts'

/** Samples for bash with curl; signatures by openssl. */
export function curlSample(plan: SamplePlan): string {
  const usesField = plan.steps.some((step) => stepText(step).includes('$(field '))
  return [
    '#!/usr/bin/env bash\nset -euo pipefail\n',
    plan.authentication === 'signature' ? signedCall : keyCall(plan),
    usesField && field,
    plan.usesTotp && totp,
    plan.steps.map((step, i) => stepText(step, i === plan.steps.length - 1)).join('\n'),
    '',
  ]
    .filter((part) => part !== false)
    .join('\n')
}

const signedCall = `# Signs and sends a request: METHOD PATH [BODY]
call() {
  local body=\${3-} timestamp nonce hash signature
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16)
  hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
  signature=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$1" "$2" "$timestamp" "$nonce" "$hash" |
    openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
  curl --silent --show-error --fail-with-body --request "$1" "$BASE_URL$2" \\
    --header 'Content-Type: application/json' --header "X-Api-Key: $API_KEY" \\
    --header "X-Timestamp: $timestamp" --header "X-Nonce: $nonce" --header "X-Signature: $signature" \\
    \${body:+--data-binary "$body"}
}
`

const keyCall = ({ keyHeader, showsRefusal, sendsText, addsHeaders, calls }: SamplePlan) => {
  const fail = showsRefusal ? '' : ' --fail-with-body'
  const type = sendsText ? `"Content-Type: \${4-application/json}"` : "'Content-Type: application/json'"
  const key = `--header "${keyHeader}: $API_KEY"`
  const headers = addsHeaders ? `headers=(${key})\n\n` : ''
  if (!calls) return headers
  return `${headers}# Sends a request: METHOD PATH [BODY]${sendsText ? ' [CONTENT_TYPE]' : ''}
call() {
  local body=\${3-}
  curl --silent --show-error${fail} --request "$1" "$BASE_URL$2" ${addsHeaders ? `"\${headers[@]}"` : key} \\
    \${body:+--header ${type} --data-binary "$body"}
}
`
}

const field = `# Prints the first value of a field in a JSON text: NAME
field() { grep -o "\\"$1\\":\\"\\{0,1\\}[^\\",}]*" | sed -n '1s/^[^:]*:"\\{0,1\\}//p'; }
`

const totp = `# Prints the current code of a Base32 TOTP secret: SECRET
totp() {
  local key counter digest offset
  key=$(printf %s "$1" | base32 --decode | od -An -v -tx1 | tr -d ' \\n')
  counter=$(printf '%016x' $(($(date +%s) / 30)) | sed 's/../\\\\x&/g')
  digest=$(printf "$counter" | openssl dgst -sha1 -mac HMAC -macopt "hexkey:$key" -r | cut -d ' ' -f 1)
  offset=$((16#\${digest:39:1} * 2))
  printf '%06d' $(((16#\${digest:offset:8} & 0x7fffffff) % 1000000))
}
`

function stepText(step: PlannedStep, isLast = false): string {
  if ('header' in step) return `headers+=(--header "${step.header}: ${textOf(step.value)}")`
  if ('set' in step) return `${step.set}=${computed(step.to)}`
  if ('unlessEmpty' in step)
    return `if [[ $${step.unlessEmpty} == *'"${step.list}":[]'* ]]; then\n  echo ${quoted(step.message)}\n  exit\nfi`
  if ('stream' in step) return firstEvent(step.stream)
  if ('file' in step)
    return `# Prints the size of the file\ncurl --silent --show-error --fail-with-body "${expression(step.file)}" | wc -c`
  const path = step.path.every((part) => typeof part === 'string')
    ? quotedIfNeeded(step.path.join(''))
    : `"${textOf(step.path)}"`
  const call = `call ${step.method} ${path}${bodyOf(step.body)}`
  if (isLast) return call
  return step.as === undefined ? `${call} >/dev/null` : `${step.as}=$(${call})`
}

const firstEvent = (
  path: SampleText,
) => `# Listens for 2 seconds, and prints the data of the first event. Without --max-time the stream continues.
curl --silent --fail --no-buffer --max-time 2 "\${headers[@]}" "$BASE_URL${textOf(path)}" |
  sed -n '/^data: /{s///p;q;}' || [[ \${PIPESTATUS[0]} =~ ^(23|28)$ ]]`

function bodyOf(body: SampleInput['body'] | undefined): string {
  if (body === undefined) return ''
  if (typeof body === 'string') return ` ${quoted(body)} application/octet-stream`
  const json = written(notation, body, '  ').replace(/,(\n\s*[}\]])/g, '$1')
  if (!json.includes('$')) return ` ${quoted(json)}`
  return ` "$(cat <<JSON\n${json}\nJSON\n)"`
}

function computed(value: Computed): string {
  if (value.kind === 'unix-time') return '$(date +%s)'
  if (value.kind === 'totp') return `$(totp "$${value.environment}")`
  return `$(printf %s "${textOf(value.text)}" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)`
}

const textOf = (parts: SampleText) =>
  parts.map((part) => (part instanceof Placeholder ? expression(part) : part.replace(/[\\"`$]/g, '\\$&'))).join('')

/** Returns what bash replaces by the value, in double quotes and in a here-document. */
function expression({ source }: Placeholder): string {
  if (source.kind === 'variable') return `\${${source.name}}`
  if (source.kind === 'environment') return `\${${source.name}}`
  if (source.kind === 'unique') return `${source.prefix}-$(openssl rand -hex 8)`
  const names = source.path.filter((key) => typeof key === 'string')
  const outer = names.at(-2)
  const text = outer === undefined ? `$${source.variable}` : `\${${source.variable}#*\\"${outer}\\"}`
  return `$(field ${names.at(-1)} <<<"${text}")`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const quotedIfNeeded = (text: string) => (/^[\w/.:-]+$/.test(text) ? text : quoted(text))

const notation: Notation = {
  scalar: (value) => JSON.stringify(value),
  placeholder: (value) => (typeof value.example === 'string' ? `"${expression(value)}"` : expression(value)),
  key: (name) => `${JSON.stringify(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
  pads: true,
}
