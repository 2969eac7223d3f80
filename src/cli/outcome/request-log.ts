import type { Exchange, Retry } from '../../http/client/transport.ts'

/** Formats a request and its outcome for `--verbose`, without content. */
export function exchangeText({ method, path, outcome, ms, requestId }: Exchange): string {
  return `${method} ${path}  ${outcome} in ${ms} ms${requestId === undefined ? '' : `  ${requestId}`}`
}

const reasons: Readonly<Record<string, string>> = {
  REMOTE_TIMEOUT: 'did not respond in time',
  REMOTE_UNREACHABLE: 'is unreachable',
  REMOTE_LOST: 'closed the connection',
}

/** Formats a retry and its reason. */
export function retryText({ reason, attempt, waitMs }: Retry): string {
  const failure = reasons[reason] ?? (reason === '429' ? 'is rate limited (429)' : `responded with ${reason}`)
  return `The service ${failure}; attempt ${attempt + 1} in ${(waitMs / 1000).toFixed(1)} s`
}
