import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import {
  bytesFrom,
  bytesText,
  chatPlanFrom,
  chatPlans,
  chatTenantArg,
} from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatTenantsSet extends WorldCommand {
  static override summary = "Set a merchant's plan, the pages its widget may stand on, or how much customers may send"
  static override description =
    'Takes effect at once. No origin at all lets the widget stand anywhere. A file may be 1MiB to 1GiB, and no larger than what a room may send within a day; uploads that were begun go on.'
  static override examples = [
    'countroom console chat tenants set DEMO-FREE --plan pro',
    'countroom console chat tenants set DEMO --origin https://shop.example --origin https://www.shop.example',
    'countroom console chat tenants set DEMO --max-file 100MiB --max-day 1GiB --max-uploads 5',
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
    'max-file': Flags.string({ summary: 'The largest file a customer may send', helpValue: 'SIZE' }),
    'max-day': Flags.string({ summary: 'How much a room may send within a day', helpValue: 'SIZE' }),
    'max-uploads': Flags.integer({ summary: 'How many uploads of a room may be open at once', helpValue: 'COUNT' }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      code: Type.String(),
      plan: Type.String(),
      origins: Type.Array(Type.String()),
      maxFileBytes: Type.Integer(),
      maxBytesPerDay: Type.Integer(),
      maxOpenUploads: Type.Integer(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatTenantsSet)
    const origins = flags['any-origin'] ? [] : flags.origin
    const [file, day, uploads] = [
      bytesFrom('--max-file', flags['max-file']),
      bytesFrom('--max-day', flags['max-day']),
      flags['max-uploads'],
    ]
    const limits = {
      ...(file === undefined ? {} : { maxFileBytes: file }),
      ...(day === undefined ? {} : { maxBytesPerDay: day }),
      ...(uploads === undefined ? {} : { maxOpenUploads: uploads }),
    }
    const setsLimits = Object.keys(limits).length > 0
    if (flags.plan === undefined && origins === undefined && !setsLimits)
      throw new Problem(
        'INVALID_USAGE',
        'Say what to set: --plan, --origin, --any-origin, --max-file, --max-day or --max-uploads',
      )
    for (const origin of origins ?? [])
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Problem('INVALID_USAGE', `${origin} is no origin, such as https://shop.example`)
    const { limitBounds, limitsOf } = await import('../../../../src/services/chat/media/limits.ts')
    const choices = [
      ['--max-file', file, limitBounds.maxFileBytes, bytesText],
      ['--max-day', day, limitBounds.maxBytesPerDay, bytesText],
      ['--max-uploads', uploads, limitBounds.maxOpenUploads, String],
    ] as const
    const outside = choices.filter(([, said, { from, to }]) => said !== undefined && (said < from || said > to))
    if (outside.length > 0)
      throw new Problem(
        'INVALID_USAGE',
        outside.map(([flag, , { from, to }, text]) => `${flag} is ${text(from)} to ${text(to)}`).join('; '),
      )
    const { chat, store } = await this.world()
    const [{ setOrigins, setPlan, setUploadLimits }, { chatTenantOf }] = await Promise.all([
      import('../../../../src/services/chat/admin.ts'),
      import('../../../../src/services/chat/queries/tenants.ts'),
    ])
    const code = args.code.toUpperCase()
    const plan = flags.plan === undefined ? undefined : chatPlanFrom(flags.plan)
    // First what may be refused, so that nothing of a refused order is done.
    if (setsLimits) await setUploadLimits(chat, code, limits)
    if (plan !== undefined) await setPlan(chat, code, plan)
    if (origins !== undefined) await setOrigins(chat, code, origins)
    const row = await store.read((reader) => chatTenantOf(reader, code))
    const set = {
      code,
      plan: (plan ?? row?.plan ?? '') as string,
      origins: origins ?? (JSON.parse(row?.origins ?? '[]') as string[]),
    }
    const now = { ...limitsOf({ limits: row?.limits ?? '{}' }), ...limits }
    this.fields({
      ...set,
      maxFile: bytesText(now.maxFileBytes),
      maxDay: bytesText(now.maxBytesPerDay),
      maxUploads: now.maxOpenUploads,
    })
    return { ...set, ...now }
  }
}
