import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ipnTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { receivedViewSchema } from '../../src/cli/topics/callbacks/view.ts'
import { ipnKinds } from '../../src/domain/webhooks/retry-schedule.ts'

export default class IpnList extends CountroomCommand {
  static override summary = 'List received IPNs, newest first'
  static override examples = [
    'countroom ipn list',
    'countroom ipn list --status finished --since 2026-03-01 --json',
    { command: 'countroom ipn list 4384100001', description: 'List all IPNs of one payment' },
  ]
  static override completes = { book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'IDs of payments, payouts or other objects' }),
  }
  static override flags = {
    status: Flags.string({ summary: 'IPNs with this status only', helpValue: 'STATUS' }),
    kind: Flags.string({ summary: 'IPNs about this kind of object only', options: [...ipnKinds] }),
    since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
    unforwarded: Flags.boolean({ summary: 'Only IPNs that no target has accepted yet' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ callbacks: Type.Array(receivedViewSchema(shapes, ipnTopic)), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { args, flags } = await this.parse(IpnList)
    const { unforwarded, limit } = flags
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const kind = ipnKinds.find((each) => each === flags.kind)
    const ids = args.ids && args.ids.length > 0 ? args.ids : undefined
    const { listReceived } = await import('../../src/cli/topics/callbacks/list.ts')
    const event = flags.status?.toLowerCase()
    const { rows: callbacks, more } = await listReceived(this, ipnTopic, {
      ids,
      event,
      kind,
      since,
      unforwarded,
      limit,
    })
    this.table(callbacks, [
      'receivedAt',
      'kind',
      'subject',
      'status',
      { key: 'copies', kind: 'count' },
      'origin',
      'forwardedAt',
      'forwardError',
    ])
    return { callbacks, more }
  }
}
