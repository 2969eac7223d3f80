import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags, moneyFlags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { payoutColumns } from '../../src/cli/topics/gateway/arguments.ts'
import { plannedCall } from '../../src/cli/topics/gateway/planned-call.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'
import type { PayoutBatch } from '../../src/services/gateway/api/schemas.ts'
import type { GatewayClients } from '../../src/world/clients/gateway.ts'

export default class PayoutsVerify extends CountroomCommand {
  static override summary = 'Confirm a payout batch with a 2FA code'
  static override description =
    'The batch is then paid out. The code is generated from the secret of the profile, if it has one; else pass --code or enter it when asked. A batch that is already verified is only shown. If the response is lost, the command looks up the batch before it reports.'
  static override examples = [
    'countroom payouts verify 5000000191',
    { command: 'countroom payouts verify 5000000191 --code 123456', description: 'Use a code from an app' },
  ]
  static override exits = moneyExits
  static override writes = true
  static override args = { batch: Args.string({ required: true, description: 'Batch ID' }) }
  static override flags = {
    code: Flags.string({ summary: 'Six-digit code of the 2FA app', helpValue: 'DIGITS' }),
    ...moneyFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    return Type.Object({
      ...gateway.PayoutBatch.properties,
      earlier: Type.Boolean({ description: 'True if the batch was verified before this run.' }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(PayoutsVerify)
    const clients = await this.services.gateway()
    const batch = await batchOf(clients, args.batch)
    const isOpen = batch.withdrawals.some(({ status }) => status === 'creating')
    if (this.isDryRun) {
      const request = plannedCall('verifyPayouts', { params: { id: batch.id }, body: { verification_code: '******' } })
      this.log(plannedText(request))
      this.footnote(isOpen ? 'Valid; nothing was sent.' : 'The batch is already verified; nothing would be sent.')
      return { ...batch, earlier: !isOpen, dryRun: true, request }
    }
    if (isOpen) {
      await this.#ask(batch)
      await this.#verify(clients, batch.id, flags.code)
    } else this.note(`Batch ${batch.id} is already verified; nothing was sent.`)
    const after = isOpen ? await batchOf(clients, args.batch) : batch
    this.table(after.withdrawals, payoutColumns)
    return { ...after, earlier: !isOpen, dryRun: false, request: null }
  }

  async #ask({ withdrawals, id }: PayoutBatch): Promise<void> {
    const { totalsOf, totalsText } = await import('../../src/operator/gateway-orders/payout-file.ts')
    const totals = totalsOf(withdrawals)
    const [only, ...more] = totals
    const action = `Pay out ${totalsText(totals)} with batch ${id}`
    const { profile } = this.profile
    const isLive = profile.kind === 'remote' && profile.environment === 'live'
    if (isLive && only !== undefined) {
      if (more.length > 0)
        throw new Problem(
          'INVALID_USAGE',
          'On a live profile a batch must have one currency, so that you can confirm its total',
        )
      await this.confirmMoney({ action, ...only })
    } else if (this.screen.canAsk && !this.screen.isJson) await this.confirmDanger(action)
  }

  async #verify(clients: GatewayClients, id: string, codeFlag: string | undefined): Promise<void> {
    const own = codeFlag === undefined ? await clients.code() : undefined
    const code =
      codeFlag ?? own ?? (await this.prompts.secret({ message: 'Code of the 2FA app:', flag: '--code DIGITS' }))
    const send = (verification_code: string) =>
      clients.gateway.verifyPayouts({ params: { id }, body: { verification_code } })
    try {
      await send(code)
    } catch (error) {
      // A code is accepted once. If this half minute's code was used for another batch, the next one is already valid.
      const next = own !== undefined && isProblem(error, 'INVALID_MFA_CODE') ? await clients.code(1) : undefined
      if (next !== undefined) await send(next)
      else if (isProblem(error) && error.detail['outcome'] === 'unknown') await this.#lookAgain(clients, id, error)
      else throw error
    }
  }

  /** Looks up the batch after a lost response. */
  async #lookAgain(clients: GatewayClients, id: string, lost: Problem): Promise<void> {
    const again = `countroom payouts verify ${id}`
    const batch = await batchOf(clients, id).catch(() => undefined)
    if (batch?.withdrawals.every(({ status }) => status !== 'creating')) return
    throw new Problem(
      batch === undefined ? 'MONEY_UNKNOWN' : lost.code,
      batch === undefined
        ? `Unknown whether batch ${id} is verified. It is safe to run again: ${again}`
        : `${lost.message}. Batch ${id} is not verified. Try again: ${again}`,
      { ...lost.detail, batch: id, next: [again] },
      { cause: lost },
    )
  }
}

/** Returns a batch by its ID. For the ID of a payout, names its batch. */
async function batchOf({ gateway }: GatewayClients, id: string): Promise<PayoutBatch> {
  const response = await gateway.payout({ params: { id } })
  if (!Array.isArray(response)) return response
  throw new Problem('NOT_FOUND', `${id} is a payout. Its batch is ${response[0]?.batch_withdrawal_id}`, {
    batch: response[0]?.batch_withdrawal_id,
    remoteCode: null,
  })
}
