import { agent as agentContract, chat as chatContract } from '../../services/chat/api/contract.ts'
import { type RoomTalk, readMessages, readRoomPage, readTalk, type TalkLine } from './parse.ts'
import type { DeskWays } from './tickets-api.ts'
import { asked, type Written, written } from './tickets-request.ts'

/** The room behind a ticket, on whatever instance: read with the key of the bot API, answered from the agents' side alone. */
export interface DeskRooms {
  /** How the room stands and what was said in it last, oldest first. */
  latest(roomId: string, count: number): Promise<RoomTalk>
  /** The message of ours under that key, as it came; `cannot-tell` where the instance's messages bear no such keys. */
  find(roomId: string, key: string): Promise<Readonly<Record<string, unknown>> | 'none' | 'cannot-tell'>
  /** Whether an agent can answer here. */
  readonly canAnswer: boolean
  /** Answers the customer, once under that key; refused when somebody wrote after the message of that number. */
  answer(roomId: string, text: string, key: string, lastSeq: number | null): Promise<Written<TalkLine | undefined>>
}

/** The document gives messages a hundred a page, oldest first. */
const pageSize = 100
/** A room longer than this is not read through for its latest words. */
const mostPages = 1_000

export function openDeskRooms({ bot, agent }: DeskWays): DeskRooms {
  const bodyOf = (roomId: string, number: number): Promise<unknown> => {
    const params = { roomId }
    return agent
      ? asked(agentContract, agent.retrying, 'messages', { params, query: { page: number } })
      : asked(chatContract, bot.retrying, 'messages', { params, query: { page: number } })
  }
  const page = async (roomId: string, number: number) => readRoomPage(await bodyOf(roomId, number))
  return {
    async latest(roomId, count) {
      const room = agent ? await asked(agentContract, agent.retrying, 'room', { params: { roomId } }) : undefined
      let read = await page(roomId, 1)
      let number = 1
      let lines: readonly TalkLine[] = read.lines
      // Where the instance tells how many pages there are, those between are not read.
      const last = read.pages
      if (last !== null && last > 2) {
        number = last - 2
        lines = []
      }
      while (read.lines.length >= pageSize && number < (last ?? mostPages)) {
        number++
        read = await page(roomId, number)
        lines = [...lines.slice(-count), ...read.lines]
      }
      return readTalk(room, lines.slice(-count))
    },
    async find(roomId, key) {
      let body = await bodyOf(roomId, 1)
      // What was written just now is at the end; where the instance does not tell how many pages there are, they are turned.
      const { pages } = readRoomPage(body)
      for (let number = pages === null ? 2 : Math.max(2, pages - 1); number <= (pages ?? mostPages); number++) {
        const before = readMessages(body)
        if (before.some((message) => message['clientMessageId'] === key)) break
        if (pages === null && before.length < pageSize) break
        body = await bodyOf(roomId, number)
      }
      const messages = readMessages(body)
      const found = messages.find((message) => message['clientMessageId'] === key)
      if (found) return found
      const bearsKeys = messages.length === 0 || messages.some((message) => message['clientMessageId'] !== undefined)
      return bearsKeys ? 'none' : 'cannot-tell'
    },
    canAnswer: agent !== undefined,
    async answer(roomId, text, key, lastSeq) {
      if (!agent) throw new Error('there is nobody to answer as')
      return written(
        agentContract,
        agent.retrying,
        'reply',
        {
          params: { roomId },
          body: { text, clientMessageId: key, ...(lastSeq === null ? {} : { expectedLastSeq: lastSeq }) },
        },
        (body) => readRoomPage({ items: [body] }).lines[0],
      )
    },
  }
}
