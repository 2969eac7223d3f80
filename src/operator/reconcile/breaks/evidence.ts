import { ageText } from '../../../domain/reconcile/breaks.ts'
import { minuteText, secondText } from '../../../kit/moment.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { walletText } from '../../balances/messages.ts'
import { factsPart, type PageColumn, tablePart } from '../../evidence/case-page.ts'
import type { Case } from '../../evidence/pack.ts'
import { fieldName } from '../../report/daily-slips.ts'
import { amountText } from '../../report/format.ts'
import type { Part } from '../../report/html.ts'
import { listPart, nextStepsPart } from '../../report/layout.ts'
import { findingNames } from '../daily/messages.ts'
import type { ConcernedSlip } from '../daily/schema.ts'
import type { Explained, SlipExplained } from '../explain/schema.ts'
import type { SettlementFinding } from '../settlement/schema.ts'
import type { BreakView } from './schema.ts'

/** The tenant that a break is about. */
export interface TenantNamed {
  readonly companyCode: string
  readonly environment: string
  readonly timezone: string
}

/** Returns an explained break as a case: the whole explanation as data, and its main facts as a page. */
export function breakCase(explained: Explained, detail: unknown, tenant: TenantNamed): Case {
  const found = explained.break
  if (found === null) throw new Error('only a break has evidence')
  const { companyCode, environment, timezone } = tenant
  return {
    subject: { kind: 'break', id: found.id },
    data: {
      tenant: { companyCode, environment, timezone },
      ...explained,
      subject: { kind: 'break', id: found.id },
      detail,
    },
    page: {
      title: `Break ${found.id}: ${companyCode}`,
      over: `Evidence · ${companyCode} · ${environment}`,
      heading: `Break ${found.id}`,
      under: found.message,
      content: [
        listPart('Not in this case', explained.missing),
        factsOf(found, timezone),
        ...partsOf(explained),
        historyPart(explained),
        nextStepsPart(explained.next),
      ],
    },
  }
}

function factsOf(found: BreakView, timezone: string): Part {
  const { kind, date, player, amount, currency, state, reason, owner, foundAt, openedAt, times, ageMs } = found
  return factsPart('Break', {
    Kind: kind,
    Day: date === null ? null : `${date} in ${timezone}`,
    Player: player,
    Amount: amount === null ? null : `${amountText(amount)} ${currency ?? ''}`.trim(),
    State: reason === null ? state : `${state}: ${reason}`,
    Assignee: owner,
    Found: `${secondText(foundAt)}, by ${countText(times, 'run')} so far`,
    Opened: secondText(openedAt),
    Age: ageMs === null ? null : ageText(ageMs),
  })
}

/** A count among amounts: it has no decimals. */
const slipsText = (count: string | null): string | null =>
  count === null ? null : `${amountText(count)} ${/^-?1$/.test(count) ? 'slip' : 'slips'}`

function partsOf({ day, slip, round, wallet, transfer, settlement }: Explained): Part[] {
  return [
    day === null
      ? null
      : [
          tablePart(
            'Figures that differ',
            ['Player', 'Figure', 'Platform', 'Book', 'Difference'].map((title, at) => ({ title, isFigure: at > 1 })),
            day.differences.map(({ player, currency, field, platform, book, difference }) => [
              player,
              `${fieldName(field)}${currency === null ? '' : ` (${currency})`}`,
              ...[platform, book, difference].map((figure) => (field === 'slips' ? slipsText(figure) : figure)),
            ]),
          ),
          listPart(
            'Reasons for doubt',
            day.reasons.map(({ message }) => message),
          ),
          listPart(
            'Possible causes',
            day.explanations.map(({ message }) => message),
          ),
          concernedPart(day.concerned),
          ...day.players.flatMap(({ slips }) => slips.map(revisionsPart)),
        ],
    slip === null ? null : revisionsPart(slip),
    round === null
      ? null
      : listPart('Round at the platform', [`${round.roundId}: ${round.status}, revision ${round.rev}`]),
    settlementPart(settlement),
    walletParts(wallet),
    transferPart(transfer),
  ]
}

const sides: readonly PageColumn[] = [
  { title: 'Slip' },
  { title: 'Finding' },
  { title: 'Field' },
  { title: 'Platform', isFigure: true },
  { title: 'Book', isFigure: true },
]

/** Lists each slip with both versions, one row per field that differs. */
function concernedPart(slips: readonly ConcernedSlip[]): Part {
  const rows = slips.flatMap(({ slipId, rev, finding, note, fields }) => {
    const first = [
      `${slipId} revision ${rev}`,
      note === null ? findingNames[finding] : `${findingNames[finding]}: ${note}`,
    ]
    return fields.length === 0
      ? [[...first, '', '', '']]
      : fields.map(({ field, platform, book }, at) => [
          ...(at === 0 ? first : ['', '']),
          fieldName(field),
          platform ?? 'no record',
          book ?? 'no record',
        ])
  })
  return tablePart('Slips concerned', sides, rows)
}

function revisionsPart({
  slipId,
  player,
  currency,
  game,
  tableId,
  roundId,
  revisions,
  contradictions,
}: SlipExplained): Part {
  return [
    tablePart(
      `Slip ${slipId} of ${player}: ${game} at ${tableId}, round ${roundId}`,
      [
        { title: 'Revision' },
        { title: 'Status' },
        { title: 'Number' },
        { title: 'Written' },
        ...['Stake', 'Payout', `Win/loss ${currency}`, 'Change of the day'].map((title) => ({ title, isFigure: true })),
      ],
      revisions.map(({ rev, status, month, recSeq, settledAt, stake, payout, winLoss, change }) => [
        String(rev),
        status,
        `${recSeq} of ${month}`,
        secondText(settledAt),
        stake,
        payout,
        winLoss,
        change,
      ]),
    ),
    listPart('Contradictions of this slip', contradictions),
  ]
}

function settlementPart(findings: readonly SettlementFinding[]): Part {
  return tablePart(
    'Settled differently',
    [
      { title: 'Revision' },
      { title: 'Bets and cards' },
      { title: 'Figure' },
      { title: 'Platform', isFigure: true },
      { title: 'Rules', isFigure: true },
    ],
    findings.flatMap(({ rev, bets, code, cardInfo, fields }) =>
      fields.map(({ field, platform, rules }, at) => [
        at === 0 ? String(rev) : '',
        at === 0 ? `${bets}; ${cardInfo === '' ? code : cardInfo}` : '',
        field,
        platform,
        rules,
      ]),
    ),
  )
}

function walletParts(wallet: Explained['wallet']): Part {
  if (wallet === null) return null
  const { proof, movements, movementsLeftOut } = wallet
  return [
    listPart('Wallet', [walletText(proof)]),
    factsPart('Balance', {
      Opening: proof.opening,
      Deposits: proof.deposits,
      Withdrawals: proof.withdrawals,
      Adjustments: proof.adjustments,
      Slips: proof.slips,
      Expected: proof.expected,
      'At the platform': proof.balance,
      Difference: proof.difference,
    }),
    listPart(
      'Possible causes',
      proof.leads.map(({ message }) => message),
    ),
    tablePart(
      movementsLeftOut > 0 ? `Movements, the newest ${movements.length}` : 'Movements',
      [{ title: 'Time' }, { title: 'Kind' }, { title: 'ID' }, { title: 'Change', isFigure: true }],
      movements.map(({ at, what, id, rev, change }) => [
        at === null ? '' : secondText(at),
        what,
        rev === null ? id : `${id} revision ${rev}`,
        change ?? 'unknown sign',
      ]),
    ),
  ]
}

function transferPart(transfer: Explained['transfer']): Part {
  if (transfer === null) return null
  const row = (name: string, side: typeof transfer.platform, absent = 'not found') =>
    side === null
      ? [name, absent, '', '', '']
      : [name, side.state, side.player, `${side.dir} ${side.amount} ${side.currency ?? ''}`.trim(), minuteText(side.at)]
  return tablePart(
    `Transfer ${transfer.txnId}`,
    ['Side', 'State', 'Player', 'Amount', 'Time'].map((title) => ({ title })),
    [
      row('platform', transfer.platform, transfer.isLookedUp ? undefined : 'not looked up'),
      row('journal', transfer.journal),
    ],
  )
}

function historyPart({ history }: Explained): Part {
  return tablePart(
    'History',
    ['Time', 'Who', 'What', 'Text'].map((title) => ({ title })),
    history.map(({ at, who, what, text }) => [secondText(at), who, what, text]),
  )
}
