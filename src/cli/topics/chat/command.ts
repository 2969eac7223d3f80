import { toRequest } from '../../../http/client/client.ts'
import type { Contract, Input } from '../../../http/contract/contract.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { ChatClients } from '../../../world/clients/chat.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { globalFlags, maxWaitFlag } from '../../framework/flags.ts'
import { bannerOf } from '../../framework/profile-banner.ts'
import type { PlannedRequest } from '../../outcome/dry-run.ts'
import { exchangeText, retryText } from '../../outcome/request-log.ts'
import { printable } from '../../terminal/text.ts'

/** What the commands of rooms and tickets stand on: the ways to the profile's chat. */
export abstract class ChatCommand extends CountroomCommand {
  static override baseFlags = { ...globalFlags, ...maxWaitFlag }

  #chat: Promise<ChatClients> | undefined
  #desk: Promise<import('../../../operator/tickets/tickets-api.ts').TicketDesk> | undefined

  /** The chat of the profile. Opened at the first call, closed when the command ends. */
  protected chat(): Promise<ChatClients> {
    this.#chat ??= this.#openChat()
    return this.#chat
  }

  async #openChat(): Promise<ChatClients> {
    const named = this.profile
    if ((this.constructor as typeof CountroomCommand).writes) this.note(bannerOf(named))
    const { openChatClients } = await import('../../../world/clients/chat.ts')
    const clients = await openChatClients(named, this.settings, {
      ...(this.maxWaitMs === undefined ? {} : { maxWaitMs: this.maxWaitMs }),
      onRetry: (retry) => this.note(retryText(retry)),
      onExchange: (exchange) => this.detail(exchangeText(exchange)),
    })
    this.closeLater(() => clients.close())
    return clients
  }

  /** The desk's tickets. */
  protected desk() {
    this.#desk ??= this.#openDesk()
    return this.#desk
  }

  async #openDesk() {
    const [{ bot, agent }, { openTicketDesk }] = await Promise.all([
      this.chat(),
      import('../../../operator/tickets/tickets-api.ts'),
    ])
    return openTicketDesk({ bot, agent })
  }

  /** What is printed here was written by customers, in part: nothing of it steers the terminal. */
  override log(message = ''): void {
    super.log(printable(message))
  }

  /**
   * Asks before a text goes to a customer, shown as it will arrive; on a terminal it can then still be taken back for
   * some seconds. `--yes` answers the question and leaves the seconds out. Off a terminal nobody could press a key, so nothing waits.
   */
  protected async confirmPublic(shown: string, order: string, isYes: boolean): Promise<void> {
    if (this.isDryRun) return
    this.note(shown)
    await this.confirmDanger(order)
    if (isYes || !this.screen.canAsk) return
    const [{ openKeyboard }, { isTakenBack, takeBackMs, takenBackText }] = await Promise.all([
      import('../../terminal/keyboard.ts'),
      import('./undo-window.ts'),
    ])
    const keyboard = openKeyboard(process.stdin, process.stderr)
    try {
      const isBack = await isTakenBack(keyboard, (text) => this.note(text), { ms: takeBackMs, stop: this.stop })
      if (isBack) throw new Problem('CONFIRMATION_REFUSED', takenBackText)
    } finally {
      keyboard.close()
    }
  }

  /** In whose name: as it was said, else the agent's the profile has a token of, so that customers and colleagues read a name. */
  protected async actorName(said: string | undefined): Promise<string | undefined> {
    if (said !== undefined) return said
    const desk = await this.desk()
    // Where the agents' side cannot tell, nobody is named: a name is no reason not to go on.
    const me = await desk.me().catch((error: unknown) => {
      if (isProblem(error)) return undefined
      throw error
    })
    return me?.displayName
  }

  /** The typed client of the agents' side, which is ours. */
  protected async agentSide() {
    const [{ agent }, { createClient }, contracts] = await Promise.all([
      this.chat(),
      import('../../../http/client/client.ts'),
      import('../../../services/chat/api/contract.ts'),
    ])
    if (agent) return createClient(contracts.agent, agent.patient)
    throw new Problem(
      'BAD_CONFIGURATION',
      'This needs the agents’ side of the chat: the profile has no agentToken in its chat section',
    )
  }
}

/** What a call of the chat would send. */
export function plannedCall<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  input: Input<C['endpoints'][Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(contract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}

/** The same for the bot and ticket API. */
export function plannedTicketCall<Name extends keyof (typeof chatContract)['endpoints'] & string>(
  name: Name,
  input: Input<(typeof chatContract)['endpoints'][Name]>,
): PlannedRequest {
  return plannedCall(chatContract, name, input)
}

/** The code if the workflow has it; else the refusal that names the nearest one and all there are. Nothing was sent. */
export function checkedStatus(status: string, codes: readonly string[]): string {
  if (codes.includes(status)) return status
  const near = nearest(status, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"? ` : ''
  throw new Problem('INVALID_STATUS', `There is no status "${status}"; ${hint}Valid codes: ${codes.join(', ')}`, {
    status,
    nearest: near,
    validCodes: codes,
    remoteCode: null,
  })
}

/** A priority by its name or number. */
export function priorityFrom(said: string): number {
  const names = ['low', 'normal', 'high', 'urgent']
  const index = names.indexOf(said.toLowerCase())
  if (index >= 0) return index + 1
  if (/^[1-4]$/.test(said)) return Number(said)
  throw new Problem('INVALID_USAGE', `A priority is low, normal, high or urgent (1 to 4), not ${said}`)
}
