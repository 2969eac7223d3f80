import { isLiveOn, saveLive } from '../queries/live.ts'
import type { Casino } from '../service.ts'

/** Enables or disables live dealing: current rounds are finished, new ones are not opened. */
export function setLive(app: Casino, isOn: boolean): Promise<{ live: boolean; was: boolean }> {
  return app.store.write(async (tx) => {
    const was = await isLiveOn(tx)
    await saveLive(tx, isOn)
    return { live: isOn, was }
  })
}
