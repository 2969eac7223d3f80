import { describe, expect, test } from 'vitest'
import { aCountRoom } from './reconcile-support.ts'

/** A room in which a day was played, is over, and was pulled. */
async function aPlayedDay() {
  const room = await aCountRoom({ start: '2026-03-10T02:00:00.000Z' })
  await room.fund('amy', 'bob', 'Cho')
  await room.bet({ amy: '100', bob: '50' })
  room.goTo('2026-03-10T03:00:00.000Z')
  await room.bet({ amy: '12.5', Cho: '7' }, [{ correct: { cardInfo: '5H4S3C5D----' } }])
  room.goTo('2026-03-10T04:00:00.000Z')
  await room.bet({ bob: '30' }, [{ void: true }])
  room.goTo('2026-03-11T02:00:00.000Z')
  await room.sync()
  return room
}

describe('a day that adds up', () => {
  test('is balanced, with corrections and voids in it', async () => {
    const room = await aPlayedDay()
    const { result, lines } = await room.reconcile('2026-03-10')
    expect(result).toMatchObject({ verdict: 'balanced', compared: 3, differing: 0, reasons: [], differences: [] })
    expect(lines.map((line) => line.username)).toEqual(['amy', 'bob', 'Cho'])
    console.log(JSON.stringify(result, null, 1))
  })
})
