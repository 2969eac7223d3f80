import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { countroom, served } from '../support/program/processes.ts'

/** Shared parts of `npm run bench`: the table of results, and the measured worlds. */

/** True to measure smaller amounts and write no file. */
export const isQuick = process.argv.includes('quick')

/** True to measure the largest amounts too. */
export const isLarge = process.argv.includes('large')

export const log = (text: string) => process.stderr.write(`${text}\n`)
export const ms = (value: number) => `${value.toFixed(0)} ms`
export const count = (value: number) => Math.round(value).toLocaleString('en-US')

const rows: string[] = []

export interface Figure {
  readonly what: string
  readonly measured: string
  readonly baseline: string
  readonly ratio?: number
  /** Goal of the figure; absent if there is none. */
  readonly goal?: string
  readonly isMet?: boolean
}

/** One line of the table, printed immediately. */
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
  /** Start of the world's clock. */
  readonly clock?: string
}

/** Players, of 40, that bet in a round over all tables: a Hold'em table has fewer places. */
const slipsPerRound = 27

/** Deals a world with about this many slips of 40 players, serves it, and creates its profile `p<slips>`. */
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
