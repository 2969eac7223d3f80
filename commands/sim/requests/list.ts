import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Flags, listFlags, moreThere } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { requestSummaryFields } from '../../../src/cli/topics/sim/request-view.ts'

export default class SimRequestsList extends CountroomCommand {
  static override summary = 'List the requests and callbacks of a served world, newest first'
  static override description =
    'The process that serves the world keeps the last 10,000 requests in memory. This command reads them from it, on this machine only. With --follow, it prints each request when it ends, until it is stopped by a signal.'
  static override examples = [
    'countroom sim requests list',
    { command: 'countroom sim requests list --status 4xx --since 10m', description: 'List recently rejected requests' },
    {
      command: 'countroom sim requests list --service casino --path /wallet/ --limit 20',
      description: 'List the last requests about money',
    },
    { command: 'countroom sim requests list --kind callback', description: 'List callbacks only' },
    { command: 'countroom sim requests list --follow', description: 'Watch requests while you develop' },
  ]
  static override exits = ['permission', 'conflict', 'temporary'] as const
  static override list = 'requests'
  static override flags = {
    service: Flags.string({ summary: 'Requests of this service only', options: ['casino', 'gateway', 'chat'] }),
    kind: Flags.string({ summary: 'Requests or callbacks only', options: ['request', 'callback'] }),
    status: Flags.string({
      summary: 'Requests with this status only: a code, a class such as 4xx, or "none" for no response',
      helpValue: 'STATUS',
    }),
    path: Flags.string({
      summary: 'Only requests with this text in the path and query, or in the URL of a callback',
      helpValue: 'TEXT',
    }),
    since: Flags.string({
      summary: 'Requests at or after this time of the world, or this long ago',
      helpValue: 'ISO|DURATION',
    }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 10_000, helpValue: 'N' }),
    follow: Flags.boolean({ summary: 'Print new requests as they end' }),
    count: Flags.integer({
      summary: 'Number of new requests after which to exit',
      dependsOn: ['follow'],
      min: 1,
      helpValue: 'N',
    }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      requests: Type.Array(Type.Object(requestSummaryFields(shapes))),
      more: Type.Boolean(moreThere),
      followed: Type.Integer({ description: 'Number of requests that --follow printed.' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(SimRequestsList)
    const { listRequests } = await import('../../../src/cli/topics/sim/requests.ts')
    return listRequests(this, flags)
  }
}
