import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import { chatPlanFrom, chatPlans, chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'

export default class ConsoleChatTenantsCreate extends WorldCommand {
  static override summary = 'Make a merchant of the chat, with an API key, a front-end key and a first agent'
  static override description =
    'With --json, "data" has the form of the chat section of the ready file with the name beside it. The form "general" is there from the start.'
  static override examples = ['countroom console chat tenants create ACME --plan pro --agent "Desk 1"']
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    plan: Flags.string({ summary: 'The plan; tickets need pro or higher', options: [...chatPlans], default: 'free' }),
    name: Flags.string({ summary: 'How it is called', helpValue: 'NAME' }),
    agent: Flags.string({ summary: 'The name of its first agent', default: 'Desk 1', helpValue: 'NAME' }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      code: Type.String(),
      plan: Type.String(),
      apiKey: Type.String(),
      tenantKey: Type.String(),
      agentToken: Type.String(),
      identitySecret: Type.String(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTenantsCreate)
    const { chat } = await this.world()
    const { chatCredentials, createAgent, createChatTenant } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const plan = chatPlanFrom(flags.plan)
    const tenant = await createChatTenant(chat, {
      code,
      plan,
      ...(flags.name === undefined ? {} : { name: flags.name }),
    })
    // A rehearsal takes the tenant back at once, so there is none to give an agent to.
    const agent = this.isDryRun ? undefined : await createAgent(chat, code, flags.agent)
    const keys = this.isDryRun ? undefined : await chatCredentials(chat, code)
    const made = {
      code,
      plan,
      apiKey: this.onceTold(keys?.apiKey ?? ''),
      tenantKey: this.onceTold(tenant.tenant_key),
      agentToken: this.onceTold(agent?.agentToken ?? ''),
      identitySecret: this.onceTold(tenant.identity_secret),
    }
    this.fields(made)
    return made
  }
}
