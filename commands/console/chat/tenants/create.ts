import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatPlanFrom, chatPlans, chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleChatTenantsCreate extends CountroomCommand {
  static override summary = 'Create a merchant of the chat, with an API key, a front-end key and an agent'
  static override description =
    'With --json, "data" has the form of the chat section of the ready file, plus the name. The merchant starts with the form "general".'
  static override examples = ['countroom console chat tenants create ACME --plan pro --agent "Desk 1"']
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    plan: Flags.string({
      summary: 'Subscription plan; tickets need pro or higher',
      options: [...chatPlans],
      default: 'free',
    }),
    name: Flags.string({ summary: 'Merchant name', helpValue: 'NAME' }),
    agent: Flags.string({ summary: 'Name of the first agent', default: 'Desk 1', helpValue: 'NAME' }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      code: Type.String(),
      plan: Type.String(),
      apiKey: Type.String(),
      tenantKey: Type.String(),
      agentToken: Type.String(),
      identitySecret: Type.String(),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTenantsCreate)
    const { chat } = await this.services.world()
    const { chatCredentials, createAgent, createChatTenant } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const plan = chatPlanFrom(flags.plan)
    const tenant = await createChatTenant(chat, {
      code,
      plan,
      ...(flags.name === undefined ? {} : { name: flags.name }),
    })
    // A dry run is rolled back, so there is no tenant to create an agent for.
    const agent = this.isDryRun ? undefined : await createAgent(chat, code, flags.agent)
    const keys = this.isDryRun ? undefined : await chatCredentials(chat, code)
    const made = {
      code,
      plan,
      apiKey: shownOnce(this, keys?.apiKey ?? ''),
      tenantKey: shownOnce(this, tenant.tenant_key),
      agentToken: shownOnce(this, agent?.agentToken ?? ''),
      identitySecret: shownOnce(this, tenant.identity_secret),
    }
    this.fields(made)
    return made
  }
}
