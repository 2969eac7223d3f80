import type { Exchange, Retry } from '../../http/client/transport.ts'

/** One request and how it ended, for `--verbose`: never what was in it. */
export function exchangeText({ method, path, outcome, ms, requestId }: Exchange): string {
  return `${method} ${path}  ${outcome} in ${ms} ms${requestId === undefined ? '' : `  ${requestId}`}`
}

const reasons: Readonly<Record<string, string>> = {
  REMOTE_TIMEOUT: 'gave no answer in time',
  REMOTE_UNREACHABLE: 'cannot be reached',
  REMOTE_LOST: 'broke the connection off',
}

/** That somebody waits, and what for. */
export function retryText({ reason, attempt, waitMs }: Retry): string {
  const said = reasons[reason] ?? (reason === '429' ? 'asks for patience (429)' : `answered ${reason}`)
  return `The service ${said}; attempt ${attempt + 1} in ${(waitMs / 1000).toFixed(1)} s`
}
