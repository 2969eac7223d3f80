import { limitsOf } from '../domain/account/plan-limits.ts'
import type { Environment } from '../domain/account/state.ts'
import { fromReply, toRequest } from '../http/client/client.ts'
import type { Transport, WireReply } from '../http/client/transport.ts'
import { dateAheadBy, worldAheadBy } from '../http/contract/platform-time.ts'
import { minuteText } from '../kit/moment.ts'
import { isProblem, type Problem } from '../kit/problem.ts'
import { countText } from '../kit/text/count-text.ts'
import { casino as casinoContract } from '../services/casino/api/contract.ts'
import type { Account } from '../services/casino/api/schemas/index.ts'
import { type Check, type CheckResult, fail, pass, skip, warn } from './doctor.ts'

export interface CasinoUnderTest {
  /** Signs requests, without retries. */
  readonly transport: Transport
  readonly environment: Environment
  readonly target: string
  /** The machine's time in epoch milliseconds, used for signatures. */
  readonly now: () => number
}

/** Largest clock difference that the platform accepts (1-tenant-api, Authentication). */
const windowSeconds = 300
/** Clock difference from which the check warns. */
const driftSeconds = 30

/** Checks the casino with one signed request: reachable, clock, signature, rate limit and account. */
export async function casinoChecks(casino: CasinoUnderTest): Promise<Check[]> {
  const sentAt = casino.now()
  let reply: WireReply
  try {
    reply = await casino.transport(toRequest(casinoContract, 'account', {}))
  } catch (error) {
    if (!isProblem(error)) throw error
    return [
      unreachable(casino, error),
      ...later(['clock', 'time', 'signature', 'rate', 'account'], 'no response from the casino'),
    ]
  }
  const backAt = casino.now()
  const clocks = [
    check('clock', clockFinding(dateAheadBy(reply, sentAt, backAt))),
    timeCheck('casino', worldAheadBy(reply, sentAt, backAt), backAt),
  ]
  const reached = pass(`${casino.target} responded in ${backAt - sentAt} ms`)
  try {
    const account = fromReply(casinoContract, 'account', reply)
    return [
      check('reach', reached),
      ...clocks,
      check('signature', pass(`the key is valid, ${casino.environment}`)),
      check('rate', rateFinding(account, casino.environment)),
      check('account', accountFinding(account)),
    ]
  } catch (error) {
    if (!isProblem(error)) throw error
    return refused(error, { reached, clocks, target: casino.target })
  }
}

const titles = {
  reach: 'Casino',
  clock: 'Clock',
  time: 'Casino time',
  signature: 'Signature',
  rate: 'Rate',
  account: 'Account',
} as const
type CasinoCheck = keyof typeof titles

export const check = (name: CasinoCheck, finding: CheckResult): Check => ({
  id: `casino.${name}`,
  title: titles[name],
  ...finding,
})

const later = (names: readonly CasinoCheck[], reason: string): Check[] => names.map((name) => check(name, skip(reason)))

function unreachable({ target }: CasinoUnderTest, problem: Problem): Check {
  const fixes: Readonly<Record<string, string>> = {
    REMOTE_UNREACHABLE: `Check the URL ${target} and the network of this machine`,
    REMOTE_TIMEOUT: 'Try again. If it persists, check proxies on the way or ask the platform',
    REMOTE_LOST: 'Try again. Something on the way closes connections',
  }
  return check('reach', fail(problem.code, problem.message, fixes[problem.code] ?? `Check the URL ${target}`))
}

/** Compares this machine's time with the platform's, which differs if the clock of a world was moved. */
function timeCheck(name: 'casino' | KeyedService['name'], aheadMs: number | undefined, now: number): Check {
  const title = { casino: titles.time, gateway: 'Gateway time', chat: 'Chat time' }[name]
  return { id: `${name}.time`, title, ...timeFinding(aheadMs, now) }
}

function timeFinding(aheadMs: number | undefined, now: number): CheckResult {
  if (aheadMs === undefined) return skip('the platform sends no X-Countroom-Time; its Date header is used')
  if (Math.abs(aheadMs) <= driftSeconds * 1000) return pass("same as this machine's time")
  const theirs = minuteText(now + aheadMs)
  return warn(
    `the platform's time is ${theirs}, ${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's; it decides days and ages`,
    'If the clock was moved on purpose, nothing (see "countroom console clock show"); else set this machine\'s clock (NTP)',
  )
}

/** Formats a duration in its largest unit and the next smaller one. */
function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

function clockFinding(aheadMs: number | undefined): CheckResult {
  if (aheadMs === undefined) return skip('the response has no date')
  const skew = Math.round(-aheadMs / 1000)
  const off = Math.abs(skew)
  const offset = `this machine is ${off} s ${skew > 0 ? 'ahead' : 'behind'}`
  const fix = 'Set the clock of this machine and keep it synchronized (NTP)'
  if (off > windowSeconds)
    return fail('UNAUTHORIZED', `${offset}; above ${windowSeconds} s every request is rejected`, fix)
  if (off > driftSeconds) return warn(`${offset}; above ${windowSeconds} s every request is rejected`, fix)
  return pass(off <= 1 ? 'same as the platform' : offset)
}

function refused(problem: Problem, at: { reached: CheckResult; clocks: readonly Check[]; target: string }): Check[] {
  const { reached, clocks, target } = at
  const first = [check('reach', reached), ...clocks]
  const rest = later(['rate', 'account'], 'the request was rejected')
  switch (problem.code) {
    case 'UNAUTHORIZED': {
      const isClock = clocks.some(({ status }) => status === 'fail') || /timestamp/i.test(problem.message)
      const fix = isClock
        ? 'Set the clock first: a request with a wrong time is rejected with any key'
        : 'Check that key and secret match and are not revoked; a rotated key works for 24 more hours'
      const reason = isClock ? `rejected because of its time (${problem.message})` : `rejected (${problem.message})`
      return [...first, check('signature', fail('UNAUTHORIZED', reason, fix)), ...rest]
    }
    case 'IP_NOT_ALLOWED':
      return [
        ...first,
        check('signature', fail(problem.code, problem.message, 'Add this address to the allowlist in the Console')),
        ...rest,
      ]
    case 'TENANT_SUSPENDED':
      return [
        ...first,
        check('signature', fail(problem.code, 'the key is valid, but the tenant is suspended', 'Contact the platform')),
        ...rest,
      ]
    case 'RATE_LIMITED':
      return [
        ...first,
        check('signature', pass('the key is valid')),
        check(
          'rate',
          warn(
            'the rate limit is used up (RATE_LIMITED)',
            'Reduce the requests of other programs of the tenant; all keys share one limit',
          ),
        ),
        ...later(['account'], 'the request was rejected'),
      ]
    default:
      return [
        check(
          'reach',
          fail(problem.code, problem.message, `Check that ${target} is the URL of the casino, and try again`),
        ),
        ...clocks,
        ...later(['signature'], 'no response'),
        ...rest,
      ]
  }
}

function rateFinding({ plan }: Account, environment: Environment): CheckResult {
  const { perSecond, burst } = limitsOf(plan, environment).rate
  const limitSource = environment === 'sandbox' ? 'sandbox' : `${plan} plan`
  return pass(
    `${perSecond} requests per second, burst of ${burst} (${limitSource}; the platform may have set another limit)`,
  )
}

function accountFinding({ plan, state, balanceUsd, daysLeft, graceUntil }: Account): CheckResult {
  if (state === 'GRACE')
    return warn(
      `in the grace period until ${graceUntil === null ? 'an unknown time' : minuteText(graceUntil)}`,
      'Top up in the Console',
    )
  if (state === 'DOWNGRADED')
    return warn('limits of the free plan apply', 'Top up in the Console to restore the paid plan')
  const lasts = daysLeft === null ? '' : `, ${countText(daysLeft, 'day')} left`
  return pass(`${plan}, USD ${balanceUsd}${lasts}`)
}

export interface KeyedService {
  readonly name: 'gateway' | 'chat'
  readonly title: string
  readonly target: string
  /** Sends requests with the key, without retries. */
  readonly transport: Transport
  /** A read-only request that needs the key. */
  readonly path: string
  /** The machine's time. */
  readonly now: () => number
}

/** Checks whether a service with a key header is reachable and accepts the key. */
export async function keyedChecks({ name, title, target, transport, path, now }: KeyedService): Promise<Check[]> {
  const reach = (finding: CheckResult): Check => ({ id: `${name}.reach`, title, ...finding })
  const key = (finding: CheckResult): Check => ({ id: `${name}.key`, title: `${title} key`, ...finding })
  try {
    const sentAt = now()
    const reply = await transport({ method: 'GET', path, headers: { accept: 'application/json' } })
    const { status } = reply
    const backAt = now()
    const time = timeCheck(name, worldAheadBy(reply, sentAt, backAt), backAt)
    if (status >= 500)
      return [
        reach(fail('REMOTE_UNAVAILABLE', `${target} responded with ${status}`, 'Try again later')),
        time,
        key(skip('no response')),
      ]
    return [reach(pass(`${target} responds`)), time, key(keyFinding(status))]
  } catch (error) {
    if (!isProblem(error)) throw error
    return [
      reach(fail(error.code, error.message, `Check the URL ${target} and the network of this machine`)),
      { id: `${name}.time`, title: `${title} time`, ...skip('no response') },
      key(skip('no response')),
    ]
  }
}

function keyFinding(status: number): CheckResult {
  if (status >= 200 && status < 300) return pass('the key is valid')
  if (status === 401) return fail('INVALID_API_KEY', 'the key is rejected', 'Create a new key and update the profile')
  if (status === 403) return pass('the key is known; its plan or scope does not allow everything')
  return warn(`the response was ${status}`, 'Check the base URL')
}
