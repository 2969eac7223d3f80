import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { overHttp } from '../../src/http/client/transport.ts'

const post = { method: 'POST', path: '/', headers: {}, body: '{}' }

async function listening(host: string, port: number, answer: RequestListener) {
  const server = createServer(answer).listen(port, host)
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a connection goes to exactly the checked address: there is one look-up, so a name cannot resolve to another address later', async () => {
  const visits: string[] = []
  const port = await listening('127.0.0.1', 0, (_, response) => response.end(void visits.push('judged')))
  await listening('127.0.0.2', port, (_, response) => response.end(void visits.push('elsewhere')))
  const answers = ['127.0.0.1', '127.0.0.2']
  let lookups = 0
  const lookup: LookupFunction = (_name, _options, done) => {
    done(null, [{ address: answers[lookups++] ?? '127.0.0.2', family: 4 }])
  }
  const send = overHttp(`http://localhost:${port}`, { admits: (address) => address === '127.0.0.1', lookup })
  onTestFinished(() => send.close())
  expect((await send(post)).status).toBe(200)
  expect([visits, lookups]).toEqual([['judged'], 1])
  const again = overHttp(`http://localhost:${port}`, { admits: (address) => address === '127.0.0.1', lookup })
  onTestFinished(() => again.close())
  await expect(again(post)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE', detail: { outcome: 'none' } })
  expect(visits).toEqual(['judged'])
})

test('of several addresses only the allowed ones are tried', async () => {
  const port = await listening('127.0.0.1', 0, (_, response) => response.end())
  const lookup: LookupFunction = (_name, _options, done) => {
    done(
      null,
      ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })),
    )
  }
  const send = overHttp(`http://localhost:${port}`, { admits: (address) => address === '127.0.0.1', lookup })
  onTestFinished(() => send.close())
  expect((await send(post)).status).toBe(200)
})

test('a caller that needs only the status gets it: an overlong response is cut, and an incomplete one is accepted', async () => {
  const answers: RequestListener[] = [
    (_, response) => response.end('x'.repeat(1000)),
    (_, response) => {
      response.writeHead(201, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
    },
  ]
  const port = await listening('127.0.0.1', 0, (request, response) => answers.shift()?.(request, response))
  const send = overHttp(`http://127.0.0.1:${port}`, { largestReply: 100, cutsReply: true })
  onTestFinished(() => send.close())
  expect((await send(post)).status).toBe(200)
  expect(await send(post)).toMatchObject({ status: 201, body: 'half' })
})
