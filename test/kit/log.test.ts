import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The log's output, from a process of its own because it writes to stderr itself. */
function logged(detail: object): string {
  const file = new URL('../../src/kit/log.ts', import.meta.url).href
  const script = `const { openLog } = await import(${JSON.stringify(file)}); (await openLog('debug')).info(${JSON.stringify(detail)}, 'said')`
  const { stderr, status } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return stderr
}

test.each(['x-chat-apikey', 'x-chat-agenttoken', 'x-chat-room-token', 'x-api-key', 'x-signature', 'authorization'])(
  'the header %s is masked anywhere in a line of the log, and the text next to it is kept',
  (name) => {
    const line = logged({
      [name]: 'secret-1',
      headers: { [name]: 'secret-2', 'x-request-id': 'kept-1' },
      request: { headers: { [name]: 'secret-3', host: 'kept-2' } },
    })
    expect(line).not.toContain('secret-')
    for (const kept of ['kept-1', 'kept-2', 'said']) expect(line).toContain(kept)
    expect(line.match(/\*\*\*/g)).toHaveLength(3)
  },
)

test('keys and tokens of the chat are masked by their names in bodies too', () => {
  const line = logged({
    body: { apiKey: 'secret-1', agentToken: 'secret-2', roomToken: 'secret-3', ticket: 'secret-4', roomId: 'kept' },
  })
  expect(line).not.toContain('secret-')
  expect(line).toContain('kept')
})
