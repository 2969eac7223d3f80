import type { TableSettings } from '../../../domain/games/game.ts'
import { parseSetting, settingsFault } from '../../../domain/reconcile/settlement/table-rules.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { bookState } from '../../../operator/bets/slips-by-day.ts'
import { platformTime } from '../../../operator/book/cursor-position.ts'
import { settlementFindings } from '../../../operator/reconcile/settlement/breaks.ts'
import { settlementCsv } from '../../../operator/reconcile/settlement/csv.ts'
import type { SettlementResult } from '../../../operator/reconcile/settlement/schema.ts'
import { type SettledDay, settleDay } from '../../../operator/reconcile/settlement/settle-day.ts'
import { stateSettings } from '../../../operator/reconcile/settlement/table-settings.ts'
import { settlementPage } from '../../../operator/report/settlement-page.ts'
import type { CommandContext } from '../../context/context.ts'
import { personHere } from '../../context/operator-name.ts'
import type { OpenBook } from '../../context/services.ts'
import { checkDay, dayFrom } from '../../framework/day.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import { writeOut } from '../../terminal/out-file.ts'
import { endedAfter } from '../../terminal/progress.ts'
import { checkOutputFiles, outputFiles } from './output-files.ts'
import { recordFindings } from './record-findings.ts'
import { reportSources } from './report-sources.ts'
import { printSettlement } from './settlement-view.ts'

interface SettlementFlags {
  readonly rule: string[] | undefined
  readonly report: string | undefined
  readonly csv: string | undefined
  readonly force: boolean
  readonly keep: boolean
}

/** Settles the slips of a day again, writes the files, and records the breaks. */
export async function reconcileSettlement(context: CommandContext, word = 'yesterday', flags: SettlementFlags) {
  checkDay(word)
  const stated = statedRules(flags.rule ?? [])
  checkOutputFiles(flags)
  const open = await context.services.book()
  const { book } = open
  const { owner, position } = await book.store.read(bookState)
  if (!owner)
    throw new Problem('CANNOT_CONCLUDE', 'The book is empty. Run first: countroom bets sync --out bets', {
      category: 'inconclusive',
    })
  const tenant = { companyCode: owner.company_code, environment: owner.environment, timezone: owner.timezone }
  const now = platformTime(position, Date.now())
  const date = dayFrom(word, now, tenant.timezone)
  const files = outputFiles(flags, { job: context.words, tenant: tenant.companyCode, date })
  const progress = context.progress(`Settling the slips of ${date}`)
  const settling = settleDay(book, {
    date,
    tenant,
    now,
    stated,
    signal: context.stop,
    onSlips: (count) => progress.update(count),
  })
  const day = await endedAfter(progress, settling)
  const result = context.screen.complete(day.result)
  const csv = files.csv === null ? '' : await settlementCsv(result)
  if (files.csv !== null) writeOut(files.csv, csv)
  if (files.report !== null) {
    const sources = await reportSources(open, result, { path: files.csv, text: csv, content: 'slips of this report' })
    writeOut(files.report, settlementPage({ result, sources, madeAt: now, madeBy: context.tool }))
  }
  printSettlement(context, result)
  conclude(context, result)
  const breaks = flags.keep ? await keep(context, book, day, stated) : []
  return { ...result, files, breaks }
}

/** Parses `TABLE:NAME=VALUE`; several of one table belong together, and `TABLE:default` forgets what was stated. */
function statedRules(texts: readonly string[]): Map<string, TableSettings | null> {
  const stated = new Map<string, TableSettings | null>()
  const wrong = (text: string, fault: string) =>
    new Problem('INVALID_PARAMETER', `--rule ${JSON.stringify(text.slice(0, 60))}: ${fault}`, { remoteCode: null })
  for (const text of texts) {
    const [, tableId = '', setting = ''] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(text) ?? []
    if (tableId === '') throw wrong(text, 'expected TABLE:NAME=VALUE, such as NN-01:commission=0.05')
    if (setting === 'default') {
      stated.set(tableId, null)
      continue
    }
    const parsed = parseSetting(setting)
    if ('fault' in parsed) throw wrong(text, parsed.fault)
    const settings = { ...stated.get(tableId), ...parsed }
    stated.set(tableId, settings)
  }
  for (const [tableId, settings] of stated) {
    const fault = settings === null ? null : settingsFault(settings)
    if (fault !== null) throw wrong(tableId, fault)
  }
  return stated
}

function conclude(context: CommandContext, { verdict, date, wrong, unchecked }: SettlementResult): void {
  const detail = { verdict, date }
  const slips = countText(wrong, 'slip')
  if (verdict === 'differences')
    context.endWith('DIFFERENCES', `Differences found on ${date}: the platform settled ${slips} differently`, detail)
  else if (verdict === 'cannot-conclude')
    context.endWith(
      'CANNOT_CONCLUDE',
      `Inconclusive for ${date}${unchecked > 0 ? `: ${countText(unchecked, 'slip was', 'slips were')} not checked completely` : ''}`,
      detail,
    )
}

/** Stores what was stated and the breaks. A failure is a warning: the book may be read-only for this user. */
async function keep(
  context: CommandContext,
  book: OpenBook['book'],
  day: SettledDay,
  stated: ReadonlyMap<string, TableSettings | null>,
): Promise<string[]> {
  try {
    const rules = [...stated.keys()].map((tableId) => `--rule ${tableId}`)
    await context.services.auditChanges(day.result.date, ...rules)
    const changes = await book.store.write((tx) => stateSettings(tx, stated, personHere(context.settings).name))
    for (const change of changes) context.note(`Remembered for this book: ${change}`)
  } catch (error) {
    context.warn(`Could not record the stated settings in the book: ${problemOf(error).message}`)
  }
  const open = await recordFindings(context, book, settlementFindings(day))
  if (open.length > 0)
    context.footnote(
      `Recorded ${countText(open.length, 'break')}. To list them: countroom reconcile breaks list --kind settlement`,
    )
  return open
}
