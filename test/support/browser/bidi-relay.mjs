#!/usr/bin/env node
// Starts Firefox and relays its WebDriver BiDi connection. Commands that this Firefox does not know yet, such as those of
// emulation, succeed without an effect: otherwise no page would open. Each is named once on stderr. Notes of a closed event
// stream are dropped: Firefox logs them as errors of the page's script.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const program = process.env['FIREFOX'] ?? 'firefox-esr'
const firefox = spawn(program, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal))
firefox.on('error', (error) => {
  process.stderr.write(`${program} cannot start: ${error.message}\n`)
  process.exit(1)
})
firefox.on('exit', (code) => process.exit(code ?? 0))

createInterface(firefox.stderr).on('line', (line) => {
  const [, address] = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line) ?? []
  if (address === undefined) process.stderr.write(`${line}\n`)
  else relay(address)
})

function relay(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`)
  })
  const named = new Set()
  server.on('connection', (client, request) => {
    const browser = new WebSocket(address + request.url, { perMessageDeflate: false })
    const isOpen = new Promise((resolve) => browser.once('open', resolve))
    const methods = new Map()
    client.on('message', async (data) => {
      await isOpen
      const text = data.toString()
      const { id, method } = JSON.parse(text)
      methods.set(id, method)
      browser.send(text)
    })
    browser.on('message', (data) => {
      const text = data.toString()
      if (text.includes('"log.entryAdded"') && /The connection to|establish a connection/.test(text)) return
      const message = text.includes('"unknown command"') ? JSON.parse(text) : undefined
      if (message?.error !== 'unknown command') return client.send(text)
      const method = methods.get(message.id)
      if (!named.has(method)) process.stderr.write(`Not in this Firefox: ${method}\n`)
      named.add(method)
      client.send(JSON.stringify({ id: message.id, type: 'success', result: { collector: 'none' } }))
    })
    client.on('close', () => browser.close())
    browser.on('close', () => client.close())
  })
}
