import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class MediaFetch extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Download a file of a chat room'
  static override description = [
    'Identify the file by its room and the ID of the file or of its message (see "countroom rooms show"), or by its link. The file is written only if its size and checksum match those of the message. Its name is the original one, without path parts and misleading characters.',
    'The content comes from a customer: check it before you open it.',
  ].join('\n\n')
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
    const { fetchFile } = await import('../../src/cli/topics/media/fetch-file.ts')
    return fetchFile(this, args, flags)
  }
}
