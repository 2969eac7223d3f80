import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { scopes } from '../../../../src/services/gateway/api/scopes.ts'

const listOf = (text: string): string[] => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))

export default class ConsoleMerchantsKeysCreate extends CountroomCommand {
  static override summary = 'Create an API key for a merchant; a key for payouts needs --allow'
  static override examples = [
    'countroom console merchants keys create --scopes read,payments',
    'countroom console merchants keys create --scopes read,payouts --allow 203.0.113.7,198.51.100.0/24',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    scopes: Flags.string({
      summary: `Scopes of the key: ${scopes.join(', ')}`,
      default: 'read,payments,custody',
      helpValue: 'A,B',
    }),
    allow: Flags.string({ summary: 'Addresses or CIDR ranges that may use the key', helpValue: 'A,B' }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      merchantId: Type.String(),
      apiKey: Type.String(),
      scopes: Type.Array(Type.String()),
      addresses: Type.Array(Type.String()),
    })

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsKeysCreate)
    const requestedScopes = listOf(flags.scopes)
    const unknown = requestedScopes.find((name) => !scopes.some((known) => known === name))
    if (unknown !== undefined)
      throw new Problem('INVALID_USAGE', `Unknown scope "${unknown}"; valid scopes: ${scopes.join(', ')}`)
    const { gateway } = await this.services.world()
    const { createKey } = await import('../../../../src/services/gateway/admin/platform.ts')
    const merchantId = await merchantOf(this, flags)
    const own = scopes.filter((scope) => requestedScopes.includes(scope))
    const addresses = listOf(flags.allow ?? '')
    const made = await createKey(gateway, merchantId, { scopes: own, addresses })
    const apiKey = shownOnce(this, made.apiKey)
    this.fields({ merchant: merchantId, key: apiKey, scopes: own.join(', '), from: addresses.join(', ') || 'anywhere' })
    if (!this.isDryRun) this.note('Copy the key now: it is not shown again.')
    return { merchantId, apiKey, scopes: own, addresses }
  }
}
