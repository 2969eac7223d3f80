import type { GatewayClients } from '../../../world/clients/gateway.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Flags, listFlags } from '../../framework/flags.ts'
import { bannerOf } from '../../framework/profile-banner.ts'
import { exchangeText, retryText } from '../../outcome/request-log.ts'

/** Base class of payment gateway commands, with the client for remote and local profiles. */
export abstract class GatewayCommand extends CountroomCommand {
  #opened: Promise<GatewayClients> | undefined

  /** The gateway of the profile. Opened by the first call, closed when the command ends. */
  protected gateway(): Promise<GatewayClients> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  async #open(): Promise<GatewayClients> {
    const named = this.profile
    if ((this.constructor as typeof CountroomCommand).writes) this.note(bannerOf(named))
    const { openGatewayClients } = await import('../../../world/clients/gateway.ts')
    const clients = await openGatewayClients(named, this.settings, {
      onRetry: (retry) => this.note(retryText(retry)),
      onExchange: (exchange) => this.detail(exchangeText(exchange)),
    })
    this.closeLater(() => clients.close())
    return clients
  }

  /** Reads pages of a list up to a limit, and whether there are more. A page has at most 500 entries. */
  protected async pages<Row extends object>(
    limit: number,
    page: (limit: number, index: number, offset: number) => Promise<readonly Row[]>,
  ): Promise<{ rows: Row[]; more: boolean }> {
    const size = Math.min(limit + 1, mostAtOnce)
    const rows: Row[] = []
    for (let index = 0; rows.length <= limit; index++) {
      const got = await page(size, index, index * size)
      const fresh = got.slice(0, limit - rows.length)
      rows.push(...got.slice(0, limit + 1 - rows.length))
      if (!(await this.rows(fresh)) || got.length < size) break
    }
    return this.upTo(limit, rows)
  }
}

const mostAtOnce = 500

/** Flags of every listing command of the gateway. */
export const gatewayListFlags = {
  limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
  ...listFlags,
}
