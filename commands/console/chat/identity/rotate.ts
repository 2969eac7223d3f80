import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'
import { durationMs } from '../../../../src/kit/duration.ts'
import { Problem } from '../../../../src/kit/problem.ts'

/** Longest grace period: 30 days, the lifetime of a room token. */
const longestGraceMs = 30 * 86_400_000

export default class ConsoleChatIdentityRotate extends CountroomCommand {
  static override summary = "Replace a merchant's identity secret and show the new one"
  static override description =
    'The old secret stays valid for the grace period, so that you can update servers without an interruption. After a leak use --grace 0s, and revoke the tokens obtained with the old secret: countroom console chat tokens revoke CODE --all.'
  static override examples = [
    'countroom console chat identity rotate DEMO',
    { command: 'countroom console chat identity rotate DEMO --grace 0s', description: 'End the old secret at once' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    grace: Flags.string({
      summary: 'Time the old secret stays valid, 0s to 30d',
      helpValue: 'DURATION',
      default: '24h',
    }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      code: Type.String(),
      identitySecret: Type.String(),
      previousValidUntil: Type.Union([Type.String(), Type.Null()]),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatIdentityRotate)
    const graceMs = durationMs(flags.grace)
    if (graceMs === undefined || graceMs > longestGraceMs)
      throw new Problem(
        'INVALID_USAGE',
        `--grace must be a duration from 0s to 30d, such as 24h; received ${flags.grace}`,
      )
    const { chat } = await this.services.world()
    const { rotateIdentitySecret } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const { identitySecret, previousValidUntil } = await rotateIdentitySecret(chat, code, graceMs)
    const data = {
      code,
      identitySecret: shownOnce(this, identitySecret),
      previousValidUntil: previousValidUntil === null ? null : new Date(previousValidUntil).toISOString(),
    }
    this.fields(data)
    return data
  }
}
