import { roomFlag } from '../../src/cli/topics/chat/ids.ts'
import { ChatWatchCommand, roomOf, watchFlags } from '../../src/cli/topics/rooms/watch-command.ts'

export default class RoomsWatch extends ChatWatchCommand {
  static override summary = 'Follow events of rooms and tickets'
  static override description =
    'Prints one line per event; with --json, one JSON object per line and a summary as the last line. Resumes after lost connections and server restarts without gaps or duplicates. With --cursor FILE, the next run continues where this one ended. Ends on a signal, or after --count events.'
  static override examples = [
    'countroom rooms watch --count 1',
    {
      command: 'countroom rooms watch --json --cursor desk.cursor',
      description: 'Process every event once, in a script',
    },
  ]
  static override flags = {
    room: roomFlag('Events of this room only'),
    ...watchFlags,
  }

  override async run() {
    const { flags } = await this.parse(RoomsWatch)
    return this.follow(flags, ({ data }) => flags.room === undefined || roomOf(data) === flags.room)
  }
}
