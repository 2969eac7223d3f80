import { onTestFinished } from 'vitest'

export interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: each test reads other fields
  readonly data: any
}

/** A reader of server-sent events over a real socket. */
export interface Ear {
  readonly status: number
  readonly headers: Headers
  /** All events so far. */
  readonly events: ReceivedEvent[]
  /** The next event that was not returned yet; rejects when the stream ends before. */
  next(event?: string): Promise<ReceivedEvent>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  /** The raw text, heartbeats included. */
  text(): string
  cut(): void
}

export async function listen(url: string, headers: Record<string, string>, lastEventId?: string): Promise<Ear> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: controller.signal,
  })
  onTestFinished(() => controller.abort())
  const events: ReceivedEvent[] = []
  let text = ''
  let position = 0
  let isOver = false
  let wake = () => {}
  const ended = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        const piece = decoder.decode(chunk, { stream: true })
        text += piece
        rest += piece
        for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
          const fields = new Map(
            rest
              .slice(0, end)
              .split('\n')
              .map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)] as const),
          )
          rest = rest.slice(end + 2)
          const event = fields.get('event')
          if (event !== undefined)
            events.push({ id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? '') })
        }
        wake()
      }
    } catch {
      // Closed by the test or by the server: either way it is over.
    }
    isOver = true
    wake()
  })()
  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    text: () => text,
    cut: () => controller.abort(),
    async next(event) {
      for (;;) {
        while (position < events.length) {
          const one = events[position++]
          if (one && (event === undefined || one.event === event)) return one
        }
        if (isOver) throw new Error(`the stream ended; heard ${JSON.stringify(events)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
