import { expect, onTestFinished, test } from 'vitest'
import { proxyUrl } from '../../../src/http/client/agent/proxy.ts'
import { type FileStream, fileOverHttp } from '../../../src/http/client/download.ts'
import { type HttpOptions, overHttp } from '../../../src/http/client/http-transport.ts'
import { streamOverHttp } from '../../../src/http/client/sse-client.ts'
import { proxyOf } from '../../../src/world/config/http-options.ts'
import { aConnectProxy } from '../../support/http/connect-proxy.ts'
import { acceptCertificate, anHttp2Server, aReverseProxy, certificate } from '../../support/http/https-proxy.ts'
import { run } from '../../support/program/cli.ts'
import { remoteHome, served } from '../../support/worlds/served.ts'

const get = { method: 'GET', path: '/a', headers: {} }

/** An https platform whose name only a proxy can look up, and the number of its requests. */
async function aPlatform(contentType = 'application/json') {
  acceptCertificate()
  const seen = { requests: 0, versions: new Set<string>() }
  const port = await anHttp2Server((request, response) => {
    seen.requests++
    seen.versions.add(request.httpVersion)
    response.setHeader('content-type', contentType)
    response.end('data: whole\n\n')
  })
  return { seen, port, url: `https://platform.test:${port}` }
}

function opened(url: string, options: HttpOptions = {}) {
  const send = overHttp(url, options)
  onTestFinished(() => send.close())
  return send
}

test('requests, files and streams go through the proxy, with its password, by HTTP/1.1', async () => {
  const { url, seen, port } = await aPlatform('text/event-stream')
  const one = await aConnectProxy()
  const proxy = { https: one.url.replace('//', '//mia:s%40cret@'), except: 'other.test' }
  expect((await opened(url, { proxy })(get)).body).toContain('whole')
  const read = async ({ bytes }: FileStream) => {
    let sum = 0
    for await (const chunk of bytes) sum += chunk.length
    return sum
  }
  expect(await fileOverHttp(new URL(`${url}/a`), read, { proxy })).toBe('data: whole\n\n'.length)
  const events: string[] = []
  await streamOverHttp(url, get, ({ data }) => events.push(data), { proxy })
  expect(events).toEqual(['whole'])
  const authorization = `Basic ${Buffer.from('mia:s@cret').toString('base64')}`
  expect(one.tunnels).toEqual(Array(3).fill({ host: `platform.test:${port}`, authorization }))
  expect([...seen.versions]).toEqual(['1.1'])
})

test('excepted hosts, this machine and checked addresses are reached without it', async () => {
  const { port, url, seen } = await aPlatform()
  const one = await aConnectProxy()
  const proxy = { https: one.url, except: '' }
  const excepted = opened(url, { proxy: { ...proxy, except: 'other.example, .test' } })
  await expect(excepted(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  expect((await opened(`https://127.0.0.1:${port}`, { proxy })(get)).status).toBe(200)
  expect((await opened(`https://localhost:${port}`, { proxy })(get)).status).toBe(200)
  // Not even a wrong proxy matters for these.
  const wrong = { https: 'socks5://a.example', except: '' }
  expect((await opened(`https://127.0.0.1:${port}`, { proxy: wrong })(get)).status).toBe(200)
  const checked = opened(url, { proxy, admits: () => true })
  await expect(checked(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  expect(one.tunnels).toEqual([])
  expect(seen.requests).toBe(3)
})

test('a proxy that refuses or is away is named, and nothing was sent', async () => {
  const { url, seen } = await aPlatform()
  for (const status of [403, 407, 502]) {
    const proxy = { https: (await aConnectProxy(status)).url, except: '' }
    await expect(opened(url, { proxy })({ ...get, method: 'POST', body: '{}' })).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: `The proxy (HTTPS_PROXY) opened no connection to ${url} (${status})`,
      detail: { outcome: 'none' },
    })
  }
  await expect(opened(url, { proxy: { https: 'http://127.0.0.1:9', except: '' } })(get)).rejects.toMatchObject({
    code: 'REMOTE_UNREACHABLE',
    message: `Cannot reach ${url} (ECONNREFUSED). HTTPS_PROXY is set`,
    detail: { outcome: 'none' },
  })
  expect(seen.requests).toBe(0)
})

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: '' }, undefined],
  [{ HTTP_PROXY: 'http://a.example' }, undefined],
  [{ https_proxy: '', HTTPS_PROXY: 'a.example' }, undefined],
  [{ HTTPS_PROXY: 'a.example' }, { https: 'a.example', except: '' }],
  [
    { https_proxy: 'b.example', HTTPS_PROXY: 'a.example', no_proxy: '.b', NO_PROXY: '.a' },
    { https: 'b.example', except: '.b' },
  ],
])('%j has the proxy %j', (env, proxy) => {
  expect(proxyOf(env)).toEqual(proxy)
})

test.each([
  ['http://a.example:3128', 'http://a.example:3128/'],
  ['a.example:3128', 'http://a.example:3128/'],
  ['https://a.example', 'https://a.example/'],
])('the proxy "%s" is %s', (https, url) => {
  expect(proxyUrl({ https, except: '' })).toBe(url)
})

test.each(['socks5://a.example', 'http://', 'a b', 'ftp://a.example'])('"%s" is no proxy', (https) => {
  expect(() => proxyUrl({ https, except: '' })).toThrow(/^HTTPS_PROXY is not the URL/)
})

test('a command reaches its platform through the proxy, and names a wrong one', async () => {
  const world = await served()
  const at = `https://platform.test:${await aReverseProxy(() => world.url)}`
  const home = await remoteHome(world, { at })
  const proxy = await aConnectProxy()
  const env = { NODE_EXTRA_CA_CERTS: home.write('ca.pem', certificate), HTTPS_PROXY: proxy.url }
  expect(await run(['account', 'show'], { home, env })).toMatchObject({ code: 0 })
  expect(proxy.tunnels.length).toBeGreaterThan(0)
  const wrong = await run(['account', 'show'], { home, env: { ...env, HTTPS_PROXY: 'socks5://127.0.0.1:9' } })
  expect(wrong).toMatchObject({ code: 78, stderr: expect.stringMatching(/HTTPS_PROXY is not the URL/) })
})
