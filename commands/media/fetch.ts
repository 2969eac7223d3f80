import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { outFile } from '../../src/cli/terminal/out-file.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
import { checkedIds } from '../../src/cli/topics/chat/ids.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Announced } from '../../src/operator/tickets/fetch-media.ts'

/** A file as a message carries it. */
interface Carried extends Announced {
  readonly mediaId: string | null
  readonly fileName: string
  readonly link: string
}

/** A room longer than this is not read through for one file. */
const mostPages = 10_000

export default class MediaFetch extends ChatCommand {
  static override summary = 'Fetch a file a customer or an agent sent'
  static override description =
    'The file is named by its room and the id of the file or of its message ("countroom rooms show" tells them), or by its link. It is written whole or not at all: size and checksum are those the message announced, and a file that is there is left alone without --force. The name is the sent one without anything that leads elsewhere or hides what it is. What is inside was written by somebody else: look before you open it.'
  static override examples = [
    'countroom media fetch room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 med_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    {
      command: 'countroom media fetch room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --out receipt.png',
      description: 'The latest file of the room',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override completes = { out: 'files' }
  static override files = ['--out: written whole or not at all, over a file that is there only with --force']
  static override args = {
    room: Args.string({ required: true, description: 'The room, or the link to the file' }),
    media: Args.string({ description: 'The id of the file or of its message; the latest file without' }),
  }
  static override flags = {
    out: Flags.string({ summary: 'Where to write; its own name, here, without', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite a file that is there' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      file: Type.String(),
      mediaId: Type.Union([Type.String(), Type.Null()]),
      fileName: Type.String({ description: 'As it was sent' }),
      bytes: Type.Integer(),
      sha256: Type.String(),
      verified: Type.Boolean({ description: 'Whether a checksum was announced, and is this one' }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(MediaFetch)
    const isLink = /^https?:\/\//i.test(args.room)
    if (isLink && args.media !== undefined)
      throw new Problem('INVALID_USAGE', 'A link names its file already: leave the second argument out')
    const carried = isLink ? behind(args.room) : await this.#find(checkedIds([args.room], 'room')[0] ?? '', args.media)
    const { safeName, keepFile } = await import('../../src/operator/tickets/fetch-media.ts')
    const name = safeName(carried.fileName, carried.mediaId ?? 'file')
    const file = outFile(flags.out ?? name, flags.force) ?? name
    const { fetchFile } = await this.chat()
    const { bytes, sha256 } = await fetchFile(carried, (stream) => keepFile(stream, file, carried), this.stop)
    this.log(`${bytes} bytes in ${file}`)
    const { mediaId, fileName } = carried
    return { file, mediaId, fileName, bytes, sha256, verified: carried.sha256 !== null }
  }

  /** Looks through the messages of the room, which the document gives to whoever has the key. */
  async #find(roomId: string, wanted: string | undefined): Promise<Carried> {
    const [{ bot }, { asked }, { readFiles }, contracts] = await Promise.all([
      this.chat(),
      import('../../src/operator/tickets/tickets-request.ts'),
      import('../../src/operator/tickets/parse.ts'),
      import('../../src/services/chat/api/contract.ts'),
    ])
    let latest: Carried | undefined
    for (let page = 1; page <= mostPages; page++) {
      const body = await asked(contracts.chat, bot.patient, 'messages', { params: { roomId }, query: { page } })
      const { files, count } = readFiles(body)
      const found = files.find(
        ({ mediaId, messageId }) => wanted !== undefined && [mediaId, messageId].includes(wanted),
      )
      if (found) return found
      latest = files.at(-1) ?? latest
      if (count < 100) break
    }
    if (wanted === undefined && latest) return latest
    throw new Problem(
      'NOT_FOUND',
      wanted === undefined
        ? 'No message of the room carries a file'
        : `No message of the room carries a file ${wanted}`,
      { roomId, remoteCode: null },
    )
  }
}

function behind(link: string): Carried {
  if (!URL.canParse(link)) throw new Problem('INVALID_USAGE', 'That is no link')
  const { pathname } = new URL(link)
  const last = pathname.split('/').at(-1) ?? ''
  return { link, mediaId: last === '' ? null : last, fileName: last, sizeBytes: null, sha256: null }
}
