import type { RateStanding } from '../../../services/gateway/rates/rates.ts'
import { WorldCommand } from '../console/command.ts'
import { ratesNote, ratesView } from './rates-view.ts'

/** What changes the prices of a world has in common: afterwards they are told as they stand. */
export abstract class RatesCommand extends WorldCommand {
  protected async told(standing: RateStanding) {
    const { clock } = await this.world()
    const view = ratesView(standing, await clock.now())
    this.log(ratesNote(view))
    return view
  }
}
