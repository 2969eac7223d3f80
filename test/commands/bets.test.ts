import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, run, runJson } from '../support/cli.ts'
import { served } from '../support/processes.ts'

test('bets are pulled once, a second run changes no byte, and the book tells how far it is', async () => {
  const home = aHome()
  const world = await served(home.folder, { ...process.env, ...home.env })
  try {
    await run(['sim', 'play', '--tables', 'BAC-01', '--rounds', '20', '--players', '5', '--days', '3'], { home })
    const out = join(home.folder, 'bets')
    const first = await runJson(['bets', 'sync', '--out', out], { home })
    expect(first).toMatchObject({ code: 0, data: { rows: 100, added: 100, caughtUp: true } })
    const files = (first.data as unknown as { files: { file: string }[] }).files.map(({ file }) => file)
    const bytes = () => files.map((file) => readFileSync(join(out, file), 'utf8'))
    const before = bytes()
    expect(before[0]?.split('\n')[0]).toBe(
      'recSeq,slipId,rev,status,username,currency,tableId,game,variant,roundId,shoe,round,stake,hold,validStake,rolling,payout,winLoss,delta,rake,onsite,resultCode,cardInfo,placedAt,settledAt,bets,result',
    )
    expect(await runJson(['bets', 'sync', '--out', out], { home })).toMatchObject({ data: { rows: 100, added: 0 } })
    expect(bytes()).toEqual(before)

    expect((await runJson(['bets', 'status'], { home })).data).toMatchObject({ rows: 100, cursor: expect.any(String) })
    const slip = before[0]?.split('\n')[1]?.split(',')[1] ?? ''
    const shown = await runJson(['bets', 'show', slip], { home })
    expect(shown.data).toMatchObject({ slipId: slip, revisions: [{ rev: 1, status: 'settled' }] })
    expect((await runJson(['bets', 'show', 'nothing'], { home })).code).toBe(5)
  } finally {
    await world.kill()
  }
})

test('one run at a time works on a book, and the loser names the holder', async () => {
  const home = aHome()
  const world = await served(home.folder, { ...process.env, ...home.env })
  try {
    let second: Promise<Awaited<ReturnType<typeof runJson>>> | undefined
    await run(['bets', 'sync', '--out', join(home.folder, 'a'), '--follow', '--verbose'], {
      home,
      watch: (child, printed) => {
        if (second !== undefined || !printed.includes('Pulling')) return
        second = new Promise((done) => setTimeout(done, 1500)).then(() =>
          runJson(['bets', 'sync', '--out', join(home.folder, 'b')], { home }),
        )
        void second.finally(() => child.kill('SIGINT'))
      },
    })
    const lost = await second
    expect(lost).toMatchObject({ code: 75, error: { code: 'LOCKED_BY_ANOTHER' } })
    expect(lost?.error?.message).toContain('bets sync')
  } finally {
    await world.kill()
  }
})

test('without a book there is nothing to show, and none is made', async () => {
  const home = aHome()
  expect(await runJson(['bets', 'status'], { home })).toMatchObject({ code: 0, data: { rows: 0, cursor: null } })
  expect((await runJson(['bets', 'show', 'x'], { home })).code).toBe(5)
})
