import { type Notation, written } from './layout.ts'
import type { PlannedStep, SamplePlan } from './plan.ts'
import { type Computed, Placeholder, type SampleText } from './sample.ts'

/** Samples in PHP 8: no extension that is not compiled in by default. */
export function phpSample(plan: SamplePlan): string {
  return [
    '<?php',
    plan.authentication === 'signature' ? signedCall(plan) : keyCall(plan),
    plan.usesTotp && totp,
    plan.steps.map((step, i) => stepText(step, i === plan.steps.length - 1)).join('\n'),
  ]
    .filter((part) => part)
    .join('\n')
}

const signedCall = (plan: SamplePlan) => `
/** Signs and sends a request, and returns the data of its response. */
function call(string $method, string $path, ?array $body = null): mixed
{
    $data = $body === null ? '' : json_encode($body);
    $timestamp = (string) time();
    $nonce = bin2hex(random_bytes(16));
    $text = implode("\\n", [$method, $path, $timestamp, $nonce, hash('sha256', $data)]);
    $headers = [
        'Content-Type: application/json',
        'X-Api-Key: ' . getenv('API_KEY'),
        "X-Timestamp: $timestamp",
        "X-Nonce: $nonce",
        'X-Signature: ' . hash_hmac('sha256', $text, getenv('SECRET')),
    ];
${ending(plan)}`

const keyCall = (plan: SamplePlan) => {
  const { keyHeader, sendsText, calls } = plan
  const headers = `\n$headers = ['${keyHeader}: ' . getenv('API_KEY')];\n`
  if (!calls) return headers
  const type = sendsText ? `(is_string($body) ? 'application/octet-stream' : 'application/json')` : undefined
  const data = sendsText
    ? "$data = $body === null ? '' : (is_string($body) ? $body : json_encode($body));"
    : "$data = $body === null ? '' : json_encode($body);"
  return `${headers}
/** Sends a request, and returns its response. */
function call(string $method, string $path, array|${sendsText ? 'string|' : ''}null $body = null): mixed
{
    ${data}
    $headers = $GLOBALS['headers'];
    if ($body !== null) {
        $headers[] = 'Content-Type: ${type === undefined ? "application/json'" : `' . ${type}`};
    }
${ending(plan)}`
}

const ending = ({
  showsRefusal,
  envelope,
}: SamplePlan) => `    $http = ['method' => $method, 'header' => $headers, 'content' => $data, 'ignore_errors' => true];
    $stream = fopen(getenv('BASE_URL') . $path, 'r', false, stream_context_create(['http' => $http]));
    $text = stream_get_contents($stream);
${
  showsRefusal
    ? ''
    : `    $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    if ($status >= 400) {
        throw new Exception("$status $text");
    }
`
}    return json_decode($text, true)${envelope === undefined ? '' : `['${envelope}']`};
}
`

const totp = `/** Returns the current code of a Base32 TOTP secret. */
function totp(string $secret): string
{
    $bits = '';
    foreach (str_split($secret) as $letter) {
        $bits .= sprintf('%05b', strpos('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', $letter));
    }
    $key = implode('', array_map(fn ($byte) => chr(bindec($byte)), str_split(substr($bits, 0, intdiv(strlen($bits), 8) * 8), 8)));
    $digest = hash_hmac('sha1', pack('J', intdiv(time(), 30)), $key, true);
    $code = unpack('N', substr($digest, ord($digest[19]) & 15, 4))[1] & 0x7fffffff;
    return sprintf('%06d', $code % 1000000);
}
`

function stepText(step: PlannedStep, isLast: boolean): string {
  if ('header' in step) return `$headers[] = ${textOf([`${step.header}: `, ...step.value])};`
  if ('set' in step) return `$${step.set} = ${computed(step.to)};`
  if ('unlessEmpty' in step)
    return `if ($${step.unlessEmpty}['${step.list}'] === []) {\n    exit(${quoted(`${step.message}`)} . "\\n");\n}`
  if ('stream' in step) return firstEvent(step.stream)
  if ('file' in step) return `echo strlen(file_get_contents(${expression(step.file)})), "\\n";\n`
  const result = isLast ? 'response' : step.as
  const start = `${result === undefined ? '' : `$${result} = `}call('${step.method}', ${textOf(step.path)}`
  const end = isLast ? `);\necho json_encode($response, JSON_PRETTY_PRINT), "\\n";\n` : ');'
  if (step.body === undefined) return start + end
  const body = typeof step.body === 'string' ? quoted(step.body) : written(notation, step.body, '    ', start.length)
  return `${start}, ${body}${end}`
}

const firstEvent = (path: SampleText) => `$http = stream_context_create(['http' => ['header' => $headers]]);
$stream = fopen(getenv('BASE_URL') . ${textOf(path)}, 'r', false, $http);
// Without the break the stream continues.
while (($line = fgets($stream)) !== false) {
    if (str_starts_with($line, 'data: ')) {
        echo substr($line, 6);
        break;
    }
}
`

function computed(value: Computed): string {
  if (value.kind === 'unix-time') return 'time()'
  if (value.kind === 'totp') return `totp(getenv('${value.environment}'))`
  return `hash_hmac('sha256', ${textOf(value.text)}, getenv('SECRET'))`
}

function textOf(parts: SampleText): string {
  const joined = parts.map((part) => (part instanceof Placeholder ? expression(part) : quoted(part))).join(' . ')
  return joined === '' ? "''" : joined.replaceAll("' . '", '')
}

function expression({ source }: Placeholder): string {
  if (source.kind === 'variable') return `$${source.name}`
  if (source.kind === 'environment') return `getenv('${source.name}')`
  if (source.kind === 'unique') return `'${source.prefix}-' . bin2hex(random_bytes(8))`
  return `$${source.variable}${source.path.map((key) => `[${typeof key === 'number' ? key : quoted(key)}]`).join('')}`
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

const notation: Notation = {
  scalar: (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)),
  placeholder: expression,
  key: (name) => `${quoted(name)} => `,
  object: ['[', ']'],
  list: ['[', ']'],
}
