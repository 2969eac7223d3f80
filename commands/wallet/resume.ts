import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { runFlags, runSchema, WalletRunCommand } from '../../src/cli/topics/wallet/batch-run-command.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'

export default class WalletResume extends WalletRunCommand {
  static override summary = 'Resume an unfinished batch of transfers'
  static override description =
    'Rows with an unknown outcome are looked up first. Those the platform has are done; the others are sent again with their transfer ID, so nothing is done twice. Then the unsent rows are sent. Rejected rows are skipped without --retry-refused. Without an argument, resumes the only unfinished batch; if there are several, they are listed.'
  static override examples = [
    'countroom wallet resume',
    {
      command: 'countroom wallet resume 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --retry-refused',
      description: 'Retry rejected rows too',
    },
  ]
  static override args = { plan: Args.string({ description: 'Batch ID (default: the only unfinished batch)' }) }
  static override flags = { ...runFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const { properties } = runSchema(shapes)
    const { planId, doneNow, transfers, ...rest } = properties
    return Type.Object({
      ...Type.Partial(Type.Object(rest)).properties,
      planId: Type.Union([planId, Type.Null()], { description: 'Null if there was nothing to resume.' }),
      doneNow,
      transfers,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletResume)
    const named = args.plan ?? (await this.#unfinished())
    if (named === undefined) {
      this.note('No unfinished batch: nothing to resume.')
      return { planId: null, doneNow: 0, transfers: [] }
    }
    return this.carryOut((book) => this.#begun(book, named), flags, 'wallet resume')
  }

  async #begun(book: Book, planId: string) {
    const kept = await this.keptPlan(book, planId)
    if (kept.plan.begun_at !== null || kept.plan.cancelled_at !== null) return kept
    throw new Problem(
      'CONFLICT',
      `Batch ${kept.plan.id} is not started yet. To start it: ${this.next('wallet apply', kept.plan.id)}`,
      { planId: kept.plan.id, remoteCode: null },
    )
  }

  /** Returns the only unfinished batch. With several, a person has to choose. */
  async #unfinished(): Promise<string | undefined> {
    const { isBookThere } = await import('../../src/world/clients/book-location.ts')
    if (!isBookThere(this.settings, this.profile)) return undefined
    const { unfinishedPlans } = await import('../../src/operator/transfers/apply-batch.ts')
    const { book } = await this.services.book()
    const open = await unfinishedPlans(book)
    const [first, ...more] = open
    if (first === undefined || more.length === 0) return first?.id
    const list = open.map(({ id, source, made_by: by }) => `  ${id}  ${source}, by ${by}`).join('\n')
    throw new Problem('CONFLICT', `${open.length} batches are unfinished; name one:\n${list}`, {
      ...{ plans: open.map(({ id }) => id), remoteCode: null },
    })
  }
}
