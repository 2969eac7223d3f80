import { expect, test } from 'vitest'
import { slipStatuses } from '../../src/domain/bets/slip.ts'
import { figureNames } from '../../src/domain/bets/slip-history.ts'
import { fiats } from '../../src/domain/chains/coins.ts'
import { gatewayEnvironments } from '../../src/domain/chains/networks.ts'
import { answeringServices, faultStatuses, faultyServices } from '../../src/domain/faults.ts'
import { ranks, suits } from '../../src/domain/games/cards.ts'
import { gameNames, variantsOf, zonesOf } from '../../src/domain/games/game.ts'
import { categories } from '../../src/domain/games/holdem/hands.ts'
import { streets } from '../../src/domain/games/holdem/no-limit.ts'
import { counters, credentials } from '../../src/domain/login-attempts.ts'
import { paymentStatuses } from '../../src/domain/payments/payment.ts'
import { payoutStatuses } from '../../src/domain/payments/payout.ts'
import { subscriptionStatuses } from '../../src/domain/payments/subscription.ts'
import { languages, playerStatuses } from '../../src/domain/players/player.ts'
import { causeCodes } from '../../src/domain/reconcile/break-causes.ts'
import { healableKinds } from '../../src/domain/reconcile/callback-evidence.ts'
import { dayFields, reasonCodes, verdicts } from '../../src/domain/reconcile/daily.ts'
import { findingKinds } from '../../src/domain/reconcile/payments.ts'
import { ledgerDirs, transferResults, transferVerdicts } from '../../src/domain/reconcile/transfers.ts'
import { fieldFaults, fieldTypes } from '../../src/domain/tickets/form.ts'
import { variableTypes } from '../../src/domain/tickets/macro.ts'
import { guardRules } from '../../src/domain/tickets/outgoing/guard.ts'
import { statusCategories } from '../../src/domain/tickets/workflow.ts'
import { selectableEvents, webhookEvents } from '../../src/domain/webhooks/events.ts'
import { ipnKinds } from '../../src/domain/webhooks/retry-schedule.ts'

/**
 * Closed lists in their order. Those of an API are ordered as in its document. Schemas, help and reports print all of
 * them in this order, and their readers may depend on it.
 */

test.each([
  // 1-tenant-api, "Shared types" and "Zone values".
  ['games', gameNames, 'baccarat dragontiger holdem niuniu'],
  ['variants of baccarat', variantsOf.baccarat, 'classic nocomm'],
  ["variants of Hold'em", variantsOf.holdem, 'casino thbp nlhe'],
  ['zones of baccarat', zonesOf.baccarat, 'B P T BP PP S6'],
  ['zones of dragon tiger', zonesOf.dragontiger, 'D TG T ST DB DS DO DE TB TS TO TE'],
  ["zones of Hold'em", zonesOf.holdem, 'ANTE CALL AAB FLOP TURN RIVER BONUS POT'],
  ['zones of Niu Niu', zonesOf.niuniu, 'P1E P2E P3E P1D P2D P3D'],
  ['player statuses', playerStatuses, 'active locked no_bet'],
  ['languages', languages, 'CHT CHS ENG JPN KOR THAI VIET HIND PHP'],
  ['slip statuses', slipStatuses, 'settled recalculated void'],
  ['directions of transfers', ledgerDirs, 'in out adjust'],
  // 1-tenant-api, "Events".
  [
    'events a tenant selects',
    selectableEvents,
    'bet.settled round.corrected round.voided player.kicked account.grace account.downgraded account.restored ' +
      'account.topup account.low_balance',
  ],
  ['the event nobody selects', webhookEvents.slice(-1), 'test'],
  // Game rules, 1.1 and 4.
  ['ranks', ranks, 'A 2 3 4 5 6 7 8 9 T J Q K'],
  ['suits', suits, 'S H D C'],
  [
    'poker hands, the lowest first',
    categories.map((name) => name.replaceAll(' ', '-')),
    'high-card one-pair two-pair three-of-a-kind straight flush full-house four-of-a-kind straight-flush royal-flush',
  ],
  ['streets', streets, 'preflop flop turn river'],
  // 2-payment-gateway-api, "States and transitions".
  [
    'payment statuses',
    paymentStatuses,
    'waiting confirming confirmed sending partially_paid finished failed refunded expired',
  ],
  ['payout statuses', payoutStatuses, 'creating waiting processing sending finished failed rejected'],
  ['subscription statuses', subscriptionStatuses, 'active past_due paused cancelled'],
  // 3-chat-api.
  ['ticket statuses', statusCategories, 'new open waiting resolved closed'],
  // Lists of our own, which no document orders. The test pins the order that our schemas, help and reports print.
  ['callbacks that can be rebuilt', healableKinds, 'payment payout'],
  ['what a login attempt is counted by', counters, 'pair user merchant address'],
  ['credentials', credentials, 'password code'],
  ['callbacks of the gateway', ipnKinds, 'payment payout conversion transfer subscription test'],
  ['gateway environments', gatewayEnvironments, 'production sandbox'],
  ['fiat currencies', fiats, 'usd eur gbp jpy twd thb krw vnd php myr'],
  ['figures of a day', dayFields, 'slips stake validStake rolling payout winLoss rake'],
  ['figures of a slip', figureNames, 'stake hold validStake rolling payout winLoss rake'],
  ['verdicts', verdicts, 'balanced cannot-conclude differences'],
  ['verdicts on transfers', transferVerdicts, 'balanced cannot-conclude differences'],
  ['findings on payments', findingKinds, 'missing stale underpaid overpaid unknown'],
  [
    'results on transfers',
    transferResults,
    'matched different missing-at-platform missing-in-ledger gone-from-ledger undecided',
  ],
  [
    'reasons against a conclusion on a day',
    reasonCodes,
    'BOOK_OF_ANOTHER BOOK_EMPTY SUMMARY_OF_ANOTHER_DAY OTHER_TIMEZONE DAY_NOT_OVER BOOK_AHEAD BOOK_BEHIND ' +
      'BOOK_BEGINS_LATER RETENTION SUMMARY_FULL PLAYER_REPEATED FIRST_REVISION_MISSING RECORD_UNREADABLE',
  ],
  [
    'types of form fields',
    fieldTypes,
    'text textarea email phone url integer decimal boolean date datetime select multiselect',
  ],
  [
    'faults of field values',
    fieldFaults,
    'unknown_field duplicate_field required wrong_type too_short too_long pattern out_of_range not_an_option too_many',
  ],
  [
    'checks of texts to customers',
    guardRules,
    'placeholder mention hand-off api-key secret jwt private-key seed-phrase card-number internal-word empty-variable',
  ],
  ['services that answer', answeringServices, 'casino gateway chat'],
  ['services with faults', faultyServices, 'casino gateway chat callbacks'],
  ['statuses of faults', faultStatuses.map(String), '429 500 502 503 504'],
  ['types of macro variables', variableTypes, 'text integer decimal boolean date datetime list label'],
  [
    'causes of a difference, the most telling first',
    causeCodes,
    'PLAYER_NOT_STATED PLAYER_NOT_IN_BOOK SUMMARY_CONTRADICTS_ITSELF COUNTED_BY_PLACING COUNTED_BY_LAST_SETTLING ' +
      'HOLD_IN_PAYOUT VOIDED_LEFT_OUT VOIDED_STAKE_COUNTED ONSITE_COUNTED SLIP_CONTRADICTS_ITSELF EARLIER_REVISION ' +
      'SLIP_NOT_COUNTED OTHER_DAYS_SLIP_COUNTED SLIPS_NOT_IN_BOOK SLIPS_NOT_STATED FIGURES_DIFFER',
  ],
] as const)('%s', (_, list, printed) => {
  expect(list.join(' ')).toBe(printed)
})
