import { refuseFaults } from '../../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { editFlags, Flags } from '../../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { idArg, jsonAmount } from '../../../src/cli/topics/gateway/arguments.ts'
import { plannedCall } from '../../../src/cli/topics/gateway/planned-call.ts'
import { planFields, planLinkFlags, planLinksOf } from '../../../src/cli/topics/gateway/subscription-plan-fields.ts'
import { coinAmountFault } from '../../../src/domain/payments/order-faults.ts'
import { definedFields } from '../../../src/kit/defined-fields.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SubscriptionsPlansUpdate extends CountroomCommand {
  static override summary = 'Change a subscription plan, from the next charge on'
  static override examples = ['countroom subscriptions plans update 5000000197 --amount 12.50']
  static override exits = ['confirmation', 'permission', 'not-found', 'temporary'] as const
  static override writes = true
  static override args = idArg('Subscription plan ID')
  static override flags = {
    ...editFlags,
    title: Flags.string({ summary: 'Title of the plan', helpValue: 'TEXT' }),
    amount: Flags.string({ summary: 'Price per period', helpValue: 'AMOUNT' }),
    currency: Flags.string({ summary: 'Currency of the price', helpValue: 'CURRENCY' }),
    days: Flags.integer({ summary: 'Length of a period in days', min: 1, max: 3650, helpValue: 'N' }),
    ...planLinkFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    return Type.Object({ ...gateway.Plan.properties, dryRun: Type.Boolean(), request: plannedSchema(shapes) })
  }

  override async run() {
    const { args, flags } = await this.parse(SubscriptionsPlansUpdate)
    if (flags.amount !== undefined) refuseFaults([coinAmountFault(flags.amount)])
    const body = {
      ...definedFields({
        title: flags.title,
        interval_day: flags.days,
        amount: flags.amount === undefined ? undefined : jsonAmount(flags.amount),
        currency: flags.currency?.toLowerCase(),
      }),
      ...planLinksOf(flags),
    }
    if (Object.keys(body).length === 0)
      throw new Problem('INVALID_USAGE', 'Nothing to change: pass --title, --amount, --currency, --days or a URL flag')
    const { gateway } = await this.services.gateway()
    const params = { id: args.id }
    if (this.isDryRun) {
      const { result: plan } = await gateway.plan({ params })
      const request = plannedCall('updatePlan', { params, body })
      this.log(plannedText(request))
      this.footnote('Valid; nothing was sent.')
      return { ...plan, dryRun: true, request }
    }
    await this.confirmEdit(`Change subscription plan ${args.id}`)
    const { result: plan } = await gateway.updatePlan({ params, body })
    this.fields(plan, planFields)
    return { ...plan, dryRun: false, request: null }
  }
}
