import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { realAmbient } from '../../../../kit/ambient.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import { noAgent } from '../../../../operator/tickets/no-agent.ts'
import { readPhrases } from '../../../../operator/tickets/text/phrases.ts'
import { WorkspaceRun } from '../../../../operator/tickets/workspace/run.ts'
import { customerOf, type WorkspaceState } from '../../../../operator/tickets/workspace/state.ts'
import { openWorkspaceStore } from '../../../../operator/tickets/workspace/store.ts'
import { openAgentClient } from '../../../../world/clients/agent-client.ts'
import type { CommandContext } from '../../../context/context.ts'
import { type FullScreen, openFullScreen, pasteKeys } from '../../../terminal/full-screen.ts'
import { type Keyboard, openKeyboard } from '../../../terminal/keyboard.ts'
import { openFileOutside } from '../../../terminal/open-url.ts'
import { oneLine } from '../../../terminal/text.ts'
import { undoWindowMs } from '../../chat/undo-window.ts'
import { BookServices } from '../../tickets/bulk/book-services.ts'
import { workspacePicture } from './picture.ts'

interface WorkspaceFlags {
  readonly macros?: string | undefined
  readonly files?: string | undefined
  readonly wait?: string | undefined
}

/** Exit code after SIGHUP, as shells report it. */
const hangUpExit = 129

/** Runs the agent's screen until it is closed, and returns what was answered. */
export async function runWorkspace(context: CommandContext, flags: WorkspaceFlags) {
  if (!context.screen.canAsk || context.settings.env['TERM'] === 'dumb')
    throw new Problem(
      'INVALID_USAGE',
      'rooms desk needs a terminal with a keyboard and a screen. Without one, use: countroom rooms list; countroom rooms watch; to read and answer one: countroom help rooms show; countroom help rooms reply',
    )
  const services = new BookServices(context)
  const agent = await context.services.agent()
  const [chat, clients, tickets, phrases] = await Promise.all([
    context.services.chat(),
    services.clients(),
    services.tickets(),
    readPhrases(context.settings.paths.config, flags.macros),
  ])
  const { listen, agent: line, access, fetchFile, now } = chat
  if (!listen || !line || !clients.agent) throw noAgent(access)
  const me = await agent.me({ query: {} })
  await services.lockWorkspace({ target: access.target, agent: me.agentId }, flags.wait)
  const { id: makeId } = realAmbient()
  const screen = openFullScreen(process.stderr)
  context.closeLater(() => screen.close())
  const keyboard = openKeyboard(process.stdin, process.stderr)
  context.closeLater(() => keyboard.close())
  const target = access.tenant ?? context.profile.name
  const view = new WorkspaceView(screen, (state) =>
    workspacePicture(state, screen, { paint: context.screen.paintErr, target }),
  )
  const run = new WorkspaceRun(
    {
      ...{ agent, listen, fetchFile, tickets, phrases, now, makeId },
      once: openAgentClient(line.once),
      transport: line.once,
      store: openWorkspaceStore(await services.book(), { target: access.target, agent: me.agentId }),
      openFile: openFileOutside,
      folder: resolve(flags.files ?? '.'),
      random: Math.random,
      stop: services.stop,
      onChange: (state) => view.show(state),
    },
    {
      ...{ me, undoWindowMs, now: await now(), isReadOnly: context.isDryRun },
      macros: phrases.macros.map(({ name }) => name),
      internalWords: phrases.internalWords,
    },
  )
  screen.onResize(() => view.show(run.state))
  context.screen.divert((text) => run.dispatch({ kind: 'notice', text: plain(text), isBad: false }))
  context.closeLater(() => context.screen.divert(undefined))
  void readKeys(keyboard, run, { view, makeId })
  const state = await runUntilExit(context, run)
  keyboard.close()
  screen.close()
  context.screen.divert(undefined)
  services.failIfLockLost(`${countText(state.sent, 'answer was', 'answers were')} sent`)
  return ended(context, state)
}

/**
 * Runs until the agent leaves, or the terminal is gone, as after a lost ssh connection: unsent text is then stored too.
 */
async function runUntilExit(context: CommandContext, run: WorkspaceRun): Promise<WorkspaceState> {
  const onHangUp = () => {
    context.exitWith(hangUpExit)
    run.dispatch({ kind: 'stop' })
  }
  process.once('SIGHUP', onHangUp)
  return run.run().finally(() => process.off('SIGHUP', onHangUp))
}

/** Removes the colors of a note. */
const plain = (text: string): string => stripVTControlCharacters(text)

/** Draws the state at most once per turn of the event loop, for any number of keys and events. */
class WorkspaceView {
  readonly #screen: FullScreen
  readonly #picture: (state: WorkspaceState) => ReturnType<typeof workspacePicture>
  #latest: WorkspaceState | undefined
  #sizes = { page: 1, maxScroll: 0 }

  constructor(screen: FullScreen, picture: (state: WorkspaceState) => ReturnType<typeof workspacePicture>) {
    this.#screen = screen
    this.#picture = picture
  }

  /** Size of the conversation in the last picture. */
  get sizes(): { readonly page: number; readonly maxScroll: number } {
    return this.#sizes
  }

  show(state: WorkspaceState): void {
    const isDue = this.#latest === undefined
    this.#latest = state
    if (isDue) setImmediate(() => this.#draw())
  }

  #draw(): void {
    const state = this.#latest
    this.#latest = undefined
    if (!state) return
    const picture = this.#picture(state)
    this.#sizes = picture
    this.#screen.draw(picture)
  }
}

/** Passes keys on until the end of input, which ends the screen like Ctrl-C. */
async function readKeys(
  keyboard: Keyboard,
  run: WorkspaceRun,
  { view, makeId }: { readonly view: WorkspaceView; readonly makeId: () => string },
): Promise<void> {
  let isPasted = false
  for (;;) {
    const key = await keyboard.key()
    if (key === undefined) return run.dispatch({ kind: 'stop' })
    if (key === pasteKeys.begin || key === pasteKeys.end) isPasted = key === pasteKeys.begin
    else run.dispatch({ kind: 'key', key: { key, isPasted, id: makeId(), ...view.sizes } })
  }
}

/** Prints what was done, and names what was not sent. */
function ended(context: CommandContext, state: WorkspaceState) {
  const nameOf = (roomId: string) => {
    const room = state.rooms.get(roomId)
    return room ? oneLine(customerOf(room)) : roomId
  }
  const drafts = [...state.drafts].filter(([, { text }]) => text.trim() !== '').map(([roomId]) => roomId)
  const waiting = state.outgoing.map(({ roomId }) => roomId)
  const unsent = [...new Set([...waiting, ...drafts])]
  const result = {
    sent: state.sent,
    rooms: state.answered.size,
    unsent: unsent.map((roomId) => ({ roomId, customer: nameOf(roomId) })),
  }
  context.fields({ sent: result.sent, rooms: result.rooms, unsent: unsent.length })
  if (unsent.length > 0)
    context.warn(
      `${countText(unsent.length, 'text was', 'texts were')} not sent (${unsent.slice(0, 5).map(nameOf).join(', ')}${unsent.length > 5 ? ', …' : ''}). They are kept for the next "countroom rooms desk"`,
    )
  return result
}
