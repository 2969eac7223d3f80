import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import {
  bytesFrom,
  bytesText,
  chatPlanFrom,
  chatPlans,
  chatTenantArg,
} from '../../../../src/cli/topics/console/chat-console.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { limitBounds, limitsOf } from '../../../../src/services/chat/media/limits.ts'

export default class ConsoleChatTenantsSet extends CountroomCommand {
  static override summary = "Set a merchant's plan, widget origins or upload limits"
  static override description =
    'Takes effect at once. Without origins, the widget works on any page. A file limit is 1MiB to 1GiB and at most the daily limit of a room; running uploads continue.'
  static override examples = [
    'countroom console chat tenants set DEMO-FREE --plan pro',
    'countroom console chat tenants set DEMO --origin https://shop.example --origin https://www.shop.example',
    'countroom console chat tenants set DEMO --max-file 100MiB --max-day 1GiB --max-uploads 5',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    plan: Flags.string({ summary: 'Subscription plan', options: [...chatPlans] }),
    origin: Flags.string({
      summary: 'Origin of a page with the widget (repeatable); replaces the current list',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ORIGIN',
    }),
    'any-origin': Flags.boolean({ summary: 'Allow the widget on any page', exclusive: ['origin'] }),
    'max-file': Flags.string({ summary: "Maximum size of a customer's file", helpValue: 'SIZE' }),
    'max-day': Flags.string({ summary: 'Maximum upload size per room and day', helpValue: 'SIZE' }),
    'max-uploads': Flags.integer({ summary: 'Maximum number of concurrent uploads per room', helpValue: 'COUNT' }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      code: Type.String(),
      plan: Type.String(),
      origins: Type.Array(Type.String()),
      maxFileBytes: Type.Integer(),
      maxBytesPerDay: Type.Integer(),
      maxOpenUploads: Type.Integer(),
    })

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
        'Nothing to set: pass --plan, --origin, --any-origin, --max-file, --max-day or --max-uploads',
      )
    for (const origin of origins ?? [])
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Problem('INVALID_USAGE', `${origin} is not an origin; expected a value such as https://shop.example`)
    const choices = [
      ['--max-file', file, limitBounds.maxFileBytes, bytesText],
      ['--max-day', day, limitBounds.maxBytesPerDay, bytesText],
      ['--max-uploads', uploads, limitBounds.maxOpenUploads, String],
    ] as const
    const outside = choices.filter(([, value, { from, to }]) => value !== undefined && (value < from || value > to))
    if (outside.length > 0)
      throw new Problem(
        'INVALID_USAGE',
        outside.map(([flag, , { from, to }, text]) => `${flag} must be from ${text(from)} to ${text(to)}`).join('; '),
      )
    const { chat } = await this.services.world()
    const { readChatTenant, setOrigins, setPlan, setUploadLimits } = await import(
      '../../../../src/services/chat/admin.ts'
    )
    const code = args.code.toUpperCase()
    const plan = flags.plan === undefined ? undefined : chatPlanFrom(flags.plan)
    // Changes that may be rejected come first, so that a rejected command changes nothing.
    if (setsLimits) await setUploadLimits(chat, code, limits)
    if (plan !== undefined) await setPlan(chat, code, plan)
    if (origins !== undefined) await setOrigins(chat, code, origins)
    const row = await readChatTenant(chat, code)
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
