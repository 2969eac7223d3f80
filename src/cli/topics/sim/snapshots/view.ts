import type { Shapes } from '../../../outcome/result-schema.ts'

/** A snapshot in the output of commands. */
export function snapshotSchema({ Type }: Shapes) {
  return Type.Object({
    name: Type.String(),
    savedAt: Type.String({ description: "This machine's time when it was saved." }),
    worldTime: Type.String({ description: "The world's time in it." }),
    slips: Type.Integer(),
    players: Type.Integer(),
  })
}

export function diffSchema({ Type }: Shapes) {
  const value = Type.Union([Type.String(), Type.Number(), Type.Null()])
  return Type.Object({
    from: Type.String(),
    to: Type.String({ description: 'Name of the snapshot, or "now".' }),
    changes: Type.Array(
      Type.Object({
        entity: Type.String({ description: 'player, transfer, round, slip, payment, ticket, …' }),
        id: Type.String(),
        change: Type.Enum(['added', 'changed', 'removed']),
        fields: Type.Record(Type.String(), Type.Object({ before: value, after: value }), {
          description: 'Fields that differ. Secrets are ***.',
        }),
      }),
    ),
    balances: Type.Array(
      Type.Object({
        username: Type.String(),
        environment: Type.String(),
        currency: Type.String(),
        before: Type.String(),
        after: Type.String(),
        delta: Type.String(),
      }),
      {
        description:
          'Net changes of players per currency, and of merchants and sub-accounts of the gateway per coin; their ID is the username.',
      },
    ),
  })
}
