import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { keepFile, safeName } from '../../../operator/tickets/fetch-media.ts'
import { fileBehind, findFile } from '../../../operator/tickets/rooms/find-file.ts'
import type { CommandContext } from '../../context/context.ts'
import { outFile } from '../../terminal/out-file.ts'
import { checkedIds } from '../chat/ids.ts'

/** Downloads a file of a room, or of a link, and checks it against its message. */
export async function fetchFile(
  context: CommandContext,
  args: { readonly room: string; readonly media?: string | undefined },
  flags: { readonly out?: string | undefined; readonly force: boolean },
) {
  const isLink = /^https?:\/\//i.test(args.room)
  if (isLink && args.media !== undefined)
    throw new Problem('INVALID_USAGE', 'Pass either a link, or a room and a file ID')
  const media = isLink ? fileBehind(args.room) : await fileOfRoom(context, args)
  const name = safeName(media.fileName, media.mediaId ?? 'file')
  const file = outFile(flags.out ?? name, flags.force) ?? name
  const chat = await context.services.chat()
  const { bytes, sha256 } = await chat.fetchFile(media, (stream) => keepFile(stream, file, media), context.stop)
  context.log(`Wrote ${countText(bytes, 'byte')} to ${file}`)
  const { mediaId, fileName } = media
  return { file, mediaId, fileName, bytes, sha256, verified: media.sha256 !== null }
}

async function fileOfRoom(
  context: CommandContext,
  args: { readonly room: string; readonly media?: string | undefined },
) {
  const roomId = checkedIds([args.room], 'room')[0] ?? ''
  const { bot } = await context.services.chat()
  return findFile(bot.retrying, roomId, args.media)
}
