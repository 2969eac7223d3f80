import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { countroom, served } from '../support/program/processes.ts'

/** Shared parts of `npm run bench`: the table they fill, and the worlds they measure on. */

/** Measures smaller and writes nothing down. */
export const isQuick = process.argv.includes('quick')

export const log = (text: string) => process.stderr.write(`${text}\n`)
export const ms = (value: number) => `${value.toFixed(0)} ms`
export const count = (value: number) => Math.round(value).toLocaleString('en-US')

const rows: string[] = []

export interface Figure {
  readonly what: string
  readonly measured: string
  readonly baseline: string
  readonly ratio?: number
  /** None where nobody has set one. */
  readonly goal?: string
  readonly isMet?: boolean
}

/** One line of the table, said at once. */
export function figure({ what, measured, baseline, ratio, goal, isMet }: Figure): void {
  const shown = ratio === undefined ? '' : `${ratio.toFixed(2)}×`
  rows.push(
    `| ${what} | ${measured} | ${baseline} | ${shown} | ${goal ?? 'none'} | ${goal === undefined ? '' : isMet ? 'met' : '**missed**'} |`,
  )
  log(
    `${what}: ${measured} (${baseline}) ${shown}, ${goal === undefined ? 'no goal' : `goal ${goal}: ${isMet ? 'met' : 'MISSED'}`}`,
  )
}

export function table(): string {
  return ['| what | measured | baseline | ratio | goal | |', '|---|---|---|---|---|---|', ...rows].join('\n')
}

export function machine(): string {
  const gib = (totalmem() / 2 ** 30).toFixed(0)
  const day = new Date().toISOString().slice(0, 10)
  return `Node ${process.versions.node}, ${availableParallelism()} processors, ${gib} GiB, ${process.platform}-${process.arch}, ${day}.`
}

export interface Dealing {
  readonly slips: number
  readonly days: number
  /** Where the world's clock is set first. */
  readonly clock?: string
}

/** Of 40 players so many bet in a round, over all tables: a Hold'em table has fewer seats. */
const slipsPerRound = 27

/** Deals a world of about so many slips of 40 players and serves it; the profile `p<slips>` is made for it. */
export async function dealt({ slips, days, clock }: Dealing, folder: string, env: NodeJS.ProcessEnv) {
  const db = join(folder, `world-${slips}.db`)
  const at = clock === undefined ? [] : ['--clock', clock]
  const world = await served(folder, env, ['--db', db, '--seed', '7', '--no-rate-limit', ...at])
  log(`dealing ${count(slips)} slips…`)
  const afterlife = ['--corrected', '30', '--voided', '20']
  const size = ['--rounds', String(Math.ceil(slips / slipsPerRound)), '--players', '40', '--days', String(days)]
  countroom(['sim', 'play', ...size, ...afterlife], env)
  countroom(['profiles', 'add', `p${slips}`, '--environment', 'live', '--from', world.readyFile], env)
  return world
}
