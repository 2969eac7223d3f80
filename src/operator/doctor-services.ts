import { limitsOf } from '../domain/account/plan-limits.ts'
import type { Environment } from '../domain/account/state.ts'
import { fromReply, toRequest } from '../http/client/client.ts'
import type { Transport, WireReply } from '../http/client/transport.ts'
import { dateAheadBy, worldAheadBy } from '../http/contract/platform-time.ts'
import { isProblem, type Problem } from '../kit/problem.ts'
import { casino as casinoContract } from '../services/casino/api/contract.ts'
import type { Account } from '../services/casino/api/schemas/index.ts'
import { type Check, type Finding, fail, pass, skip, warn } from './doctor.ts'

export interface CasinoUnderTest {
  /** Signs, and tries nothing again. */
  readonly transport: Transport
  readonly environment: Environment
  readonly target: string
  /** Epoch milliseconds by this machine's clock: what requests are signed by. */
  readonly now: () => number
}

/** Beyond this the platform refuses (1-tenant-api, Authentication). */
const windowSeconds = 300
/** Beyond this a clock is not right any more, and may soon be wrong. */
const driftSeconds = 30

/** Asks the casino one signed question, and reads everything off its answer: whether it is there, what time it has, whom it takes us for. */
export async function casinoChecks(casino: CasinoUnderTest): Promise<Check[]> {
  const sentAt = casino.now()
  let reply: WireReply
  try {
    reply = await casino.transport(toRequest(casinoContract, 'account', {}))
  } catch (error) {
    if (!isProblem(error)) throw error
    return [
      unreached(casino, error),
      ...later(['clock', 'time', 'signature', 'rate', 'account'], 'the casino did not answer'),
    ]
  }
  const backAt = casino.now()
  const clocks = [
    check('clock', clockFinding(dateAheadBy(reply, sentAt, backAt))),
    timeCheck('casino', worldAheadBy(reply, sentAt, backAt), backAt),
  ]
  const reached = pass(`${casino.target} answered in ${backAt - sentAt} ms`)
  try {
    const account = fromReply(casinoContract, 'account', reply)
    return [
      check('reach', reached),
      ...clocks,
      check('signature', pass(`the key is good, ${casino.environment}`)),
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

export const check = (name: CasinoCheck, finding: Finding): Check => ({
  id: `casino.${name}`,
  title: titles[name],
  ...finding,
})

const later = (names: readonly CasinoCheck[], why: string): Check[] => names.map((name) => check(name, skip(why)))

function unreached({ target }: CasinoUnderTest, problem: Problem): Check {
  const fixes: Readonly<Record<string, string>> = {
    REMOTE_UNREACHABLE: `see that ${target} is right and that this machine may reach it`,
    REMOTE_TIMEOUT: 'try again; if it stays so, ask the platform or look at proxies on the way',
    REMOTE_LOST: 'try again; something on the way breaks connections off',
  }
  return check('reach', fail(problem.code, problem.message, fixes[problem.code] ?? `look at the address ${target}`))
}

/** Names the difference between this machine's time and the platform's own, which is another where a world's clock was moved. */
function timeCheck(name: 'casino' | KeyedService['name'], aheadMs: number | undefined, now: number): Check {
  const title = { casino: titles.time, gateway: 'Gateway time', chat: 'Chat time' }[name]
  return { id: `${name}.time`, title, ...timeFinding(aheadMs, now) }
}

function timeFinding(aheadMs: number | undefined, now: number): Finding {
  if (aheadMs === undefined) return skip('the platform sends no X-Countroom-Time: its Date counts')
  if (Math.abs(aheadMs) <= driftSeconds * 1000) return pass("the platform's time is this machine's")
  const theirs = new Date(now + aheadMs).toISOString().slice(0, 16).replace('T', ' ')
  return warn(
    `the platform's time is ${theirs} UTC, ${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's; days and ages are counted by it`,
    'nothing where the clock was moved on purpose ("countroom console clock show" there); else set this machine\'s clock (NTP)',
  )
}

/** A span in its largest unit, with the next smaller one. */
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

function clockFinding(aheadMs: number | undefined): Finding {
  if (aheadMs === undefined) return skip('the answer has no date')
  const skew = Math.round(-aheadMs / 1000)
  const off = Math.abs(skew)
  const said = `this machine is ${off} s ${skew > 0 ? 'ahead' : 'behind'}`
  const fix = 'set the clock, and keep it set (NTP)'
  if (off > windowSeconds)
    return fail('UNAUTHORIZED', `${said}; beyond ${windowSeconds} s every request is refused`, fix)
  if (off > driftSeconds) return warn(`${said}; beyond ${windowSeconds} s every request is refused`, fix)
  return pass(off <= 1 ? 'as the platform has it' : said)
}

function refused(problem: Problem, at: { reached: Finding; clocks: readonly Check[]; target: string }): Check[] {
  const { reached, clocks, target } = at
  const first = [check('reach', reached), ...clocks]
  const rest = later(['rate', 'account'], 'the request was refused')
  switch (problem.code) {
    case 'UNAUTHORIZED': {
      const isClock = clocks.some(({ status }) => status === 'fail') || /timestamp/i.test(problem.message)
      const fix = isClock
        ? 'set the clock first: a request signed at the wrong time is refused whatever the key'
        : 'see that key and secret belong together and were not revoked; a rotated key works for 24 hours more'
      const why = isClock ? `refused for the time in it (${problem.message})` : `refused (${problem.message})`
      return [...first, check('signature', fail('UNAUTHORIZED', why, fix)), ...rest]
    }
    case 'IP_NOT_ALLOWED':
      return [
        ...first,
        check('signature', fail(problem.code, problem.message, 'put this address on the allowlist in the Console')),
        ...rest,
      ]
    case 'TENANT_SUSPENDED':
      return [
        ...first,
        check(
          'signature',
          fail(problem.code, 'the key is good, the tenant is suspended', 'settle it with the platform'),
        ),
        ...rest,
      ]
    case 'RATE_LIMITED':
      return [
        ...first,
        check('signature', pass('the key is good')),
        check(
          'rate',
          warn(
            'the bucket is empty at this moment (RATE_LIMITED)',
            'slow other users of the tenant’s keys down: all share one bucket',
          ),
        ),
        ...later(['account'], 'the request was refused'),
      ]
    default:
      return [
        check(
          'reach',
          fail(problem.code, problem.message, `see that ${target} is the casino's address, and try again`),
        ),
        ...clocks,
        ...later(['signature'], 'no answer to tell by'),
        ...rest,
      ]
  }
}

function rateFinding({ plan }: Account, environment: Environment): Finding {
  const { perSecond, burst } = limitsOf(plan, environment).rate
  const whose = environment === 'sandbox' ? 'sandbox' : `${plan} plan`
  return pass(`${perSecond} requests a second, ${burst} at once (${whose}, unless the platform set another)`)
}

function accountFinding({ plan, state, balanceUsd, daysLeft, graceUntil }: Account): Finding {
  if (state === 'GRACE') return warn(`in grace until ${graceUntil}`, 'top up in the Console')
  if (state === 'DOWNGRADED')
    return warn('on the limits of the free plan', 'top up in the Console: that restores the paid plan')
  const lasts = daysLeft === null ? '' : `, for ${daysLeft} days`
  return pass(`${plan}, USD ${balanceUsd}${lasts}`)
}

export interface KeyedService {
  readonly name: 'gateway' | 'chat'
  readonly title: string
  readonly target: string
  /** Shows its key, and tries nothing again. */
  readonly transport: Transport
  /** A question that changes nothing and needs the key. */
  readonly path: string
  /** This machine's time. */
  readonly now: () => number
}

/** Whether a service that takes a key in a header is there, and takes ours. */
export async function keyedChecks({ name, title, target, transport, path, now }: KeyedService): Promise<Check[]> {
  const reach = (finding: Finding): Check => ({ id: `${name}.reach`, title, ...finding })
  const key = (finding: Finding): Check => ({ id: `${name}.key`, title: `${title} key`, ...finding })
  try {
    const sentAt = now()
    const reply = await transport({ method: 'GET', path, headers: { accept: 'application/json' } })
    const { status } = reply
    const backAt = now()
    const time = timeCheck(name, worldAheadBy(reply, sentAt, backAt), backAt)
    if (status >= 500)
      return [
        reach(fail('REMOTE_UNAVAILABLE', `${target} answered ${status}`, 'try again later')),
        time,
        key(skip('no answer to tell by')),
      ]
    return [reach(pass(`${target} answers`)), time, key(keyFinding(status))]
  } catch (error) {
    if (!isProblem(error)) throw error
    return [
      reach(fail(error.code, error.message, `see that ${target} is right and that this machine may reach it`)),
      { id: `${name}.time`, title: `${title} time`, ...skip('it did not answer') },
      key(skip('it did not answer')),
    ]
  }
}

function keyFinding(status: number): Finding {
  if (status >= 200 && status < 300) return pass('the key is good')
  if (status === 401) return fail('INVALID_API_KEY', 'the key is refused', 'renew it, and the profile with it')
  if (status === 403) return pass('the key is known; its plan or scope does not reach everywhere')
  return warn(`the answer was ${status}`, 'see that the base URL is the right one')
}
