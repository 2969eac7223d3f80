import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'

export default class ConsoleChatFormsRepair extends CountroomCommand {
  static override summary = 'Move tickets from broken form versions to the newest readable version'
  static override description = [
    'A broken version is a stored form that cannot be read. Each ticket keeps its status if the readable version has it; otherwise it gets the first status of the same category, or the initial one. Invalid field values are removed and stay in the history.',
    'If a form has no readable version, save one first: countroom console chat forms save CODE FORM FILE',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom console chat forms repair DEMO --dry-run', description: 'Show what would change' },
    'countroom console chat forms repair DEMO',
  ]
  static override exits = ['not-found', 'partial'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => {
    const ticket = Type.Object({
      ticketNumber: Type.Integer(),
      formCode: Type.String(),
      fromVersion: Type.Integer(),
      toVersion: Type.Integer(),
      status: Type.String(),
      removedFields: Type.Array(Type.String()),
    })
    const left = Type.Object({ formCode: Type.String(), version: Type.Integer(), tickets: Type.Integer() })
    return Type.Object({ repaired: Type.Array(ticket), left: Type.Array(left) })
  }

  override async run() {
    const { args } = await this.parse(ConsoleChatFormsRepair)
    const { chat } = await this.services.world()
    const { repairTenantForms } = await import('../../../../src/services/chat/admin.ts')
    const { repaired, left } = await repairTenantForms(chat, args.code.toUpperCase())
    const data = {
      repaired: repaired.map((each) => ({ ...each, removedFields: [...each.removedFields] })),
      left: left.map((each) => ({ ...each })),
    }
    this.table(
      data.repaired,
      ['ticketNumber', 'formCode', 'fromVersion', 'toVersion', 'status', 'removedFields'],
      left.length === 0 ? 'No ticket holds a broken form version.' : 'No ticket was repaired.',
    )
    const [first] = left
    if (first) {
      const forms = left.map(({ formCode, version, tickets }) => `${formCode} version ${version} (tickets: ${tickets})`)
      const save = `countroom console chat forms save ${args.code.toUpperCase()} ${first.formCode} ${first.formCode}.json`
      this.endWith('BATCH_PARTLY', `No readable version of ${forms.join(', ')}; save one first: ${save}`, {
        category: 'partial',
      })
    }
    return data
  }
}
