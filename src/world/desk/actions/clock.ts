import { Type } from 'typebox'
import { momentIn } from '../../../domain/time/calendar.ts'
import { durationMs } from '../../../kit/duration.ts'
import { Problem } from '../../../kit/problem.ts'
import { action } from './action.ts'
import { text } from './fields.ts'

/** Parses a time with its zone. */
export function momentFrom(given: string, orElse = ''): number {
  const at = momentIn(given)
  if (at !== undefined) return at
  throw new Problem('INVALID_USAGE', `Expected ${orElse}a time such as 2026-03-01T00:00:00Z; received ${given}`)
}

export const clockActions = {
  'clock.advance': action({
    title: 'Advance',
    summary: 'Moves the clock forward and runs every periodic job on the way, each at its own time.',
    input: Type.Object({ by: text('Duration or time', { default: '1h', maxLength: 40 }) }),
    commands: [{ words: 'console clock advance', args: ['by'] }],
    async run({ world: { clock } }, { by }) {
      const span = durationMs(by)
      const from = await clock.now()
      const to = span === undefined ? momentFrom(by, 'a duration such as 26h or 1h30m, or ') : from + span
      const { steps, done } = await clock.advance(to)
      return { from: new Date(from).toISOString(), now: new Date(to).toISOString(), steps, done }
    },
  }),
  'clock.set': action({
    title: 'Set',
    summary: 'Sets the clock, forward or back, without running jobs.',
    input: Type.Object({ to: text('Time', { maxLength: 40, examples: ['2026-03-01T00:00:00Z'] }) }),
    commands: [{ words: 'console clock set', args: ['to'] }],
    async run({ world: { clock } }, { to }) {
      const at = momentFrom(to)
      await clock.set(at)
      return { now: new Date(at).toISOString() }
    },
  }),
}
