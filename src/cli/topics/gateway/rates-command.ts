import type { RateStanding } from '../../../services/gateway/rates/rates.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { ratesNote, ratesView } from './rates-view.ts'

/** Base class of commands that change prices: they show all prices afterwards. */
export abstract class RatesCommand extends CountroomCommand {
  protected async told(standing: RateStanding) {
    const { clock } = await this.services.world()
    const view = ratesView(standing, await clock.now())
    this.log(ratesNote(view))
    return view
  }
}
