import { Args, dangerFlags } from '../../src/cli/framework/flags.ts'
import { readJsonInput } from '../../src/cli/terminal/read-input.ts'
import { readPhrasebook, refuseGuarded, textFlags } from '../../src/cli/topics/chat/outgoing-text.ts'
import { planFlags, TicketPlanCommand } from '../../src/cli/topics/tickets/plan-command.ts'
import { planFrom, publicTexts } from '../../src/cli/topics/tickets/plan-file.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class TicketsApply extends TicketPlanCommand {
  static override summary = 'Apply a saved bulk action to tickets, or resume it'
  static override description =
    'Takes a file of "countroom tickets bulk --out" or the ID of a bulk action. Each change is made once, however often you run this: the book records it. Tickets that changed since the bulk action was created are skipped and listed.'
  static override examples = [
    'countroom tickets apply plan.json',
    { command: 'countroom tickets apply plan.json --dry-run', description: 'Show it without changing anything' },
  ]
  static override completes = { plan: 'files', macros: 'files', book: 'files' }
  static override args = {
    plan: Args.string({ required: true, description: 'JSON file, - for stdin, or the planId of a bulk action' }),
  }
  static override flags = {
    macros: textFlags.macros,
    'allow-guard': textFlags['allow-guard'],
    ...planFlags,
    ...dangerFlags,
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsApply)
    const { access } = await this.services.chat()
    const isId = /^[0-9A-Z]{26}$/.test(args.plan)
    const { planNamed, keepPlan } = await import('../../src/operator/tickets/plan-journal.ts')
    const named = isId ? await planNamed(await this.book(), args.plan) : undefined
    if (isId && !named)
      throw new Problem('PLAN_NOT_FOUND', `The book has no bulk action ${args.plan}`, { planId: args.plan })
    const { plan, target, order } =
      named === undefined
        ? planFrom(await readJsonInput(args.plan), args.plan)
        : { plan: named.plan, target: named.row.target, order: named.row.order_text }
    if (target !== access.target)
      throw new Problem('CONFLICT', `The bulk action is for ${target}, but this profile is ${access.target}`, {
        target,
        remoteCode: null,
      })
    const phrases = await readPhrasebook(this.settings.paths, flags.macros)
    const texts = publicTexts(plan)
    for (const { ticketId, content } of texts)
      refuseGuarded(content, phrases, flags['allow-guard'] ?? [], `Ticket ${ticketId}: `)
    if (this.isDryRun) {
      const report = this.report(plan, undefined, { resumed: false, out: null, titles: new Map() })
      await this.tellReport(report)
      this.footnote('Nothing was sent.')
      return report
    }
    await this.confirmTexts(texts, flags.yes)
    await this.lockFor(plan.planId, order, flags.wait)
    const book = await this.book()
    const resumed = named !== undefined || (await planNamed(book, plan.planId)) !== undefined
    await keepPlan(book, plan, { kind: 'bulk', target, order })
    const kept = await planNamed(book, plan.planId)
    if (kept && JSON.stringify(kept.plan) !== JSON.stringify(plan))
      throw new Problem(
        'CONFLICT',
        'A bulk action with this ID and other content was already started. Create a new one: countroom tickets bulk --filter TERMS --out FILE',
        {
          planId: plan.planId,
          remoteCode: null,
        },
      )
    const results = await this.carry(plan, { actor: flags.actor })
    const report = this.report(plan, results, { resumed, out: null, titles: new Map() })
    await this.tellReport(report)
    return report
  }
}
