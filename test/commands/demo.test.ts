import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, noTerminal, runOnTerminal } from '../support/program/cli.ts'

test.skipIf(noTerminal)(
  `the demo shows each result when it is there, and leaves the home and the book of its user alone${noTerminal ?? ''}`,
  async () => {
    const home = aHome()
    const mine = join(home.folder, 'mine')
    const env = { COUNTROOM_HOME: mine, COUNTROOM_BOOK: join(mine, 'book.db') }
    const demo = ['demo', '--out', join(home.folder, 'demo')]
    const { code, screen } = await runOnTerminal(demo, [['2. Add a profile', '\u0003']], { home, env })
    expect(code, screen).toBe(130)
    // Ctrl-C is typed when the second result is on the screen, and the terminal shows it: the step under way is the last one.
    const [before = '', after = ''] = screen.split('^C')
    expect(before).toContain('2. Add a profile')
    expect(after.match(/^\d+\. /gm)?.length ?? 0, screen).toBeLessThanOrEqual(1)
    expect(after).not.toBe('')
    expect(readdirSync(join(home.folder, 'demo/home'))).toContain('config')
    expect(readdirSync(home.folder)).not.toContain('mine')
  },
)
