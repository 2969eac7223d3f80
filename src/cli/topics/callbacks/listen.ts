import { Problem } from '../../../kit/problem.ts'
import type { Heard } from '../../../operator/callbacks/listen.ts'
import { bookFlag, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { CallbackCommand, forwardUrl, secretFlag } from './command.ts'
import { identityFields } from './view.ts'

export const listenFlags = (port: number) => ({
  port: Flags.integer({ summary: 'Port to listen on; 0 picks a free port', default: port, min: 0, max: 65_535 }),
  host: Flags.string({ summary: 'Address to listen on', default: '127.0.0.1' }),
  forward: Flags.string({ summary: 'URL to forward to', helpValue: 'URL' }),
  ...secretFlag,
  ...bookFlag,
})

export const listenData = ({ Type }: Shapes) => {
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

interface ListenFlags {
  readonly port: number
  readonly host: string
  readonly forward?: string | undefined
  readonly 'secret-file'?: string | undefined
}

/** Receives callbacks until stopped. */
export abstract class ListenCommand extends CallbackCommand {
  protected async listen(flags: ListenFlags) {
    const { form } = this.mail
    const to = flags.forward === undefined ? undefined : forwardUrl(flags.forward, '--forward')
    const secret = await this.secret(flags['secret-file'])
    const [book, { openServer }, { receiving }, { openCallbackListener }, { openForwarder }] = await Promise.all([
      this.book(),
      import('../../../http/server/server.ts'),
      import('../../../http/server/raw-receiver.ts'),
      import('../../../operator/callbacks/listen.ts'),
      import('../../../operator/callbacks/forward.ts'),
    ])
    const forwarder = to === undefined ? undefined : openForwarder(to)
    this.closeLater(() => forwarder?.close())
    const nothing = Object.fromEntries(identityFields(this.mail).map((name) => [name, null]))
    const hear = async ({ identity, ...heard }: Heard) => {
      const told = identity ? form.told(identity) : nothing
      await this.line({ type: 'delivery', ...told, ...heard }, () => lineOf({ identity, ...heard }))
    }
    const listener = openCallbackListener({ book, form, secret, now: Date.now, forwarder, hear })
    const server = openServer({ services: [], routes: [receiving((request) => listener.take(request))] })
    const { url } = await server.listen({ host: flags.host, port: flags.port }).catch(taken(flags.port))
    await this.line({ type: 'listening', url }, () => `Listening at ${url}`)
    await stopped(this.stop)
    await server.close()
    await listener.close()
    return { url, ...listener.totals, stoppedBy: String(this.stop.reason) }
  }
}

function lineOf({ identity, receivedAt, outcome, because, forwarded }: Heard): string {
  const end = forwarded === null ? '' : `  forwarded: ${forwarded.error ?? forwarded.status}`
  const told = [identity?.event ?? '-', identity?.id ?? '-']
  return [receivedAt, outcome, ...told, because ?? ''].join('  ').trimEnd() + end
}

function taken(port: number) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') throw error
    throw new Problem(
      'BAD_CONFIGURATION',
      `Cannot listen on port ${port} (${error.code}). Pass another --port, or --port 0 for a free one`,
      { port },
    )
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
