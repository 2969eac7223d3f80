import { Args } from '../../src/cli/framework/flags.ts'
import { runFlags, runSchema, WalletRunCommand } from '../../src/cli/topics/wallet/batch-run-command.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'

export default class WalletResume extends WalletRunCommand {
  static override summary = 'Go on with a plan of many transfers that was begun and not finished'
  static override description =
    'Rows whose end is not known are looked up first, with the player, and closed if the platform knows them; otherwise they are sent again under their txnId, which does nothing twice. Then what was never sent is sent. What was refused is left alone without --retry-refused. Without an argument it is the one plan that was begun and is not finished; when there are several they are named, and when there is none there is nothing to do.'
  static override examples = [
    'countroom wallet resume',
    {
      command: 'countroom wallet resume 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --retry-refused',
      description: 'What was refused too',
    },
  ]
  static override args = { plan: Args.string({ description: 'The id of the plan' }) }
  static override flags = { ...runFlags }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { properties } = await runSchema()
    const { planId, doneNow, transfers, ...rest } = properties
    return Type.Object({
      ...Type.Partial(Type.Object(rest)).properties,
      planId: Type.Union([planId, Type.Null()], { description: 'Null where there was nothing to do' }),
      doneNow,
      transfers,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletResume)
    const named = args.plan ?? (await this.#unfinished())
    if (named === undefined) {
      this.note('No plan was begun and left unfinished: there is nothing to do.')
      return { planId: null, doneNow: 0, transfers: [] }
    }
    return this.carryOut((book) => this.#begun(book, named), flags, 'wallet resume')
  }

  async #begun(book: Book, planId: string) {
    const kept = await this.keptPlan(book, planId)
    if (kept.plan.begun_at !== null || kept.plan.cancelled_at !== null) return kept
    throw new Problem(
      'CONFLICT',
      `The plan ${kept.plan.id} was not begun yet: "${this.next('wallet apply', kept.plan.id)}" begins it`,
      { planId: kept.plan.id, remoteCode: null },
    )
  }

  /** The one plan to go on with; refused where there are several, since nobody but a person can tell which is meant. */
  async #unfinished(): Promise<string | undefined> {
    const { isBookThere } = await import('../../src/world/clients/book-location.ts')
    if (!isBookThere(this.settings, this.profile)) return undefined
    const { unfinishedPlans } = await import('../../src/operator/transfers/apply-batch.ts')
    const { book } = await this.bookThere()
    const open = await unfinishedPlans(book)
    const [first, ...more] = open
    if (first === undefined || more.length === 0) return first?.id
    const list = open.map(({ id, source, made_by: by }) => `  ${id}  ${source}, by ${by}`).join('\n')
    throw new Problem('CONFLICT', `${open.length} plans were begun and not finished; name one:\n${list}`, {
      ...{ plans: open.map(({ id }) => id), remoteCode: null },
    })
  }
}
