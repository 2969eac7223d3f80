import { expect, test } from 'vitest'
import { noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { servedBeside } from '../../support/worlds/served.ts'

test('a scenario is listed, printed, checked and played; a failed check exits with 9', async () => {
  const { home } = await servedBeside()
  const listed = await runJson(['sim', 'scenario', 'list'], { home })
  expect(listed.data['scenarios']).toHaveLength(5)
  const { stdout } = await run(['sim', 'scenario', 'run', 'busy-chat', '--print'], { home })
  const file = home.write('./mine.yaml', stdout.replace('is: 84', 'is: 85'))
  expect(await runJson(['sim', 'scenario', 'run', file, '--dry-run'], { home })).toMatchObject({
    code: 0,
    data: { scenario: 'busy-chat', status: 'not-run' },
  })
  await run(['sim', 'faults', 'add', 'slow', '--service', 'casino', '--endpoint', 'summary'], { home })
  const failed = await runJson(['sim', 'scenario', 'run', file], { home })
  expect(failed.warnings.join()).toContain('The world has 1 injected fault already')
  expect(failed).toMatchObject({ code: 9, data: { status: 'failed' }, error: { code: 'DIFFERENCES' } })
  expect(failed.error.message).toContain('messages: expected is 85; found 84')
  expect(await runJson(['sim', 'scenario', 'run', 'busy-chatt'], { home })).toMatchObject({ code: 5 })
})

test.skipIf(noTerminal)(
  `on a terminal each step is in a list with its result, and a small screen gets one line${noTerminal ?? ''}`,
  async () => {
    const { home } = await servedBeside()
    const file = home.write(
      './two.yaml',
      'name: two\nsummary: Two steps\nsteps:\n  - deposit: { user: nora, amount: 5 }\n  - check: { that: balance-change, of: nora, is: "6" }\n',
    )
    const { code, screen } = await runOnTerminal(['sim', 'scenario', 'run', file], [], { home })
    expect(code, screen).toBe(9)
    expect(screen).toContain('Deposit: user nora, amount 5')
    expect(screen).toContain('Check: that balance-change, of nora, is 6')
    expect(screen).toContain('Playing: two')
    const small = await runOnTerminal(['sim', 'scenario', 'run', file], [], { home, rows: 4 })
    expect(small.code, small.screen).toBe(9)
    expect(small.screen).not.toContain('Deposit: user nora, amount 5\r\n')
    expect(small.screen).toContain('Playing: two')
  },
)
