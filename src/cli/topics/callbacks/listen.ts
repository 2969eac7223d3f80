import { receiving } from '../../../http/server/raw-receiver.ts'
import { openServer } from '../../../http/server/server.ts'
import { Problem } from '../../../kit/problem.ts'
import { openCallbackListener, type ProcessedCallback } from '../../../operator/callbacks/listen.ts'
import type { CommandContext } from '../../context/context.ts'
import { formOf, forwarderTo, forwardUrl, receivingBook, signingSecret } from './sources.ts'
import type { CallbackTopic } from './topics.ts'
import { identityFields } from './view.ts'

interface ListenFlags {
  readonly port: number
  readonly host: string
  readonly forward?: string | undefined
  readonly 'secret-file'?: string | undefined
}

/** Receives callbacks until stopped. */
export async function listenForCallbacks(context: CommandContext, topic: CallbackTopic, flags: ListenFlags) {
  const form = formOf(topic)
  const to = flags.forward === undefined ? undefined : forwardUrl(flags.forward, '--forward')
  const secret = await signingSecret(context, topic, flags['secret-file'])
  const book = await receivingBook(context, topic)
  const forwarder = to === undefined ? undefined : forwarderTo(context, to)
  const nothing = Object.fromEntries(identityFields(topic).map((name) => [name, null]))
  const onCallback = async ({ identity, ...rest }: ProcessedCallback) => {
    const view = identity ? form.identityView(identity) : nothing
    await context.line({ type: 'delivery', ...view, ...rest }, () => lineOf({ identity, ...rest }))
  }
  const listener = openCallbackListener({ book, form, secret, now: Date.now, forwarder, hear: onCallback })
  const server = openServer({ services: [], routes: [receiving((request) => listener.take(request))] })
  const { url } = await server.listen({ host: flags.host, port: flags.port }).catch(onListenError(flags.port))
  await context.line({ type: 'listening', url }, () => `Listening at ${url}`)
  await stopped(context.stop)
  await server.close()
  await listener.close()
  return { url, ...listener.totals, stoppedBy: String(context.stop.reason) }
}

function lineOf({ identity, receivedAt, outcome, because, forwarded }: ProcessedCallback): string {
  const end = forwarded === null ? '' : `  forwarded: ${forwarded.error ?? forwarded.status}`
  const identityParts = [identity?.event ?? '-', identity?.id ?? '-']
  return [receivedAt, outcome, ...identityParts, because ?? ''].join('  ').trimEnd() + end
}

function onListenError(port: number) {
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
