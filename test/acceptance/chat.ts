import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Served, served, workbench } from '../support/program/processes.ts'
import { requestJsonUntilDone } from './asking.ts'
import { type BreakingConnection, breakingConnection } from './breaking-connection.ts'
import { type ConversationOutcome, type ConversationSize, conversation, type Tally } from './conversation.ts'
import { type FileOutcome, type FileSize, sendFile } from './file.ts'

/**
 * A conversation and a file over connections that break repeatedly, with a server that is killed while it works. Every
 * message arrives once and in order, on streams and in the list. The file is byte for byte the sent one, and little of
 * it is sent twice.
 */
export interface ChatSize {
  readonly conversation: ConversationSize
  readonly file: FileSize
}

export const full: ChatSize = {
  conversation: { messages: 5_000, cuts: 1_000, kills: 10 },
  file: { mib: 50, cuts: 50, kills: 3 },
}
export const small: ChatSize = {
  conversation: { messages: 80, cuts: 40, kills: 2 },
  file: { mib: 2, cuts: 4, kills: 1 },
}

export interface ChatOutcome {
  readonly conversation: ConversationOutcome
  readonly file: FileOutcome
}

/** A room of a served world, and the faults that can happen to it. */
export interface ChatSetup {
  readonly room: { readonly roomId: string; readonly roomToken: string }
  readonly chat: { readonly apiKey: string; readonly tenantKey: string; readonly agentToken: string }
  /** Connects to the server that is running. */
  connection(): Promise<BreakingConnection>
  /** Kills the server immediately; resolves when another process serves the same world. */
  killAndServe(): Promise<void>
}

export async function chatAccept(size: ChatSize, log: (text: string) => void = () => {}): Promise<ChatOutcome> {
  const { folder, env, done } = workbench('chat-acceptance')
  const connections: BreakingConnection[] = []
  const serve = () => served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit', '--quiet'])
  let world: Served = await serve()
  try {
    const { chat } = JSON.parse(readFileSync(world.readyFile, 'utf8'))
    const room = await requestJsonUntilDone(`${world.baseUrl}/api/public/v1/rooms`, {
      method: 'POST',
      headers: { 'x-chat-apikey': chat.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ customerAccount: 'amy' }),
    })
    const setup: ChatSetup = {
      room,
      chat,
      async connection() {
        const connection = await breakingConnection()
        connection.leadTo(world.baseUrl)
        connections.push(connection)
        return connection
      },
      async killAndServe() {
        for (const connection of connections) connection.leadTo(undefined)
        await world.kill()
        world = await serve()
        for (const connection of connections) connection.leadTo(world.baseUrl)
      },
    }
    log(`${size.conversation.messages} messages, ${size.conversation.cuts} cuts, ${size.conversation.kills} kills`)
    const result = await conversation(size.conversation, setup)
    log(`a file of ${size.file.mib} MiB, ${size.file.cuts} cuts, ${size.file.kills} kills`)
    return { conversation: result, file: await sendFile(size.file, setup) }
  } finally {
    for (const connection of connections) await connection.close()
    await world.stop()
    done()
  }
}

const whole: Tally = { lost: 0, doubled: 0, outOfOrder: 0 }

/** Throws if a guarantee is violated. The file may have been sent at most this many times. */
export function held({ conversation: result, file }: ChatOutcome, size: ChatSize, most: number): void {
  const { cuts, kills } = size.conversation
  assert.deepEqual(result, { customer: whole, device: whole, agent: whole, listed: whole, resyncs: 0, cuts, kills })
  const { sentTimes, ...rest } = file
  assert.deepEqual(rest, { isEqual: true, forgotten: 0, cuts: size.file.cuts, kills: size.file.kills })
  assert(sentTimes >= 1 && sentTimes <= most, `of the file ${sentTimes} times its bytes were sent, at most ${most}`)
}

if (process.argv[1] === import.meta.filename) {
  const begun = performance.now()
  const outcome = await chatAccept(full, (text) => process.stderr.write(`${text}\n`))
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${JSON.stringify({ ...outcome, seconds }, null, 2)}\n`)
  held(outcome, full, 1.1)
}
