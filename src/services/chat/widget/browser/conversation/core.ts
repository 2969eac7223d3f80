import type { Context, Session, Strings } from '../context.ts'
import { Api } from './api.ts'
import { CurrentRoom } from './current-room.ts'
import { MessageList } from './message-list.ts'
import { StatusLines } from './status-lines.ts'
import { Tabs } from './tabs.ts'
import { Waits } from './waits.ts'

/** State and services that all parts of one conversation share. */
export class Core {
  readonly ctx: Context
  readonly session: Session
  readonly strings: Strings
  /** Aborted when the conversation ends. */
  readonly life = new AbortController()
  readonly waits = new Waits()
  readonly room: CurrentRoom
  readonly api: Api
  readonly tabs: Tabs
  readonly status: StatusLines
  readonly list: MessageList

  constructor(ctx: Context, session: Session, strings: Strings) {
    this.ctx = ctx
    this.session = session
    this.strings = strings
    this.room = new CurrentRoom(session)
    this.api = new Api(ctx, this.room)
    this.tabs = new Tabs(this)
    this.status = new StatusLines(this)
    this.list = new MessageList(this)
  }

  /** Returns the locale of dates and numbers: the page's, or that of the texts if they are in another language. */
  get locale(): string {
    const page = this.ctx.browserLanguage()
    const { lang } = this.strings
    return page.split('-')[0] === lang.split('-')[0] ? page : lang
  }

  get isStopped(): boolean {
    return this.life.signal.aborted
  }
}
