import { describe, expect, test } from 'vitest'
import { run, runJson } from '../../support/program/cli.ts'
import { localHome } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const create = 'console tables create DEMO OWN-01 --game niuniu'

describe('a commission on the wins of a Niu Niu table', () => {
  // Rulebook 6.6, worked slip NN7: 5% commission configured.
  test('is set when the table is created, shown, and deducted from the wins', async () => {
    const home = await localHome()
    const made = await runJson(words(`${create} --commission 0.05`), { home })
    expect(made.data).toMatchObject({ tableId: 'OWN-01', game: 'niuniu', commission: '0.05' })
    expect((await run(words('tables enable OWN-01'), { home })).code).toBe(0)
    const { data } = await runJson(words('sim deal -'), {
      home,
      input: JSON.stringify({
        tableId: 'OWN-01',
        cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
        slips: [{ username: 'amy', bets: { P1E: '100', P1D: '100' } }],
      }),
    })
    const [revision] = data['revisions'] as { bets: object[] }[]
    expect(revision?.bets).toMatchObject([
      {
        result: { code: '57A09' },
        bets: [
          { zone: 'P1E', return: '195' },
          { zone: 'P1D', return: '585', mult: 3 },
        ],
        stake: '200',
        hold: '200',
        validStake: '400',
        rolling: '0',
        payout: '780',
        winLoss: '380',
        delta: '780',
      },
    ])
    const amy = await runJson(words('wallet balance amy'), { home })
    expect(amy.data).toMatchObject({ balance: '10380' })
  })

  test.each(['0', '0.0001', '0.9999'])('of %s is accepted', async (rate) => {
    const home = await localHome()
    expect((await runJson(words(`${create} --commission ${rate}`), { home })).data).toMatchObject({ commission: rate })
  })

  test('is 0 without the flag, and absent at another game', async () => {
    const home = await localHome()
    expect((await runJson(words(create), { home })).data).toMatchObject({ commission: '0' })
    const other = await runJson(words('console tables create DEMO OWN-02 --game baccarat'), { home })
    expect(other.data).toMatchObject({ commission: null })
    const text = await run(words('console tables create DEMO OWN-03 --game niuniu --commission 0.05'), { home })
    expect(text.stdout).toMatch(/commission +0\.05/)
  })

  test('that is impossible is refused, and no table is created', async () => {
    const home = await localHome()
    for (const rate of ['1', '1.5', '=-0.05', '5%', '0.00001', '1e-2', '.05', 'five', '0,05']) {
      const order = `${create} --commission${rate.startsWith('=') ? '' : ' '}${rate}`
      const refused = await runJson(words(order), { home })
      expect([rate, refused.code, refused.error.code]).toEqual([rate, 2, 'INVALID_PARAMETER'])
      expect(refused.error.message).toMatch(/from 0 to below 1/)
    }
    const baccarat = await runJson(words('console tables create DEMO OWN-01 --game baccarat --commission 0.05'), {
      home,
    })
    expect([baccarat.code, baccarat.error.code]).toEqual([2, 'INVALID_PARAMETER'])
    const { data } = await runJson(words('tables list'), { home })
    expect((data['tables'] as { tableId: string }[]).filter(({ tableId }) => tableId === 'OWN-01')).toEqual([])
  })
})
