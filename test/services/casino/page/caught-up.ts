import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { unpacked } from '../../../../src/services/casino/live/state.ts'
import { liveTableOf } from '../../../../src/services/casino/queries/live.ts'
import { roundOf } from '../../../../src/services/casino/queries/rounds.ts'
import type { World } from '../../../../src/world/world.ts'

/** Returns the number of the round that the page shows. */
export const roundNo = async (page: Page) => Number((await page.textContent('.meta'))?.match(/\d+$/)?.[0])

/** Waits until the page shows the round, the phase and the turn of its table. Returns the phase and the number of the round. */
export async function caughtUp(world: World, page: Page, tableId: string): Promise<{ phase: string; no: number }> {
  const { phase, no, turn } = await world.store.read(async (reader) => {
    const row = await liveTableOf(reader, 'live', tableId)
    const round = await roundOf(reader, row?.round_id ?? '')
    if (!row || !round) throw new Error(`nothing is dealt at ${tableId}`)
    const turn = row.phase === 'deciding' ? unpacked(row.state).hand?.turn : undefined
    return { phase: row.phase, no: round.round, turn: turn === undefined ? [] : [String(turn)] }
  })
  const turnOnPage = () =>
    page.locator('.seat[data-turn]').evaluateAll((seats) => seats.map((seat) => seat.getAttribute('data-seat')))
  await expect
    .poll(async () => [await page.getAttribute('.table', 'data-phase'), await roundNo(page), await turnOnPage()])
    .toEqual([phase, no, turn])
  return { phase, no }
}
