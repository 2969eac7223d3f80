import { describe, expect, onTestFinished, test } from 'vitest'
import { fileOverHttp } from '../../../src/http/client/download.ts'
import { overHttp } from '../../../src/http/client/http-transport.ts'
import { streamOverHttp } from '../../../src/http/client/sse-client.ts'
import { acceptCertificate, anHttp2Server, aReverseProxy, certificate } from '../../support/http/https-proxy.ts'
import { run } from '../../support/program/cli.ts'
import { remoteHome, served } from '../../support/worlds/served.ts'

const get = { method: 'GET', path: '/a', headers: {} }

/** Each way of reading from an https server, which returns what it has read. */
const ways = {
  async response(url: string) {
    const send = overHttp(url)
    onTestFinished(() => send.close())
    return (await send(get)).body
  },
  async file(url: string) {
    return fileOverHttp(new URL(`${url}/a`), async ({ bytes }) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    })
  },
  async stream(url: string) {
    const events: string[] = []
    const end = await streamOverHttp(url, get, ({ data }) => events.push(data))
    return JSON.stringify({ events, end })
  },
}

describe.each(Object.entries(ways))('a %s over https', (name, read) => {
  test('comes by HTTP/1.1 from a server that also speaks HTTP/2', async () => {
    acceptCertificate()
    const versions: string[] = []
    const port = await anHttp2Server((request, response) => {
      versions.push(request.httpVersion)
      response.setHeader('content-type', name === 'stream' ? 'text/event-stream' : 'application/json')
      response.end('data: whole\n\n')
    })
    expect(await read(`https://127.0.0.1:${port}`)).toContain('whole')
    expect(versions).toEqual(['1.1'])
  })

  test('is lost when the server cuts it off, with and without a length', async () => {
    acceptCertificate()
    for (const length of [{}, { 'content-length': '100' }]) {
      const port = await anHttp2Server((_request, response) => {
        response.writeHead(200, { 'content-type': name === 'stream' ? 'text/event-stream' : 'text/csv', ...length })
        response.write('data: half\n\ndata: ha')
        setTimeout(() => (response.stream ?? response.socket).destroy(), 20)
      })
      await expect(read(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'REMOTE_LOST' })
    }
  })

  test('is refused with a certificate that is not accepted', async () => {
    const port = await anHttp2Server((_request, response) => response.end('data: whole\n\n'))
    await expect(read(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ name: 'Problem' })
  })
})

test('a command reaches a platform over https, and says at once why it does not accept a certificate', async () => {
  const world = await served()
  const home = await remoteHome(world, { at: `https://127.0.0.1:${await aReverseProxy(() => world.url)}` })
  const trusting = { NODE_EXTRA_CA_CERTS: home.write('ca.pem', certificate) }
  const deposit = ['wallet', 'deposit', 'amy', '12.5', 'USD', '--create', '--yes']
  expect(await run(deposit, { home, env: trusting })).toMatchObject({ code: 0 })
  const refused = await run(['players', 'show', 'amy'], { home })
  expect(refused.code).toBe(7)
  expect(refused.stderr).toMatch(/is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* NODE_EXTRA_CA_CERTS/)
  expect(refused.stderr).not.toMatch(/attempt/)
})
