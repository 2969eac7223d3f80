import { roomFlag } from '../../src/cli/topics/chat/ids.ts'
import { DeskWatchCommand, roomOf, watchFlags } from '../../src/cli/topics/rooms/watch-command.ts'

export default class RoomsWatch extends DeskWatchCommand {
  static override summary = 'Follow what happens in the rooms and tickets of the desk, as it happens'
  static override description =
    'A line for each event; with --json one JSON object a line, and the usual object as the last. Lost lines and restarts of the server are gone on from without a gap or a repetition. With --cursor FILE the next run begins where this one ended, so a script hears everything once. Ends on a signal, or after --count events.'
  static override examples = [
    'countroom rooms watch --count 1',
    { command: 'countroom rooms watch --json --cursor desk.cursor', description: 'For a program that wants all of it' },
  ]
  static override flags = {
    room: roomFlag('Only what happens in this room'),
    ...watchFlags,
  }

  override async run() {
    const { flags } = await this.parse(RoomsWatch)
    return this.follow(flags, ({ data }) => flags.room === undefined || roomOf(data) === flags.room)
  }
}
