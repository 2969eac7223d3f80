import type { Answer } from './api.ts'

export interface StreamEvent {
  readonly event: string
  readonly data: Answer
  readonly id: string | undefined
}

/** Reads server-sent events from a response body. `onBytes` is called for every chunk, including heartbeats. */
export async function* eventsOf(body: ReadableStream<BufferSource>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() || ''
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
      const event = field('event')
      if (event) yield { event, data: JSON.parse(field('data') || ''), id: field('id') }
    }
  }
}
