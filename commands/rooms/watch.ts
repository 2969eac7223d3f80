import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags } from '../../src/cli/framework/flags.ts'
import { roomFlag } from '../../src/cli/topics/chat/ids.ts'
import {
  watchCompletes,
  watchExits,
  watchFiles,
  watchFlags,
  watchResult,
} from '../../src/cli/topics/rooms/watch-flags.ts'

export default class RoomsWatch extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Follow events of rooms and tickets'
  static override description =
    'Prints one line per event; with --json, one JSON object per line and a summary as the last line. Resumes after lost connections and server restarts without gaps or duplicates. With --cursor FILE, the next run continues where this one ended. Ends on a signal, or after --count events.'
  static override examples = [
    'countroom rooms watch --count 1',
    {
      command: 'countroom rooms watch --json --cursor rooms.cursor',
      description: 'Process every event once, in a script',
    },
  ]
  static override exits = watchExits
  static override streams = true
  static override completes = watchCompletes
  static override files = watchFiles
  static override flags = {
    room: roomFlag('Events of this room only'),
    ...watchFlags,
  }
  static override data = watchResult

  override async run() {
    const { flags } = await this.parse(RoomsWatch)
    const { followRooms } = await import('../../src/cli/topics/rooms/follow-events.ts')
    return followRooms(this, flags)
  }
}
