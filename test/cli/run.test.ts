import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { aHome, envelopeOf, noTerminal, programs, type RunOptions, run, runOnTerminal } from '../support/program/cli.ts'
import { remoteHome, served } from '../support/worlds/served.ts'

const keys = ['schemaVersion', 'command', 'status', 'data', 'warnings', 'error']
const fixture = (line: string, options: RunOptions = {}) => run(line.split(' '), { ...options, program: 'fixture' })
/** Runs in a process that has loaded the program, for results that do not depend on the process. */
const inShared = (line: string, options: RunOptions = {}) => fixture(line, { ...options, isSpawned: false })

describe('stdout and stderr', () => {
  test('a result goes to stdout, everything else to stderr', async () => {
    const { code, stdout, stderr } = await fixture('ok')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^name +amount +big +at\n/)
    expect(stderr).toBe('Warning: the key ek_l_*** is old\na note\n')
  })

  test('--json prints one object with all its keys, including warnings, and keeps integers exact', async () => {
    const { code, stdout, stderr } = await fixture('ok --json')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').length).toBe(1)
    const output = envelopeOf({ code, stdout, stderr })
    expect(Object.keys(output)).toEqual(keys)
    expect(output).toMatchObject({ command: 'ok', status: 'ok', warnings: ['the key ek_l_*** is old'], error: null })
    expect(output.data['rows']).toMatchObject([{ big: '12345678901234567890', amount: '-1.50' }])
  })

  test('--quiet keeps results, warnings and errors; --verbose adds details', async () => {
    expect((await fixture('ok --quiet')).stderr).toBe('Warning: the key ek_l_*** is old\n')
    expect((await fixture('ok --verbose')).stderr).toContain('a particular\n')
    expect((await fixture('ok --verbose --quiet')).code).toBe(2)
  })

  test('a command that returns nothing still prints the object', async () => {
    const result = await fixture('nothing --json')
    expect(envelopeOf(result)).toMatchObject({ status: 'ok', data: null, error: null })
    expect(await fixture('nothing')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('--columns, --csv and --no-header shape a table; an unknown column is refused', async () => {
    expect((await fixture('ok --quiet --csv --columns amount,name --no-header')).stdout).toBe('-1.50,\u001b[31m=evil\n')
    const refused = await fixture('ok --quiet --columns nmae')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('Unknown column "nmae"; available columns: name, amount, big, at')
  })
})

describe('failures', () => {
  test.each(['crash', 'crash --later'])('an unexpected error is one line and exit 1: %s', async (line) => {
    const people = await fixture(line)
    expect(people).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: Unexpected error: the key ek_l_*** broke it (UNEXPECTED)\n',
    })
    const programs = await fixture(`${line} --json`)
    expect(programs).toMatchObject({ code: 1, stderr: '' })
    expect(envelopeOf(programs)).toMatchObject({
      command: 'crash',
      status: 'error',
      data: null,
      error: { code: 'UNEXPECTED' },
    })
  })

  test('the stack trace is printed with --verbose only, with secrets masked', async () => {
    const { stderr } = await fixture('crash --verbose')
    expect(stderr).toMatch(/\n +at /)
    expect(stderr).not.toContain('abcdefgh')
  })

  test('a run can have a result and an error: both are printed, and the exit code is that of the error', async () => {
    const people = await fixture('refuse DIFFERENCES --with-data')
    expect(people).toEqual({ code: 9, stdout: 'a report\n', stderr: 'Error: It was refused (DIFFERENCES)\n' })
    const output = envelopeOf(await fixture('refuse DIFFERENCES --with-data --json'))
    expect(output).toMatchObject({
      status: 'error',
      data: { found: 2 },
      error: { code: 'DIFFERENCES', details: { count: 2 } },
    })
  })

  test.each([
    'TXN_CONFLICT',
    'PLAYER_NOT_FOUND',
    'RATE_LIMITED',
    'MONEY_UNKNOWN',
    'LOCKED_BY_ANOTHER',
    'BAD_CONFIGURATION',
  ])('%s exits with the same code with and without --json, and a failure prints only the object', async (code) => {
    // One of them with a process of its own.
    const refuse = code === 'TXN_CONFLICT' ? fixture : inShared
    const people = await refuse(`refuse ${code}`)
    const programs = await refuse(`refuse ${code} --json`)
    expect(people.code).toBe(programs.code)
    expect(people.code).not.toBe(0)
    expect(people.stdout).toBe('')
    expect(envelopeOf(programs).error.code).toBe(code)
  })

  test('opened resources are closed in reverse order, also after a failure, and a failed close hides no error', async () => {
    const both = await fixture('close --fail --badly')
    expect(both.code).toBe(1)
    expect(both.stderr).toBe('closed the second\nclosed the first\nError: Unexpected error: it failed (UNEXPECTED)\n')
    expect(await fixture('close')).toMatchObject({ code: 0 })
    expect((await fixture('close --badly')).stderr).toContain('it would not close')
  })

  test('jobs that were not run while closing are a warning, and the result stands', async () => {
    const result = await fixture('close --without-jobs --json')
    expect(result.code).toBe(0)
    expect(envelopeOf(result)).toMatchObject({ status: 'ok', data: { done: true }, warnings: ['Jobs were not run'] })
  })
})

describe('lines', () => {
  test('one compact object per line, and the usual object last', async () => {
    const { stdout } = await fixture('lines --json --count 2')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ n }) => n)).toEqual([0, 1, undefined])
    expect(lines.at(-1)).toMatchObject({ command: 'lines', status: 'ok', data: { written: 2 }, error: null })
  })

  test('a closed pipe ends the run without an error', () => {
    const line = `'${process.execPath}' '${programs.fixture}' lines --count 1000000 | head -n 2; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8', env: aHome().env })
    expect(stdout).toBe('line 0\nline 1\n0\n')
    expect(stderr).toBe('')
  })
})

describe.skipIf(!existsSync('/dev/full'))('a stdout that cannot be written', () => {
  const run = (program: keyof typeof programs, line: string, before = '') =>
    spawnSync('bash', ['-c', `${before}'${process.execPath}' '${programs[program]}' ${line}; echo "$?" >&2`], {
      encoding: 'utf8',
      env: aHome().env,
    }).stderr

  test.each(['ok', 'ok --json', 'ok --csv', 'ok --quiet', 'lines --count 3', 'lines --json'])(
    'is reported on stderr by "%s" as retryable',
    (line) => {
      const stderr = run('fixture', `${line} > /dev/full`)
      expect(stderr).toMatch(
        /Error: Cannot write the result to stdout: the disk is full \(ENOSPC\)[^\n]*run the command again \(OUTPUT_LOST\)\n7\n$/,
      )
      expect(stderr).not.toContain('UNEXPECTED')
    },
  )

  test('hides the result of a change from the caller, who must look it up before a repeat', () => {
    expect(run('fixture', 'pay --yes --json > /dev/full')).toMatch(/look up what it did[^\n]* \(OUTPUT_LOST\)\n10\n$/)
  })

  test('is reported in addition to the outcome of the run, also if the object would have contained it', () => {
    const stderr = run('fixture', 'refuse TXN_CONFLICT --json > /dev/full')
    expect(stderr).toMatch(/^Error: .*\nError: .*\(OUTPUT_LOST\)\n6\n$/)
  })

  test('includes a disk that writes a part, which is not reported as complete', () => {
    const stderr = run('countroom', 'help exit-codes > part', `cd '${aHome().folder}'; ulimit -f 1; `)
    expect(stderr).toMatch(/OUTPUT_LOST\)\n7\n$/)
  })
})

describe('signals', () => {
  const signaled = (line: string, signals: NodeJS.Signals[]) => {
    const left = [...signals]
    return fixture(line, {
      watch: (child, printed) => {
        const isTime = printed.includes(left.length === signals.length ? 'working' : 'stopping')
        const next = isTime ? left.shift() : undefined
        // Without the delay the second signal could be merged with the first.
        if (next !== undefined) setTimeout(() => child.kill(next), 60)
      },
    })
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'the first %s lets the command finish its unit and close, and the exit code is %i',
    async (signal, code) => {
      const result = await signaled('work', [signal])
      expect(result).toMatchObject({ code, stdout: '' })
      expect(result.stderr).toBe(
        `working\n${signal}: stopping after the current step. Press again to stop at once\nclosed\nStopped by ${signal}\n`,
      )
    },
  )

  test('a signal ends the wait for another attempt of a request that had no effect', async () => {
    const home = await remoteHome(await served(), { at: 'http://127.0.0.1:9' })
    const { code, stderr } = await run(['players', 'show', 'amy'], {
      home,
      watch: (child, printed) => void (printed.includes('attempt 2 in') && child.kill('SIGINT')),
    })
    expect(code, stderr).toBe(130)
    expect(stderr).not.toContain('attempt 5 in')
    expect(stderr).toContain('Stopped by SIGINT')
  })

  test('with --json the object has the finished part and says that the run was stopped', async () => {
    const result = await signaled('work --json', ['SIGTERM'])
    expect(result.code).toBe(143)
    expect(envelopeOf(result)).toMatchObject({
      status: 'error',
      data: { units: 1 },
      error: { code: 'INTERRUPTED', category: 'stopped' },
    })
  })

  test('the second signal stops a command that does not react at once', async () => {
    const result = await signaled('work --deaf', ['SIGINT', 'SIGINT'])
    expect(result.code).toBe(130)
    expect(result.stderr).not.toContain('closed')
    expect(result.stderr).toContain('Stopped at once by SIGINT')
  })
})

test.skipIf(noTerminal)(
  'on a terminal that reports no width, progress is plain lines, and tables have their own width',
  async () => {
    const home = await remoteHome(await served())
    const sync = ['bets', 'sync', '--out', `${home.folder}/bets`]
    const { code, screen } = await runOnTerminal(sync, [], { home, columns: 0 })
    expect(code, screen.slice(-2_000)).toBe(0)
    expect(screen).not.toContain('\u001b[1A')
    expect(screen.length).toBeLessThan(5_000)
  },
)

describe('questions', () => {
  test('without a terminal there is no question: exit 3 prints the command with the confirmation', async () => {
    const refused = await inShared('danger')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('--yes')
    expect(envelopeOf(await inShared('danger --json')).error).toMatchObject({
      code: 'CONFIRMATION_NEEDED',
      details: { flag: '--yes' },
    })
    expect(await inShared('danger --yes')).toMatchObject({ code: 0, stdout: 'closed\n' })
  })

  test('a dry run asks no question', async () => {
    expect(envelopeOf(await inShared('danger --dry-run --json')).data).toEqual({ closed: false })
  })

  const live = JSON.stringify({
    kind: 'remote',
    environment: 'live',
    casino: {
      baseUrl: 'https://casino.example',
      companyCode: 'C',
      timezone: 'UTC',
      apiKey: 'ek_l_k',
      secret: 'swordfish',
    },
  })
  const liveHome = () => {
    const home = aHome()
    home.write('config/countroom/profiles/house.json', live)
    return home
  }

  test('money on a live profile needs --yes together with the exact total, in scripts', async () => {
    const home = liveHome()
    const pay = (line: string) => inShared(`pay --profile house ${line}`.trim(), { home })
    expect((await pay('')).code).toBe(3)
    expect((await pay('--yes')).code).toBe(3)
    expect((await pay('--yes --confirm-total 100:USD')).code).toBe(3)
    expect((await pay('--yes --confirm-total 100.50:TWD')).code).toBe(3)
    expect((await pay('--yes --confirm-total 0100.5000:usd')).code).toBe(0)
    expect((await pay('--confirm-total 100.50:USD')).code).toBe(2)
    expect((await pay('--yes --confirm-total lots')).code).toBe(2)
    expect((await pay('--dry-run')).code).toBe(0)
  })

  test('money on the local profile needs no confirmation', async () => {
    expect((await inShared('pay')).code).toBe(0)
  })

  test('a command that writes prints its target first', async () => {
    const { stderr } = await inShared('serve --profile house', { home: liveHome() })
    expect(stderr).toMatch(/^Profile house, LIVE: https:\/\/casino\.example\n/)
    expect(stderr).not.toContain('swordfish')
  })

  describe.skipIf(noTerminal)(`on a terminal${noTerminal ? ` (skipped: ${noTerminal})` : ''}`, () => {
    test('Enter without a letter answers no', async () => {
      const { code, screen } = await runOnTerminal(['danger'], [['(y/N)', '\r']], { program: 'fixture' })
      expect(code).toBe(3)
      expect(screen).toContain('nothing was done')
    })

    test('yes is accepted, and the question is not in the result', async () => {
      const home = aHome()
      const { code } = await runOnTerminal(['danger'], [['(y/N)', 'y\r']], {
        program: 'fixture',
        home,
        redirect: '>out',
      })
      expect(code).toBe(0)
      expect(spawnSync('cat', [`${home.folder}/out`], { encoding: 'utf8' }).stdout).toBe('closed\n')
    })

    test('money on a live profile requires typing the amount, and a wrong amount is rejected', async () => {
      const home = liveHome()
      const answers = (amount: string) =>
        [
          ['amount again', `${amount}\r`],
          ['currency again', 'USD\r'],
          ['player again', 'Amy\r'],
        ] as const
      const args = ['pay', '--profile', 'house']
      expect((await runOnTerminal(args, answers('100.5'), { program: 'fixture', home })).code).toBe(0)
      expect((await runOnTerminal(args, answers('1005'), { program: 'fixture', home })).code).toBe(3)
    })

    test('Ctrl-C at a question exits with 130', async () => {
      const { code, screen } = await runOnTerminal(['danger'], [['(y/N)', '\u0003']], { program: 'fixture' })
      expect(code).toBe(130)
      expect(screen).not.toMatch(/\n +at /)
    })

    test('color is on, and each of three settings disables it', async () => {
      const bold = '\u001b[1m'
      const screen = async (args: string[], env = {}) => (await runOnTerminal(args, [], { env })).screen
      expect(await screen(['help'])).toContain(bold)
      expect(await screen(['help', '--no-color'])).not.toContain(bold)
      expect(await screen(['help'], { NO_COLOR: '1' })).not.toContain(bold)
      expect(await screen(['help'], { TERM: 'dumb' })).not.toContain(bold)
    })

    test('the width is that of the terminal', async () => {
      const widest = async (columns: number) => {
        const { screen } = await runOnTerminal(['help', 'files', '--no-color'], [], { columns })
        return Math.max(...screen.split(/\r?\n/).map((line) => line.length))
      }
      expect(await widest(60)).toBeLessThanOrEqual(60)
      expect(await widest(40)).toBeLessThanOrEqual(40)
      expect(await widest(120)).toBeGreaterThan(80)
    })
  })

  test('without a terminal there is no color, and FORCE_COLOR enables it', async () => {
    expect((await run(['help'])).stdout).not.toContain('\u001b')
    expect((await run(['help'], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[1m')
    expect((await run(['help'], { env: { FORCE_COLOR: '0' } })).stdout).not.toContain('\u001b')
  })
})

describe('stdin', () => {
  test('is not read for a missing argument', async () => {
    expect(envelopeOf(await fixture('ok --json', { input: 'row two\nrow three\n' })).data['word']).toBeNull()
  })

  test('keeps the rows of a shell loop', () => {
    const line = `printf 'a\\nb\\nc\\n' | while read -r row; do echo "$row"; '${process.execPath}' '${programs.fixture}' ok --quiet >/dev/null 2>&1; done`
    const { stdout } = spawnSync('bash', ['-c', line], {
      encoding: 'utf8',
      env: { ...aHome().env, PATH: process.env['PATH'] },
    })
    expect(stdout).toBe('a\nb\nc\n')
  })

  test('a word that starts with a dash can follow --', async () => {
    expect(envelopeOf(await inShared('ok --json -- -amy')).data['word']).toBe('-amy')
    expect(envelopeOf(await inShared('ok --json -5')).data['word']).toBe('-5')
    expect(envelopeOf(await inShared('ok --json -- --json')).data['word']).toBe('--json')
    const json = await inShared('ok -- --json')
    expect(json.stdout).not.toContain('schemaVersion')
  })
})
