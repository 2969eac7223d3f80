import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { asApprover } from '../support/program/approver.ts'
import { type Home, run, runJson } from '../support/program/cli.ts'
import { localHome } from '../support/worlds/served.ts'

const batch = { input: 'username,amount,currency\namy,60,USD\n', env: { COUNTROOM_APPROVAL_ABOVE: '10:USD' } }

async function aBatch(home: Home, flags: readonly string[] = []): Promise<{ id: string; madeBy: unknown }> {
  const { data } = await runJson(['wallet', 'plan', '-', '--again', ...flags], { home, ...batch })
  return { id: String(data['planId']), madeBy: data['madeBy'] }
}

test('a person is the user of the machine, or the approver with a valid passphrase, and never both', async () => {
  const home = await localHome()
  const approve = async (id: string, flags: readonly string[]) => {
    const { code, data, error } = await runJson(['wallet', 'approve', id, ...flags], { home, env: batch.env })
    return [code, error?.code ?? data['by']]
  }
  const beth = await asApprover(home, 'Beth')
  const [, , , file = ''] = beth
  const own = await aBatch(home, ['--as', 'beth'])
  expect(own.madeBy).toBe(userInfo().username)
  expect(await approve(own.id, [])).toEqual([6, 'SAME_PERSON'])
  expect(await approve(own.id, ['--as', 'carl'])).toEqual([6, 'SAME_PERSON'])
  expect(await approve(own.id, ['--as', 'carl', '--passphrase-file', file])).toEqual([5, 'APPROVER_NOT_FOUND'])
  const wrong = home.write('wrong', 'another passphrase')
  expect(await approve(own.id, ['--as', 'Beth', '--passphrase-file', wrong])).toEqual([4, 'WRONG_PASSPHRASE'])
  expect(await approve(own.id, ['--passphrase-file', file])).toEqual([2, 'INVALID_USAGE'])
  expect(await approve(own.id, ['--as', 'BETH', '--passphrase-file', file])).toEqual([0, 'Beth'])
  const hers = await aBatch(home, beth)
  expect(hers.madeBy).toBe('Beth')
  expect(await approve(hers.id, beth)).toEqual([6, 'SAME_PERSON'])
  expect(await approve(hers.id, [])).toEqual([0, userInfo().username])
})

test('approvers are added once, listed without their hash, and removed', async () => {
  const home = await localHome()
  expect((await run(['approvers', 'list'], { home })).stderr).toContain(
    'No approvers. To add one: countroom help approvers add',
  )
  const file = home.write('passphrase', 'correct horse\n')
  const add = (name: string, ...flags: string[]) => ['approvers', 'add', name, '--passphrase-file', file, ...flags]
  expect((await runJson(add('beth', '--dry-run'), { home })).data).toEqual({ name: 'beth', dryRun: true })
  expect((await runJson(['approvers', 'list'], { home })).data).toEqual({ approvers: [] })
  expect((await run(add('beth'), { home })).stdout).toBe('beth is an approver.\n')
  expect((await runJson(add('BETH'), { home })).error).toMatchObject({ code: 'APPROVER_EXISTS', category: 'conflict' })
  const piped = await run(['approvers', 'add', 'dana', '--passphrase-file', '-'], { home, input: 'from a pipe' })
  expect(piped.code).toBe(0)
  const list = await run(['approvers', 'list'], { home })
  expect(list.stdout).toMatch(/^name +added by +added\nbeth +\S+ +\d{4}-\d\d-\d\d \d\d:\d\d UTC\ndana /)
  expect(JSON.stringify((await runJson(['approvers', 'list'], { home })).data)).not.toContain('scrypt')
  for (const bad of ['short', 'two\nlines of text'])
    expect((await run(['approvers', 'add', 'x', '--passphrase-file', '-'], { home, input: bad })).code).toBe(2)
  const open = home.write('open', 'readable by others', 0o644)
  expect((await run(['approvers', 'add', 'eve', '--passphrase-file', open], { home })).stderr).toContain('chmod 600')
  expect((await run(['approvers', 'remove', 'Beth'], { home })).code).toBe(0)
  expect((await run(['approvers', 'remove', 'beth'], { home })).code).toBe(5)
  const audited = (await runJson(['audit', 'list'], { home })).data['entries'] as { command: string; subject: string }[]
  expect(audited.map(({ command, subject }) => `${command} ${subject}`)).toContain('approvers remove Beth')
})
