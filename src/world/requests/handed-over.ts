import type { Contract } from '../../http/contract/contract.ts'
import type { EndedExchange, Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { Problem } from '../../kit/problem.ts'
import { play } from '../../services/casino/live/contract.ts'
import { serviceOf } from '../fault-input.ts'

/** Recorded requests on their way from a command to the process that serves the same world. */

/** Paths at which a serving process accepts the requests of other processes. */
export const handoverPaths = { proof: '/desk/api/handover', take: '/desk/api/handover' } as const

/** Text whose HMAC with the desk's token proves that a process has the token, without the token itself. */
export const proofText = (challenge: string): string => `handover ${challenge}`

const contracts = new Map<string, Contract>([...serviceOf.keys(), play].map((contract) => [contract.title, contract]))

/** An exchange as JSON: contract and endpoint by name, the bytes of a body in Base64. */
type HandedOver = Omit<EndedExchange, 'contract' | 'endpoint' | 'body' | 'status'> & {
  readonly status: number | null
  readonly contract?: string | undefined
  readonly body?: string | undefined
  readonly bodyKind: 'none' | 'too-large' | 'text' | 'bytes'
}

/** Returns an exchange that has ended as JSON. */
export function handedOver(exchange: Exchange, process: number): HandedOver {
  const { seq: _seq, startedMs: _startedMs, contract, endpoint: _endpoint, body, address, ms = 0, ...rest } = exchange
  return {
    ...rest,
    ms,
    // Shown as it is: requests in a process have no address of their own.
    address: `${address === '' ? '' : `${address}, `}process ${process}`,
    contract: contract?.title,
    ...(body === undefined
      ? { bodyKind: 'none' }
      : body === 'too-large'
        ? { bodyKind: 'too-large' }
        : typeof body === 'string'
          ? { bodyKind: 'text', body }
          : { bodyKind: 'bytes', body: Buffer.from(body).toString('base64') }),
  }
}

/** Number of commands whose last batch is known. */
const maxSenders = 10_000

/**
 * Returns a function that reads the batches that other processes hand over, or throws INVALID_USAGE. A batch that was read before,
 * whose response did not arrive, has nothing new.
 */
export function createHandoverReader(): (body: Readonly<Record<string, unknown>>) => EndedExchange[] {
  const lastBatches = new Map<string, number>()
  return ({ sender, batch, exchanges }) => {
    if (typeof sender !== 'string' || sender.length > 100) throw new Problem('INVALID_USAGE', 'sender must be a text')
    if (typeof batch !== 'number' || !Number.isSafeInteger(batch))
      throw new Problem('INVALID_USAGE', 'batch must be a whole number')
    const read = readExchanges(exchanges)
    const last = lastBatches.get(sender) ?? 0
    // The sender that has been silent for longest comes first.
    lastBatches.delete(sender)
    lastBatches.set(sender, Math.max(batch, last))
    const [oldest] = lastBatches.keys()
    if (lastBatches.size > maxSenders && oldest !== undefined) lastBatches.delete(oldest)
    return batch > last ? read : []
  }
}

function readExchanges(value: unknown): EndedExchange[] {
  if (!Array.isArray(value) || !value.every(isHandedOver))
    throw new Problem('INVALID_USAGE', 'exchanges must be a list of recorded requests')
  return value.map(({ bodyKind, contract: title, body, ...rest }) => {
    const contract = title === undefined ? undefined : contracts.get(title)
    return {
      ...rest,
      contract,
      endpoint: rest.endpointName === undefined ? undefined : contract?.endpoints[rest.endpointName],
      body:
        bodyKind === 'none'
          ? undefined
          : bodyKind === 'too-large'
            ? 'too-large'
            : bodyKind === 'text'
              ? body
              : Buffer.from(body ?? '', 'base64'),
    }
  })
}

function isHandedOver(value: unknown): value is HandedOver {
  if (typeof value !== 'object' || value === null) return false
  const { id, kind, method, url, prefix, address, at, machineAt, ms, status, headers, responseHeaders } =
    value as Record<string, unknown>
  return (
    [id, method, url, prefix, address].every((each) => typeof each === 'string') &&
    [at, machineAt, ms].every((each) => typeof each === 'number') &&
    (status === null || typeof status === 'number') &&
    (kind === 'request' || kind === 'callback') &&
    [headers, responseHeaders].every((each) => typeof each === 'object' && each !== null)
  )
}
