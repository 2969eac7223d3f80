import Type, { type Static } from 'typebox'
import { environments } from '../../../domain/account/state.ts'
import { reasonCodes, verdicts } from '../../../domain/reconcile/daily.ts'
import { uncheckedReasons } from '../../../domain/reconcile/settlement/recorded.ts'

/** Schemas of a day that was settled again. Fields may be added, never renamed. */

const Text = Type.String()
const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const SettlementFinding = Type.Object({
  slipId: Text,
  rev: Type.Integer(),
  status: Text,
  player: Text,
  currency: Text,
  game: Text,
  variant: Text,
  tableId: Text,
  roundId: Text,
  settledAt: Text,
  bets: Type.String({ description: 'Bets of the slip: zone and amount.' }),
  code: Text,
  cardInfo: Text,
  onsite: Type.Boolean({ description: 'True for a seat without wallet; it is not in the figures of the day.' }),
  impossible: nullable(Text, 'Why no round can have these cards or bets, so that nothing could be settled.'),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Figure of the slip, or zone and figure of a leg, such as B.return.' }),
      platform: Text,
      rules: Type.String({ description: 'Figure by the rules of the game.' }),
      difference: nullable(Text, 'Platform minus rules. Null for a fact that is not an amount.'),
    }),
  ),
  message: Text,
})
export type SettlementFinding = Static<typeof SettlementFinding>

export const SettlementResult = Type.Object({
  verdict: Type.Enum([...verdicts]),
  date: Text,
  timezone: Text,
  start: Text,
  end: Type.String({ description: 'First millisecond after the day.' }),
  hours: Type.Number(),
  companyCode: Text,
  environment: Type.Enum([...environments]),
  slips: Type.Integer({ description: 'Number of slips of the day in the book.' }),
  revisions: Type.Integer(),
  wrong: Type.Integer({ description: 'Number of slips that the platform settled differently.' }),
  unchecked: Type.Integer({ description: 'Number of slips that could not be checked completely.' }),
  games: Type.Array(
    Type.Object({
      game: Text,
      variant: Text,
      slips: Type.Integer(),
      revisions: Type.Integer(),
      wrong: Type.Integer(),
      unchecked: Type.Integer(),
    }),
  ),
  totals: Type.Array(Type.Object({ currency: Text, field: Text, difference: Text, slips: Type.Integer() }), {
    description: 'Platform minus rules by currency, over the latest revisions.',
  }),
  findings: Type.Array(SettlementFinding),
  notChecked: Type.Array(
    Type.Object({
      reason: Type.Enum([...uncheckedReasons]),
      message: Text,
      slips: Type.Integer(),
      tables: Type.Array(Text),
      examples: Type.Array(Text, { description: 'First slips.' }),
    }),
  ),
  reasons: Type.Array(Type.Object({ code: Type.Enum([...reasonCodes]), message: Text }), {
    description: 'Why slips of the day may be missing in the book.',
  }),
  tables: Type.Array(
    Type.Object({
      tableId: Text,
      settings: Type.String({ description: 'Settings other than the documented defaults.' }),
      from: Type.Enum(['stated', 'slips'], {
        description: 'stated: by --rule. slips: not stated, but the slips of the table agree on them.',
      }),
      slips: Type.Integer({ description: 'Number of slips that agree, if the settings were not stated.' }),
    }),
  ),
  next: Type.Array(Text),
})
export type SettlementResult = Static<typeof SettlementResult>
