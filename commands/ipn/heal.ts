import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { secretFlag } from '../../src/cli/topics/callbacks/flags.ts'
import { healableKinds } from '../../src/domain/reconcile/callback-evidence.ts'

export default class IpnHeal extends CountroomCommand {
  static override summary = 'Rebuild and deliver IPNs that never arrived'
  static override description = [
    'Compares each payment and payout of the gateway with the callbacks in the book. If the latest status or amount was never received, the IPN is rebuilt byte for byte as the gateway sends it, signed, stored in the book as healed, and forwarded to your shop. A repeated run rebuilds nothing twice.',
    'Refunds and returned deposits are rebuilt as payouts, released deposits as payments. IPNs of subscriptions, conversions and transfers are not rebuilt.',
  ].join('\n\n')
  static override examples = [
    'countroom ipn heal --to http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn heal --since 2026-03-01 --dry-run', description: 'List missing IPNs' },
    'countroom ipn heal 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'partial', 'inconclusive', 'configuration'] as const
  static override writes = true
  static override completes = { metrics: 'files', 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'IDs of payments, payouts or batches (default: all)' }),
  }
  static override flags = {
    to: Flags.string({
      summary: 'Target URL (default: target of the newest forwarded callback, if any)',
      helpValue: 'URL',
    }),
    kind: Flags.string({ summary: 'Payments only, or payouts only', options: [...healableKinds] }),
    since: Flags.string({ summary: 'Created at or after this time', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Minimum age of the last change, in seconds; later IPNs may still arrive',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'SECONDS',
    }),
    ...dryRunFlag,
    ...secretFlag,
    ...bookFlag,
    ...jobFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const row = Type.Object({
      kind: Type.Enum([...healableKinds]),
      subject: Type.String({ description: 'ID of the payment or payout' }),
      paymentId: text,
      status: Type.String(),
      because: Type.Enum(['missing', 'stale'], { description: 'No callback arrived, or only older ones.' }),
      id: text,
      answered: Type.Union([Type.Integer(), Type.Null()]),
      error: text,
    })
    return Type.Object({
      to: text,
      checked: Type.Integer(),
      recent: Type.Integer({
        description: 'Number skipped because they changed within --min-age; their callbacks may be on their way.',
      }),
      nextRunAt: Type.Union([Type.String(), Type.Null()], {
        description: 'When all of these are old enough to be checked, by the clock of the platform.',
      }),
      complete: Type.Boolean({
        description: 'True if everything requested was checked. False if payouts could not be read.',
      }),
      healed: Type.Integer(),
      delivered: Type.Integer(),
      callbacks: Type.Array(row),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(IpnHeal)
    const { healMissing } = await import('../../src/cli/topics/callbacks/heal.ts')
    return healMissing(this, args.ids, flags)
  }
}
