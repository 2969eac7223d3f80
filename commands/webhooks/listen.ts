import { Flags } from '../../src/cli/flags.ts'
import { bookFlag, forwardUrl, secretFlag, WebhookCommand } from '../../src/cli/webhook-command.ts'
import type { Heard } from '../../src/jobs/webhook-listen.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WebhooksListen extends WebhookCommand {
  static override summary = "Receive the platform's webhooks, keep them, and hand them on"
  static override description =
    'Each is checked for its signature and the 300 seconds around it, kept in the book with its exact bytes and headers, and only then acknowledged; a delivery id that is there already is acknowledged and counted. With --forward it is handed on as it came, one after another; what your own program did not take stays in the book, for "countroom webhooks replay --unforwarded". Any path is taken. Put it behind your own https for a platform elsewhere.'
  static override examples = [
    'countroom webhooks listen --port 8790',
    'countroom webhooks listen --port 8790 --forward http://127.0.0.1:3000/casino',
    {
      command: 'countroom webhooks listen --secret-file - < secret.txt --json',
      description: 'One JSON line a delivery',
    },
  ]
  static override exits = ['configuration', 'stopped'] as const
  static override streams = true
  static override files = ['the book: what was received']
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override flags = {
    port: Flags.integer({ summary: 'The port; 0 picks a free one', default: 8790, min: 0, max: 65_535 }),
    host: Flags.string({ summary: 'The address to listen on', default: '127.0.0.1' }),
    forward: Flags.string({ summary: 'Where to hand them on to', helpValue: 'URL' }),
    ...secretFlag,
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const count = Type.Integer()
    return Type.Object({
      url: Type.String(),
      stored: count,
      again: count,
      refused: count,
      forwarded: count,
      unforwarded: count,
      stoppedBy: Type.String(),
    })
  }

  override async run() {
    const { flags } = await this.parse(WebhooksListen)
    const to = flags.forward === undefined ? undefined : forwardUrl(flags.forward, '--forward')
    const secret = await this.secret(flags['secret-file'])
    const [book, { openServer }, { receiving }, { openWebhookListener }, { openForwarder }] = await Promise.all([
      this.book(),
      import('../../src/wire/server.ts'),
      import('../../src/wire/receive.ts'),
      import('../../src/jobs/webhook-listen.ts'),
      import('../../src/jobs/webhook-forward.ts'),
    ])
    const forwarder = to === undefined ? undefined : openForwarder(to)
    this.closeLater(() => forwarder?.close())
    const hear = async (heard: Heard) => void (await this.line({ type: 'delivery', ...heard }, () => lineOf(heard)))
    const listener = openWebhookListener({ book, secret, now: Date.now, forwarder, hear })
    const server = openServer({ services: [], routes: [receiving((request) => listener.take(request))] })
    const { url } = await server.listen({ host: flags.host, port: flags.port }).catch(taken(flags.port))
    await this.line({ type: 'listening', url }, () => `Listening at ${url}`)
    await stopped(this.stop)
    await server.close()
    await listener.close()
    return { url, ...listener.totals, stoppedBy: String(this.stop.reason) }
  }
}

function lineOf(heard: Heard): string {
  const { receivedAt, outcome, event, deliveryId, because, forwarded } = heard
  const end = forwarded === null ? '' : `  forwarded: ${forwarded.error ?? forwarded.status}`
  return [receivedAt, outcome, event ?? '-', deliveryId ?? '-', because ?? ''].join('  ').trimEnd() + end
}

function taken(port: number) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') throw error
    throw new Problem(
      'BAD_CONFIGURATION',
      `Port ${port} cannot be listened on (${error.code}): choose another with --port`,
      {
        port,
      },
    )
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
