import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ReceivedBytes } from '../../../src/http/client/received-bytes.ts'
import { overHttp } from '../../../src/http/client/transport.ts'

const parts = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

test('bodies that arrive at the same time are kept apart, of any size, in the memory of earlier ones', () => {
  const sizes = [0, 1, 16_384, 16_385, 700_000, 5_000_000]
  for (let round = 0; round < 3; round++) {
    const bodies = sizes.map((size, i) => ({ text: String((i + round) % 10).repeat(size), bytes: new ReceivedBytes() }))
    const arrivals = bodies.map(({ text, bytes }) => ({ bytes, rest: parts(text, 65_536) }))
    while (arrivals.some(({ rest }) => rest.length > 0))
      for (const { bytes, rest } of arrivals) {
        const part = rest.shift()
        if (part) bytes.add(part)
      }
    for (const { text, bytes } of bodies) {
      expect(bytes.size).toBe(text.length)
      expect(bytes.text() === text).toBe(true)
      bytes.release()
    }
  }
})

test('characters that are split between parts are whole', () => {
  const bytes = new ReceivedBytes()
  for (const part of parts('€ 王 🂡', 1)) bytes.add(part)
  expect(bytes.text()).toBe('€ 王 🂡')
})

test('a part that arrives after the release does not reach the next body', () => {
  const aborted = new ReceivedBytes()
  aborted.add(Buffer.from('first'))
  aborted.release()
  const next = new ReceivedBytes()
  next.add(Buffer.from('next'))
  aborted.add(Buffer.from('late'))
  aborted.release()
  expect(next.text()).toBe('next')
  expect(() => aborted.text()).toThrow('after their release')
})

test('a response in bytes has a text until its memory is released, and keeps one that was read before', async () => {
  const server = createServer((_, outgoing) => outgoing.end('€ 5'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = overHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await http.close()
    server.close()
  })
  const request = { method: 'GET', path: '/', headers: {}, takesBytes: true }
  const [read, unread] = [await http(request), await http(request)]
  expect(read.body).toBe('€ 5')
  expect(read.bytes?.all).toEqual(Buffer.from('€ 5'))
  read.bytes?.release()
  unread.bytes?.release()
  expect(read.body).toBe('€ 5')
  expect(() => read.bytes?.all).toThrow('after their release')
  expect(() => unread.body).toThrow('after their release')
})
