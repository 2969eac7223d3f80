import { createHash } from 'node:crypto'
import { formatUnits } from '../../../domain/money.ts'
import { scaleOf } from '../../../domain/payments/amounts.ts'
import {
  type AccountTally,
  type LedgerFault,
  type LedgerTally,
  outsideKinds,
} from '../../../domain/payments/ledger-tally.ts'
import { dayOf } from '../../../domain/time/day.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import {
  balanceLines,
  entryLines,
  ledgerAmount,
  ledgerColumns,
  sumLines,
} from '../../../operator/merchant-ledger/csv.ts'
import { readLedger } from '../../../services/gateway/admin/ledger-statement.ts'
import { momentOf } from '../../../services/gateway/payments/payments.ts'
import { checkMoments } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { checkDatedName, datedName, isDated } from '../../terminal/dated-name.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import { type MerchantFlags, merchantOf } from '../console/merchant.ts'

interface LedgerFlags extends MerchantFlags {
  readonly out: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly force: boolean
}

/** Writes the ledger of a merchant as CSV, and proves that it balances. */
export async function exportLedger(context: CommandContext, flags: LedgerFlags) {
  checkDatedName('--out', flags.out)
  if (!isDated(flags.out)) outFile(flags.out, flags.force)
  checkMoments(flags.from, flags.to)
  const range = { from: momentOf(flags.from, 'from'), to: momentOf(flags.to, 'to', 'end') }
  if (range.from !== undefined && range.to !== undefined && range.to < range.from)
    throw new Problem('INVALID_USAGE', '--to is before --from')
  const { gateway, clock } = await context.services.world()
  const merchant = await merchantOf(context, flags)
  const date = dayOf(await clock.now(), 'UTC')
  const parts = { job: 'ledger export', tenant: merchant, date, extension: 'csv' }
  const file = outFile(datedName(flags.out, parts, flags.force), flags.force) ?? ''
  const progress = context.progress('Reading the ledger')
  const texts: string[] = []
  let entries = 0
  const { tally, now } = await readLedger(gateway, merchant, range, async (part) => {
    texts.push(await entryLines(part))
    entries += part.length
    progress.update(entries)
  })
  progress.end(`${countText(tally.postings, 'posting')} read`)
  const to = new Date(Math.min(range.to ?? now, now)).toISOString()
  const from = range.from === undefined ? '' : new Date(range.from).toISOString()
  const text = [
    await csvOf([[...ledgerColumns]]),
    await balanceLines(tally, 'opening', from),
    ...texts,
    await balanceLines(tally, 'closing', to),
    await sumLines(tally, to),
  ].join('')
  writeOut(file, text)
  show(context, tally, file)
  return {
    file,
    merchant,
    from: from === '' ? null : from,
    to,
    postings: tally.postings,
    entries: tally.entries,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    balanced: tally.faults.length === 0,
    accounts: tally.sorted().map(shownAccount),
    faults: tally.faults.map((fault) => ({ ...fault, units: String(fault.units), message: faultText(fault) })),
  }
}

function shownAccount({ account, opening, added, taken, closing }: AccountTally) {
  const { kind, owner, currency } = account
  const text = (units: bigint) => ledgerAmount(units, currency)
  return {
    account: kind as string,
    owner,
    currency,
    isOutside: outsideKinds.has(kind),
    opening: text(opening),
    added: text(added),
    taken: text(taken),
    closing: text(closing),
  }
}

function show(context: CommandContext, tally: LedgerTally, file: string): void {
  context.log(
    `Wrote ${countText(tally.entries, 'entry', 'entries')} of ${countText(tally.postings, 'posting')} to ${file}`,
  )
  context.log()
  const text = (units: bigint, currency: string) => formatUnits(units, scaleOf(currency))
  context.table(
    tally.sorted().map(({ account: { kind, currency }, opening, added, taken, closing }) => ({
      currency,
      account: kind,
      opening: text(opening, currency),
      added: text(added, currency),
      taken: text(taken, currency),
      closing: text(closing, currency),
    })),
    [
      'currency',
      'account',
      ...['opening', 'added', 'taken', 'closing'].map((key) => ({ key, kind: 'amount' as const })),
    ],
    'The ledger has no postings.',
  )
  for (const fault of tally.faults) context.warn(faultText(fault))
  if (tally.faults.length > 0)
    context.endWith(
      'DIFFERENCES',
      `The ledger does not balance: ${tally.faults.map(faultText).slice(0, 5).join('; ')}`,
      {
        faults: tally.faults.length,
      },
    )
  else context.footnote('Balanced: every posting, and every currency at its opening and closing, sums to 0.')
}

function faultText({ kind, subject, currency, units, ref }: LedgerFault): string {
  const amount = `${formatUnits(units, scaleOf(currency))} ${currency}`
  if (kind === 'posting') return `posting ${subject} (${ref}) sums to ${amount}`
  if (kind === 'balance') return `the stored balance of ${subject} differs from its entries by ${amount}`
  return `the ${kind} balances of ${currency} sum to ${amount}`
}
