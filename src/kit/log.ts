/** A logger: fields for programs, then a sentence. A pino logger satisfies it. */
export interface Log {
  /** Returns whether messages of a level are written. Absent: they may be. */
  isLevelEnabled?(level: string): boolean
  debug(detail: object, message: string): void
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
  error(detail: object, message: string): void
}

/** Names of fields that contain secrets, in any object. */
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

/**
 * Opens a log of JSON lines on stderr with secrets masked. pino is loaded on first use, because most commands never
 * log.
 */
export async function openLog(level: string): Promise<Log> {
  const { pino } = await import('pino')
  const paths = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  const log: Log = pino({ level, redact: { paths, censor: '***' } }, pino.destination({ dest: 2, sync: true }))
  return log
}

const ignore = () => {}

/** A log that writes nothing. */
export const silentLog: Log = { isLevelEnabled: () => false, debug: ignore, info: ignore, warn: ignore, error: ignore }
