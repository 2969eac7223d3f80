import { Type } from 'typebox'
import { faultKinds, faultStatuses, faultyServices } from '../../../domain/faults.ts'
import { durationMs } from '../../../kit/duration.ts'
import { Problem } from '../../../kit/problem.ts'
import { action, settled } from './action.ts'
import { momentFrom } from './clock.ts'
import { choice, maybeChoice, maybeText, text } from './fields.ts'

const maybeCount = (title: string) => Type.Optional(Type.Integer({ title, minimum: 1, maximum: 1_000_000 }))

export const faultActions = {
  'fault.add': action({
    title: 'Add a fault',
    summary: 'Injects late or failed responses, and lost or duplicate callbacks.',
    input: Type.Object({
      kind: choice('Kind', faultKinds),
      service: maybeChoice('Service', faultyServices),
      endpoint: maybeText('Endpoint or event', { examples: ['withdraw', 'POST /wallet/*'] }),
      times: maybeCount('Times'),
      every: maybeCount('Every Nth'),
      chance: maybeText('Probability', { pattern: '^(0?\\.[0-9]{1,6}|1(\\.0*)?)$', examples: ['0.25'] }),
      until: maybeText('Until', { examples: ['1h', '2026-03-01T00:00:00Z'] }),
      for: maybeText('Delay', { examples: ['3s'] }),
      status: maybeChoice('Status', faultStatuses.map(String)),
      code: maybeText('Error code'),
      retryAfter: Type.Optional(Type.Integer({ title: 'Retry-After, seconds', minimum: 0, maximum: 86_400 })),
    }),
    commands: [
      {
        words: 'sim faults add',
        args: ['kind'],
        flags: {
          service: 'service',
          endpoint: 'endpoint',
          times: 'times',
          every: 'every',
          chance: 'chance',
          until: 'until',
          for: 'for',
          status: 'status',
          code: 'code',
          'retry-after': 'retryAfter',
        },
      },
    ],
    async run({ world }, { for: length, until, status, chance, retryAfter, ...input }) {
      const forMs = length === undefined ? undefined : lengthFrom(length)
      const fault = await world.faults.set({
        ...input,
        forMs,
        chance: chance === undefined ? undefined : Number(chance),
        until: until === undefined ? undefined : await endOf(until, world.clock.now),
        status: faultStatuses.find((each) => String(each) === status),
        retryAfterSeconds: retryAfter,
      })
      return settled(world, { fault: fault.id, kind: fault.kind })
    },
  }),
  'fault.clear': action({
    title: 'Remove',
    summary: 'Removes the fault; it does not apply to new requests.',
    input: Type.Object({ fault: text('Fault', { pattern: '^[1-9][0-9]{0,9}$' }) }),
    commands: [{ words: 'sim faults clear', args: ['fault'] }],
    run: async ({ world }, { fault }) => settled(world, { cleared: await world.faults.clear([Number(fault)]) }),
  }),
  'fault.clear-all': action({
    title: 'Remove all',
    summary: 'Removes all faults.',
    input: Type.Object({}),
    commands: [{ words: 'sim faults clear' }],
    run: async ({ world }) => settled(world, { cleared: await world.faults.clear() }),
  }),
}

async function endOf(text: string, now: () => Promise<number>): Promise<number> {
  const span = durationMs(text)
  return span === undefined ? momentFrom(text, 'a duration such as 1h, or ') : (await now()) + span
}

function lengthFrom(text: string): number {
  const ms = durationMs(text)
  if (ms !== undefined && ms > 0) return ms
  throw new Problem('INVALID_USAGE', `The delay must be a duration such as 500ms, 3s or 10m; received ${text}`)
}
