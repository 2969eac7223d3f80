import { createParser } from 'eventsource-parser'
import { Problem } from '../../kit/problem.ts'
import { remoteCodes } from '../contract/wire-types.ts'

export interface ServerEvent {
  /** Position from which a reader with this event resumes; absent for events that cannot be resumed from. */
  readonly id?: string
  readonly event: string
  readonly data: string
}

/** Maximum size of an event or a line, in characters. */
const maxBufferSize = 4 * 1024 * 1024

/** Returns a function that takes the text of a stream in pieces of any size and passes on its events. */
export function eventReader(take: (event: ServerEvent) => void): (text: string) => void {
  let lineLength = 0
  const parser = createParser({
    maxBufferSize,
    onEvent: ({ id, event = 'message', data }) => take({ ...(id === undefined ? {} : { id }), event, data }),
    onError: (error) => {
      // Unknown fields are ignored, as the standard says.
      if (error.type === 'max-buffer-size-exceeded') throw notEvents()
    },
  })
  return (text) => {
    // The parser skips lines without a known field at any length, so their length is limited here.
    lineLength = /[\r\n]/.test(text) ? 0 : lineLength + text.length
    if (lineLength > maxBufferSize) throw notEvents()
    parser.feed(text)
  }
}

function notEvents(): Problem {
  return new Problem(remoteCodes.unintelligible, 'The response is not a stream of events')
}
