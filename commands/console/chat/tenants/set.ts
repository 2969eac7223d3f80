import { chatPlanFrom, chatPlans, chatTenantArg } from '../../../../src/cli/chat-console.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/flags.ts'
import { WorldCommand } from '../../../../src/cli/world-command.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatTenantsSet extends WorldCommand {
  static override summary = "Set a merchant's plan, or the pages its widget may stand on"
  static override description = 'Takes effect at once. No origin at all lets the widget stand anywhere.'
  static override examples = [
    'countroom console chat tenants set DEMO-FREE --plan pro',
    'countroom console chat tenants set DEMO --origin https://shop.example --origin https://www.shop.example',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    plan: Flags.string({ summary: 'The plan', options: [...chatPlans] }),
    origin: Flags.string({
      summary: 'A page’s origin; all that are said replace those there were',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ORIGIN',
    }),
    'any-origin': Flags.boolean({ summary: 'Let it stand anywhere', exclusive: ['origin'] }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ code: Type.String(), plan: Type.String(), origins: Type.Array(Type.String()) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTenantsSet)
    const origins = flags['any-origin'] ? [] : flags.origin
    if (flags.plan === undefined && origins === undefined)
      throw new Problem('INVALID_USAGE', 'Say what to set: --plan, --origin or --any-origin')
    for (const origin of origins ?? [])
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Problem('INVALID_USAGE', `${origin} is no origin, such as https://shop.example`)
    const { chat, store } = await this.world()
    const [{ setOrigins, setPlan }, { chatTenantOf }] = await Promise.all([
      import('../../../../src/chat/console.ts'),
      import('../../../../src/chat/queries/tenants.ts'),
    ])
    const code = args.code.toUpperCase()
    const plan = flags.plan === undefined ? undefined : chatPlanFrom(flags.plan)
    if (plan !== undefined) await setPlan(chat, code, plan)
    if (origins !== undefined) await setOrigins(chat, code, origins)
    const row = await store.read((reader) => chatTenantOf(reader, code))
    const set = {
      code,
      plan: (plan ?? row?.plan ?? '') as string,
      origins: origins ?? (JSON.parse(row?.origins ?? '[]') as string[]),
    }
    this.fields(set)
    return set
  }
}
