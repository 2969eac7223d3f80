import { chatAccept, full, small } from '../acceptance/chat.ts'
import { maxSentTimes } from '../acceptance/file.ts'
import { count, figure, isQuick, log } from './bench.ts'

/** The chat with broken connections and a killed server: guarantees instead of times, at full size. */
export async function breaking(): Promise<void> {
  const size = isQuick ? small : full
  const { conversation, file } = await chatAccept(size, log)
  // A single chunk sent twice is a larger part of a small file.
  const most = isQuick ? maxSentTimes(size.file) : 1.1
  const { cuts, kills, messages } = size.conversation
  const tallies = [conversation.customer, conversation.device, conversation.agent, conversation.listed]
  const total = (what: 'lost' | 'doubled' | 'outOfOrder') => tallies.reduce((sum, tally) => sum + tally[what], 0)
  const [lost, doubled, outOfOrder] = [total('lost'), total('doubled'), total('outOfOrder')]
  figure({
    what: `chat: ${count(messages)} messages to two devices, an agent and the list, ${count(conversation.cuts)} connections broken and the server killed ${conversation.kills} times`,
    measured: `${lost} lost, ${doubled} doubled, ${outOfOrder} out of order`,
    baseline: 'none',
    goal: `each once, in order; ${count(cuts)} disconnects, ${kills} kills`,
    isMet:
      lost + doubled + outOfOrder + conversation.resyncs === 0 &&
      conversation.cuts === cuts &&
      conversation.kills === kills,
  })
  figure({
    what: `chat: upload of ${size.file.mib} MiB, ${file.cuts} connections broken and the server killed ${file.kills} times, each in a chunk`,
    measured: `${file.isEqual ? 'equal' : 'another'} hash, ${file.sentTimes.toFixed(3)} times the bytes`,
    baseline: 'none',
    goal: `equal hash, at most ${Number(most.toFixed(2))} times the bytes; ${size.file.cuts} disconnects, ${size.file.kills} kills`,
    isMet:
      file.isEqual &&
      file.sentTimes <= most &&
      file.forgotten === 0 &&
      file.cuts === size.file.cuts &&
      file.kills === size.file.kills,
  })
}
