/** What a part of the program may say to its operator: particulars for programs, then a sentence. A pino logger is one. */
export interface Log {
  debug(detail: object, message: string): void
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
  error(detail: object, message: string): void
}

/** The names under which secrets travel, whatever object they are found in. */
const secrets = [
  'secret',
  'apiKey',
  'payoutApiKey',
  'ipnSecret',
  'webhookSecret',
  'password',
  'totpSecret',
  'token',
  'authorization',
  'x-signature',
  'x-api-key',
  'x-chat-apikey',
  'x-chat-agenttoken',
  'x-chat-room-token',
  'agentToken',
  'roomToken',
  'freePlanApiKey',
  'ticket',
]

/** A log of JSON lines on stderr, secrets masked. Loaded when first wanted: most commands never log. */
export async function openLog(level: string): Promise<Log> {
  const { pino } = await import('pino')
  const paths = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  const log: Log = pino({ level, redact: { paths, censor: '***' } }, pino.destination({ dest: 2, sync: true }))
  return log
}

const ignore = () => {}

/** A log that says nothing. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
