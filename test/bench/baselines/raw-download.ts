import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { signTenantRequest } from '../../../src/domain/signing.ts'

/**
 * The baseline of `bets sync`: downloads every signed page one after the other, and only reads the next cursor from it.
 * A process of its own: `node raw-download.ts READY_FILE FROM`.
 */
const [readyFile = '', from = ''] = process.argv.slice(2)
const { baseUrl, casino } = JSON.parse(readFileSync(readyFile, 'utf8'))
const { apiKey, secret } = casino.live
const dispatcher = new Agent({ keepAliveTimeout: 10_000, pipelining: 1 })
let bytes = 0
let pages = 0
let rows = 0
for (let next = `from=${encodeURIComponent(from)}`, more = true; more; ) {
  const url = `/api/tenant/v1/bets?limit=1000&${next}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const signature = signTenantRequest(secret, { method: 'GET', url, timestamp, nonce, body: '' })
  const { body, statusCode } = await request(baseUrl + url, {
    dispatcher,
    headers: { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature },
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 300)}`)
  const tail = text.slice(-200)
  next = `cursor=${/"nextCursor":"([0-9.]+)"/.exec(tail)?.[1]}`
  more = tail.includes('"hasMore":true')
  bytes += text.length
  pages += 1
  rows += text.split('"slipId"').length - 1
}
process.stdout.write(JSON.stringify({ bytes, pages, rows }))
await dispatcher.close()
