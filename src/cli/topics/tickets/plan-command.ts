import {
  actionText,
  type LeftOut,
  type TriageAction,
  type TriagePlan,
  tally,
} from '../../../domain/tickets/bulk-plan.ts'
import type { ItemResult } from '../../../operator/tickets/apply-plan.ts'
import { bookFlag, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { oneLine } from '../../terminal/text.ts'
import { confirmPublic } from '../chat/confirm-public.ts'
import { auditText, TicketBookCommand } from './book-command.ts'
import type { PublicText } from './plan-file.ts'

export const planFlags = {
  actor: Flags.string({ summary: 'Name of the actor (default: the agent of the profile)', helpValue: 'NAME' }),
  wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
  ...bookFlag,
}

/** Maximum number of different texts shown before they are sent. */
const mostShown = 5

/** Base class of commands that preview and apply a bulk action. */
export abstract class TicketPlanCommand extends TicketBookCommand {
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const item = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      title: text,
      status: Type.String({ description: 'Status when the bulk action was created.' }),
      actions: Type.Array(Type.Unknown()),
      outcome: Type.Union([
        Type.Enum(['planned', 'applied', 'no-op', 'conflict', 'rejected', 'failed', 'unknown', 'not-begun']),
        Type.Null(),
      ]),
      code: text,
      message: text,
    })
    const count = Type.Integer()
    return Type.Object({
      planId: text,
      applied: Type.Boolean({ description: 'True if anything was written; false for a preview.' }),
      resumed: Type.Boolean({ description: 'True if this run resumed an unfinished bulk action.' }),
      out: text,
      audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
      counts: Type.Object({
        tickets: count,
        applied: count,
        noOp: count,
        conflict: count,
        rejected: count,
        failed: count,
        unknown: Type.Integer({ description: 'Sent without a response; may be done.' }),
        notBegun: count,
      }),
      items: Type.Array(item),
      leftOut: Type.Array(
        Type.Object({
          ticketId: Type.String({ description: 'The ID as typed if the ticket does not exist.' }),
          ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
          why: Type.Enum(['not-found', 'other-term', 'nothing-to-do', 'not-allowed', 'limit']),
          text: Type.String(),
        }),
        { description: 'Named tickets that are skipped.' },
      ),
    })
  }

  /** Confirms the public texts of a bulk action, each shown as it will arrive. They can be canceled together. */
  protected async confirmTexts(texts: readonly PublicText[], isYes: boolean): Promise<void> {
    if (texts.length === 0) return
    const kinds = [...Map.groupBy(texts, ({ content, language }) => `${language ?? ''}\n${content}`).values()]
    const shown = kinds.slice(0, mostShown).map((alike) => {
      const [first] = alike
      const to = alike.length === 1 ? (first?.to ?? '1 customer') : `${alike.length} customers`
      return `To ${oneLine(to)} (${oneLine(first?.language ?? 'language unknown')}), as it will arrive:\n\n${first?.content}\n`
    })
    if (kinds.length > mostShown)
      shown.push(
        `… and ${kinds.length - mostShown} more ${kinds.length - mostShown === 1 ? 'text' : 'texts'}. To see all, write the bulk action to a file with --out\n`,
      )
    const many = texts.length === 1 ? '1 customer' : `${texts.length} customers`
    await confirmPublic(this, shown.join('\n'), `Send this to ${many}`, isYes)
  }

  /** Builds the report of a bulk action, applied or not. */
  protected report(
    plan: TriagePlan,
    results: readonly ItemResult[] | undefined,
    about: {
      resumed: boolean
      out: string | null
      titles: ReadonlyMap<string, string>
      leftOut?: readonly LeftOut[]
    },
  ) {
    const byTicket = new Map(results?.map((result) => [result.item.ticketId, result]))
    const counts = tally(results?.map(({ outcome }) => outcome) ?? [])
    return {
      planId: plan.planId,
      applied: results !== undefined,
      resumed: about.resumed,
      out: about.out,
      audit: results === undefined ? null : this.auditOf(plan.planId),
      counts: {
        tickets: plan.items.length,
        applied: counts.applied,
        noOp: counts['no-op'],
        conflict: counts.conflict,
        rejected: counts.rejected,
        failed: counts.failed,
        unknown: counts.unknown,
        notBegun: results === undefined ? 0 : plan.items.length - results.length,
      },
      items: plan.items.map((item) => {
        const result = byTicket.get(item.ticketId)
        return {
          ticketId: item.ticketId,
          ticketNumber: item.ticketNumber === 0 ? null : item.ticketNumber,
          title: about.titles.get(item.ticketId) ?? null,
          status: item.status,
          actions: [...item.actions],
          outcome: results === undefined ? ('planned' as const) : (result?.outcome ?? ('not-begun' as const)),
          code: result?.code ?? null,
          message: result?.message ?? null,
        }
      }),
      leftOut: [...(about.leftOut ?? [])],
    }
  }

  /** Prints the report for people. */
  protected async tellReport(report: ReturnType<TicketPlanCommand['report']>): Promise<void> {
    const names = await this.agentNames(report.items.flatMap(({ actions }) => actions))
    const rows = report.items.map((item) => ({
      ...item,
      no: item.ticketNumber === null ? item.ticketId : `#${item.ticketNumber}`,
      change: (item.actions as TriageAction[]).map((action) => actionText(action, item.status, names)).join('; '),
    }))
    this.table(
      rows,
      [
        { key: 'no', whole: true },
        ...(rows.some(({ title }) => title !== null) ? [{ key: 'title' }] : []),
        { key: 'change' },
        ...(report.applied
          ? [
              {
                key: 'outcome',
                tint: (outcome: unknown) =>
                  outcome === 'applied'
                    ? ('green' as const)
                    : outcome === 'no-op'
                      ? ('dim' as const)
                      : ('red' as const),
              },
              { key: 'message', title: 'why' },
            ]
          : []),
      ],
      report.leftOut.length > 0 ? 'All named tickets were skipped.' : 'No tickets match.',
    )
  }
}
