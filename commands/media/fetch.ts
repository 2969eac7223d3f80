import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile } from '../../src/cli/terminal/out-file.ts'
import { checkedIds } from '../../src/cli/topics/chat/ids.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Announced } from '../../src/operator/tickets/fetch-media.ts'

/** A file of a message. */
interface Carried extends Announced {
  readonly mediaId: string | null
  readonly fileName: string
  readonly link: string
}

/** Maximum number of pages of a room that are searched for a file. */
const mostPages = 10_000

export default class MediaFetch extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Download a file of a chat room'
  static override description =
    'Name the file by its room and the ID of the file or of its message (see "countroom rooms show"), or by its link. The file is written only if size and checksum match those of the message. The file name is the original one, without path parts and misleading characters. The content comes from a stranger: check it before you open it.'
  static override examples = [
    'countroom media fetch room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 med_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    {
      command: 'countroom media fetch room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --out receipt.png',
      description: 'Download the newest file of the room',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override completes = { out: 'files' }
  static override files = ['--out: written atomically; an existing file only with --force']
  static override args = {
    room: Args.string({ required: true, description: 'Room ID, or link to the file' }),
    media: Args.string({ description: 'ID of the file or of its message (default: the newest file)' }),
  }
  static override flags = {
    out: Flags.string({ summary: 'Output file (default: the original name, in this folder)', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing file' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      file: Type.String(),
      mediaId: Type.Union([Type.String(), Type.Null()]),
      fileName: Type.String({ description: 'Original file name' }),
      bytes: Type.Integer(),
      sha256: Type.String(),
      verified: Type.Boolean({ description: 'True if the message has a checksum and the file matches it.' }),
    })

  override async run() {
    const { args, flags } = await this.parse(MediaFetch)
    const isLink = /^https?:\/\//i.test(args.room)
    if (isLink && args.media !== undefined)
      throw new Problem('INVALID_USAGE', 'Pass either a link, or a room and a file ID')
    const carried = isLink ? behind(args.room) : await this.#find(checkedIds([args.room], 'room')[0] ?? '', args.media)
    const { safeName, keepFile } = await import('../../src/operator/tickets/fetch-media.ts')
    const name = safeName(carried.fileName, carried.mediaId ?? 'file')
    const file = outFile(flags.out ?? name, flags.force) ?? name
    const { fetchFile } = await this.services.chat()
    const { bytes, sha256 } = await fetchFile(carried, (stream) => keepFile(stream, file, carried), this.stop)
    this.log(`Wrote ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} to ${file}`)
    const { mediaId, fileName } = carried
    return { file, mediaId, fileName, bytes, sha256, verified: carried.sha256 !== null }
  }

  /** Searches the messages of the room for the file. */
  async #find(roomId: string, wanted: string | undefined): Promise<Carried> {
    const [{ bot }, { requestReply }, { readFiles }, contracts] = await Promise.all([
      this.services.chat(),
      import('../../src/operator/tickets/tickets-request.ts'),
      import('../../src/operator/tickets/parse.ts'),
      import('../../src/services/chat/api/contract.ts'),
    ])
    let latest: Carried | undefined
    for (let page = 1; page <= mostPages; page++) {
      const body = await requestReply(contracts.chat, bot.retrying, 'messages', { params: { roomId }, query: { page } })
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
      wanted === undefined ? 'The room has no file' : `The room has no file or message ${wanted}`,
      { roomId, remoteCode: null },
    )
  }
}

function behind(link: string): Carried {
  if (!URL.canParse(link)) throw new Problem('INVALID_USAGE', 'Not a valid link')
  const { pathname } = new URL(link)
  const last = pathname.split('/').at(-1) ?? ''
  return { link, mediaId: last === '' ? null : last, fileName: last, sizeBytes: null, sha256: null }
}
