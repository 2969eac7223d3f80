import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { ResponseFault } from '../../../src/domain/faults.ts'
import { applyFault } from '../../../src/http/server/fault-injection.ts'
import { aLibrary } from '../library.ts'

test.each<ResponseFault>([{ kind: 'hang' }, { kind: 'late', ms: 3_600_000 }])(
  'the fault $kind does not wait for a client that has disconnected before',
  async (fault) => {
    const raw = new IncomingMessage(new Socket())
    const out = new ServerResponse(raw)
    const closed = once(out, 'close')
    out.destroy()
    await closed
    await applyFault(fault, {
      raw,
      out,
      contract: aLibrary().contract,
      requestId: 'r1',
      answer: async () => ({ status: 200, headers: {}, body: '{}' }),
      send: () => {},
      closing: new AbortController().signal,
    })
    expect(out.headersSent).toBe(false)
  },
)
