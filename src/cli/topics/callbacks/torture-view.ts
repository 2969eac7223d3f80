import type { Shapes } from '../../outcome/result-schema.ts'

export function tortureSchema({ Type }: Shapes) {
  const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
  return Type.Object({
    status: Type.Enum(['passed', 'broken', 'inconclusive']),
    seed: Type.String(),
    rounds: Type.Integer(),
    runs: Type.Integer({ description: 'Runs of the handler, with those for shrinking; 0 on a dry run.' }),
    callbacks: Type.Integer({ description: 'Number of stored callbacks that were sent.' }),
    reason: textOrNull('Why the handler cannot be judged.'),
    sequence: Type.Array(
      Type.Object({
        how: Type.Enum(['send', 'lost', 'together'], { description: 'lost: the answer did not arrive.' }),
        ids: Type.Array(Type.String()),
        words: Type.String(),
      }),
      { description: 'Shortest sequence that breaks the handler.' },
    ),
    expected: textOrNull('What the probe prints after the recorded order of these callbacks.'),
    actual: textOrNull('What the probe prints after the sequence.'),
    refused: Type.Array(Type.String(), { description: 'Callbacks that the handler never accepted.' }),
    repeat: Type.String({ description: 'Command that does the same again.' }),
  })
}
