import { agent as agentContract, chat as chatContract } from '../../services/chat/api/contract.ts'
import { type ConversationLine, type RoomConversation, readConversation, readMessages, readRoomPage } from './parse.ts'
import type { ChatTransports } from './tickets-api.ts'
import { requestReply, type Written, written } from './tickets-request.ts'

/**
 * The room of a ticket on any instance. It is read through the agent API if there is an agent, else through the bot
 * API, and answered through the agent API.
 */
export interface RoomsApi {
  /** Returns the room and its newest messages, oldest first. */
  latest(roomId: string, count: number): Promise<RoomConversation>
  /** Returns our message with a key; `unknown` if the instance's messages have no keys. */
  find(roomId: string, key: string): Promise<Readonly<Record<string, unknown>> | 'none' | 'unknown'>
  /** True if an agent can reply here. */
  readonly canAnswer: boolean
  /** Replies to the customer once per key; rejected if there is a message after the given one. */
  answer(
    roomId: string,
    text: string,
    key: string,
    lastSeq: number | null,
  ): Promise<Written<ConversationLine | undefined>>
}

/** Messages per page, oldest first, by the document. */
const pageSize = 100
/** Maximum number of pages without a page count. */
const maxPages = 1_000

export function openRoomsApi({ bot, agent }: ChatTransports): RoomsApi {
  const bodyOf = (roomId: string, number: number): Promise<unknown> => {
    const params = { roomId }
    return agent
      ? requestReply(agentContract, agent.retrying, 'messages', { params, query: { page: number } })
      : requestReply(chatContract, bot.retrying, 'messages', { params, query: { page: number } })
  }
  const page = async (roomId: string, number: number) => readRoomPage(await bodyOf(roomId, number))
  return {
    async latest(roomId, count) {
      const room = agent ? await requestReply(agentContract, agent.retrying, 'room', { params: { roomId } }) : undefined
      let read = await page(roomId, 1)
      let number = 1
      let lines: readonly ConversationLine[] = read.lines
      // If the page count is known, pages in between are skipped.
      const last = read.pages
      if (last !== null && last > 2) {
        number = last - 2
        lines = []
      }
      while (read.lines.length >= pageSize && number < (last ?? maxPages)) {
        number++
        read = await page(roomId, number)
        lines = [...lines.slice(-count), ...read.lines]
      }
      return readConversation(room, lines.slice(-count))
    },
    async find(roomId, key) {
      let body = await bodyOf(roomId, 1)
      // The newest messages are on the last page; without a page count all pages are read.
      const { pages } = readRoomPage(body)
      for (let number = pages === null ? 2 : Math.max(2, pages - 1); number <= (pages ?? maxPages); number++) {
        const before = readMessages(body)
        if (before.some((message) => message['clientMessageId'] === key)) break
        if (pages === null && before.length < pageSize) break
        body = await bodyOf(roomId, number)
      }
      const messages = readMessages(body)
      const match = messages.find((message) => message['clientMessageId'] === key)
      if (match) return match
      const bearsKeys = messages.length === 0 || messages.some((message) => message['clientMessageId'] !== undefined)
      return bearsKeys ? 'none' : 'unknown'
    },
    canAnswer: agent !== undefined,
    async answer(roomId, text, key, lastSeq) {
      if (!agent) throw new Error('a reply needs an agent')
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
