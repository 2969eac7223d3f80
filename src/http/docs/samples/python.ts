import { type Notation, written } from './layout.ts'
import type { PlannedStep, SamplePlan } from './plan.ts'
import { type Computed, Placeholder, type SampleText } from './sample.ts'

/** Samples in Python 3: its standard library only. */
export function pythonSample(plan: SamplePlan): string {
  return [
    importsOf(plan),
    plan.authentication === 'signature' ? signedCall(plan) : keyCall(plan),
    plan.usesTotp && totp,
    plan.steps.map((step, i) => stepText(step, i === plan.steps.length - 1)).join('\n'),
  ]
    .filter((part) => part)
    .join('\n\n')
}

function importsOf(plan: SamplePlan): string {
  const { authentication, usesUnique, usesTotp, usesHmac, steps } = plan
  const isSigned = authentication === 'signature'
  const usesTime = isSigned || usesTotp || steps.some((step) => 'set' in step && step.to.kind === 'unix-time')
  const names = [
    usesTotp && 'base64',
    (isSigned || usesTotp || usesHmac) && 'hashlib',
    (isSigned || usesTotp || usesHmac) && 'hmac',
    'json',
    'os',
    (isSigned || usesUnique) && 'secrets',
    usesTotp && 'struct',
    usesTime && 'time',
  ].filter((name) => name)
  const lines = names.map((name) => `import ${name}\n`).join('')
  const errors = plan.calls ? 'from urllib.error import HTTPError\n' : ''
  return `${lines}${errors}from urllib.request import Request, urlopen\n`
}

const signedCall = (plan: SamplePlan) => `def call(method, path, body=None):
    """Sign and send a request, and return the data of its response."""
    data = b"" if body is None else json.dumps(body).encode()
    timestamp = str(int(time.time()))
    nonce = secrets.token_hex(16)
    text = "\\n".join([method, path, timestamp, nonce, hashlib.sha256(data).hexdigest()])
    headers = {
        "Content-Type": "application/json",
        "X-Api-Key": os.environ["API_KEY"],
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Signature": hmac.new(os.environ["SECRET"].encode(), text.encode(), hashlib.sha256).hexdigest(),
    }
    request = Request(os.environ["BASE_URL"] + path, data or None, headers, method=method)
${ending(plan)}`

const keyCall = (plan: SamplePlan) => {
  const { keyHeader, sendsText, calls } = plan
  const headers = `headers = {"${keyHeader}": os.environ["API_KEY"]}\n`
  if (!calls) return headers
  const data = sendsText
    ? '    data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()\n    content_type = "application/octet-stream" if isinstance(body, str) else "application/json"\n'
    : '    data = None if body is None else json.dumps(body).encode()\n'
  const type = sendsText ? 'content_type' : '"application/json"'
  return `${headers}

def call(method, path, body=None):
    """Send a request, and return its response."""
${data}    content = {} if data is None else {"Content-Type": ${type}}
    request = Request(os.environ["BASE_URL"] + path, data, {**headers, **content}, method=method)
${ending(plan)}`
}

const ending = ({ showsRefusal, envelope }: SamplePlan) => `    try:
        with urlopen(request) as response:
            text = response.read()
    except HTTPError as error:
${showsRefusal ? '        text = error.read()' : '        raise SystemExit(f"{error.code} {error.read().decode()}")'}
    return json.loads(text)${envelope === undefined ? '' : `["${envelope}"]`} if text else None
`

const totp = `def totp(secret):
    """Return the current code of a Base32 TOTP secret."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    code = struct.unpack_from(">I", digest, digest[19] & 15)[0] & 0x7FFFFFFF
    return f"{code % 1_000_000:06}"
`

function stepText(step: PlannedStep, isLast: boolean): string {
  if ('header' in step) return `headers[${quoted(step.header)}] = ${textOf(step.value)}`
  if ('set' in step) return `${step.set} = ${computed(step.to)}`
  if ('unlessEmpty' in step)
    return `if not ${step.unlessEmpty}["${step.list}"]:\n    print(${quoted(step.message)})\n    raise SystemExit`
  if ('stream' in step) return firstEvent(step.stream)
  if ('file' in step) return `with urlopen(${expression(step.file)}) as file:\n    print(len(file.read()))\n`
  const result = isLast ? 'response' : step.as
  const start = `${result === undefined ? '' : `${result} = `}call("${step.method}", ${textOf(step.path)}`
  const end = isLast ? ')\nprint(json.dumps(response, indent=2))\n' : ')'
  if (step.body === undefined) return start + end
  const body = typeof step.body === 'string' ? quoted(step.body) : written(notation, step.body, '    ', start.length)
  return `${start}, ${body}${end}`
}

const firstEvent = (
  path: SampleText,
) => `with urlopen(Request(os.environ["BASE_URL"] + ${textOf(path)}, headers=headers)) as stream:
    # Without the break the stream continues.
    for line in stream:
        if line.startswith(b"data: "):
            print(json.dumps(json.loads(line[6:]), indent=2))
            break
`

function computed(value: Computed): string {
  if (value.kind === 'unix-time') return 'int(time.time())'
  if (value.kind === 'totp') return `totp(os.environ["${value.environment}"])`
  return `hmac.new(os.environ["SECRET"].encode(), ${textOf(value.text)}.encode(), hashlib.sha256).hexdigest()`
}

function textOf(parts: SampleText): string {
  if (parts.every((part) => typeof part === 'string')) return quoted(parts.join(''))
  if (parts.length === 1 && parts[0] instanceof Placeholder) return expression(parts[0])
  // Double quotes inside of an f-string's braces need Python 3.12.
  return `f"${parts.map((part) => (part instanceof Placeholder ? `{${expression(part).replaceAll('"', "'")}}` : part)).join('')}"`
}

function expression({ source }: Placeholder): string {
  if (source.kind === 'variable') return source.name
  if (source.kind === 'environment') return `os.environ["${source.name}"]`
  if (source.kind === 'unique') return `f"${source.prefix}-{secrets.token_hex(8)}"`
  return source.variable + source.path.map((key) => `[${JSON.stringify(key)}]`).join('')
}

const quoted = (text: string) => JSON.stringify(text)

const notation: Notation = {
  scalar: (value) =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? 'None' : JSON.stringify(value),
  placeholder: expression,
  key: (name) => `${quoted(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
}
