import { Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Flags and other statics of commands that follow events. */

export const watchFlags = {
  cursor: Flags.string({ summary: 'File with the position to resume from, updated while running', helpValue: 'FILE' }),
  count: Flags.integer({ summary: 'Number of events after which to exit', min: 1, helpValue: 'N' }),
  jsonl: Flags.boolean({ summary: 'Print one JSON object per line, like --json', exclusive: ['json'] }),
}

export const watchExits = ['permission', 'temporary', 'stopped'] as const

export const watchFiles = ['--cursor: position for the next run']

export const watchCompletes: Readonly<Record<string, 'files'>> = { cursor: 'files' }

export const watchResult = ({ Type }: Shapes) =>
  Type.Object({ events: Type.Integer(), cursor: Type.Union([Type.String(), Type.Null()]) })
