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

/** Base class of room and ticket commands, with the clients of the profile's chat. */
export abstract class ChatCommand extends CountroomCommand {
  static override baseFlags = { ...globalFlags, ...maxWaitFlag }

  #chat: Promise<ChatClients> | undefined
  #desk: Promise<import('../../../operator/tickets/tickets-api.ts').TicketDesk> | undefined

  /** The chat of the profile. Opened by the first call, closed when the command ends. */
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

  /** The ticket API client. */
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

  /** Escapes control characters, because parts of the output were written by customers. */
  override log(message = ''): void {
    super.log(printable(message))
  }

  /**
   * Confirms a text to a customer, shown as it will arrive. On a terminal it can then be canceled for some seconds. `--yes`
   * skips both the question and the wait. Without a terminal no key can be pressed, so there is no wait.
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

  /** Returns the author: the given name, else that of the profile's agent, so that people see a name. */
  protected async actorName(said: string | undefined): Promise<string | undefined> {
    if (said !== undefined) return said
    const desk = await this.desk()
    // If the agent API cannot be reached, the author stays empty instead of failing the command.
    const me = await desk.me().catch((error: unknown) => {
      if (isProblem(error)) return undefined
      throw error
    })
    return me?.displayName
  }

  /** The typed client of the agent API. */
  protected async agentSide() {
    const [{ agent }, { createClient }, contracts] = await Promise.all([
      this.chat(),
      import('../../../http/client/client.ts'),
      import('../../../services/chat/api/contract.ts'),
    ])
    if (agent) return createClient(contracts.agent, agent.retrying)
    throw new Problem(
      'BAD_CONFIGURATION',
      'This command needs the agent API, but the profile has no agentToken in its chat section',
    )
  }
}

/** Returns the request that a call of the chat would send. */
export function plannedCall<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  input: Input<C['endpoints'][Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(contract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}

/** Returns the request that a call of the bot or ticket API would send. */
export function plannedTicketCall<Name extends keyof (typeof chatContract)['endpoints'] & string>(
  name: Name,
  input: Input<(typeof chatContract)['endpoints'][Name]>,
): PlannedRequest {
  return plannedCall(chatContract, name, input)
}

/** Returns the status code if the workflow has it, else throws with the nearest one and all valid codes. */
export function checkedStatus(status: string, codes: readonly string[]): string {
  if (codes.includes(status)) return status
  const near = nearest(status, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"? ` : ''
  throw new Problem('INVALID_STATUS', `Unknown status "${status}"; ${hint}valid codes: ${codes.join(', ')}`, {
    status,
    nearest: near,
    validCodes: codes,
    remoteCode: null,
  })
}

/** Parses a priority by name or number. */
export function priorityFrom(said: string): number {
  const names = ['low', 'normal', 'high', 'urgent']
  const index = names.indexOf(said.toLowerCase())
  if (index >= 0) return index + 1
  if (/^[1-4]$/.test(said)) return Number(said)
  throw new Problem('INVALID_USAGE', `The priority must be low, normal, high or urgent (1 to 4); received ${said}`)
}
