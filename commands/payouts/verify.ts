import { Args, Flags, moneyFlags } from '../../src/cli/framework/flags.ts'
import { plannedText } from '../../src/cli/outcome/dry-run.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import { payoutColumns } from '../../src/cli/topics/gateway/arguments.ts'
import { GatewayCommand } from '../../src/cli/topics/gateway/command.ts'
import { plannedCall } from '../../src/cli/topics/gateway/order-command.ts'
import { totalsOf, totalsText } from '../../src/cli/topics/gateway/payout-file.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'
import type { PayoutBatch } from '../../src/services/gateway/api/schemas.ts'
import type { GatewayClients } from '../../src/world/clients/gateway.ts'

export default class PayoutsVerify extends GatewayCommand {
  static override summary = 'Verify a batch with a 2FA code: from then on it is paid out'
  static override description =
    'The code is made from the secret of the profile, where it has one; otherwise --code gives it, or it is asked for. A batch that was verified before is only shown. When no answer comes, the batch is looked up before anything is said.'
  static override examples = [
    'countroom payouts verify 5000000191',
    { command: 'countroom payouts verify 5000000191 --code 123456', description: 'With a code from an app' },
  ]
  static override exits = moneyExits
  static override writes = true
  static override args = { batch: Args.string({ required: true, description: 'The id of the batch' }) }
  static override flags = {
    code: Flags.string({ summary: 'The six digits of the 2FA app', helpValue: 'DIGITS' }),
    ...moneyFlags,
  }
  static override data = async () => {
    const [{ Type }, { PayoutBatch: shape }, { plannedSchema }] = await Promise.all([
      import('typebox'),
      import('../../src/services/gateway/api/schemas.ts'),
      import('../../src/cli/outcome/dry-run.ts'),
    ])
    return Type.Object({
      ...shape.properties,
      earlier: Type.Boolean({ description: 'It was verified before this run' }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(PayoutsVerify)
    const clients = await this.gateway()
    const batch = await batchOf(clients, args.batch)
    const isOpen = batch.withdrawals.some(({ status }) => status === 'creating')
    if (this.isDryRun) {
      const request = plannedCall('verifyPayouts', { params: { id: batch.id }, body: { verification_code: '******' } })
      this.log(plannedText(request))
      this.footnote(isOpen ? 'Checked; nothing was sent.' : 'It was verified before: nothing would be sent.')
      return { ...batch, earlier: !isOpen, dryRun: true, request }
    }
    if (isOpen) {
      await this.#ask(batch)
      await this.#verify(clients, batch.id, flags.code)
    } else this.note(`The batch ${batch.id} was verified before; nothing was sent now.`)
    const after = isOpen ? await batchOf(clients, args.batch) : batch
    this.table(after.withdrawals, payoutColumns)
    return { ...after, earlier: !isOpen, dryRun: false, request: null }
  }

  async #ask({ withdrawals, id }: PayoutBatch): Promise<void> {
    const totals = await totalsOf(withdrawals)
    const [only, ...more] = totals
    const order = `Pay ${totalsText(totals)} out with the batch ${id}`
    const { profile } = this.profile
    const isLive = profile.kind === 'remote' && profile.environment === 'live'
    if (isLive && only !== undefined) {
      if (more.length > 0)
        throw new Problem(
          'INVALID_USAGE',
          'On a live profile a batch has one currency, so that its total can be confirmed',
        )
      await this.confirmMoney({ order, ...only })
    } else if (this.screen.canAsk && !this.screen.isJson) await this.confirmDanger(order)
  }

  async #verify(clients: GatewayClients, id: string, said: string | undefined): Promise<void> {
    const own = said === undefined ? await clients.code() : undefined
    const code =
      said ?? own ?? (await this.prompts.secret({ message: 'The code of the 2FA app:', flag: '--code DIGITS' }))
    const send = (verification_code: string) =>
      clients.gateway.verifyPayouts({ params: { id }, body: { verification_code } })
    try {
      await send(code)
    } catch (error) {
      // A code is taken once: where this half minute's was used for another batch, the next one is good already.
      const next = own !== undefined && isProblem(error, 'INVALID_MFA_CODE') ? await clients.code(1) : undefined
      if (next !== undefined) await send(next)
      else if (isProblem(error) && error.detail['outcome'] === 'unknown') await this.#lookAgain(clients, id, error)
      else throw error
    }
  }

  /** No answer came: whether the batch is verified says the batch itself. */
  async #lookAgain(clients: GatewayClients, id: string, lost: Problem): Promise<void> {
    const again = `countroom payouts verify ${id}`
    const batch = await batchOf(clients, id).catch(() => undefined)
    if (batch?.withdrawals.every(({ status }) => status !== 'creating')) return
    throw new Problem(
      batch === undefined ? 'MONEY_UNKNOWN' : lost.code,
      batch === undefined
        ? `It is not known whether the batch ${id} is verified; "${again}" looks first and is safe to run`
        : `${lost.message}. The batch is not verified; "${again}" tries again`,
      { ...lost.detail, batch: id, next: [again] },
      { cause: lost },
    )
  }
}

/** The batch of an id; the batch of a payout where a payout's id was given. */
async function batchOf({ gateway }: GatewayClients, id: string): Promise<PayoutBatch> {
  const found = await gateway.payout({ params: { id } })
  if (!Array.isArray(found)) return found
  throw new Problem('NOT_FOUND', `${id} is a payout: its batch is ${found[0]?.batch_withdrawal_id}`, {
    batch: found[0]?.batch_withdrawal_id,
    remoteCode: null,
  })
}
