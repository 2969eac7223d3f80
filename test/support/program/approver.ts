import { type Home, runJson } from './cli.ts'

const passphraseOf = (name: string) => `passphrase of ${name.toLowerCase()}`

/** Adds an approver to a home's book if it is missing, and returns the flags that authenticate the approver. */
export async function asApprover(home: Home, name: string, targetFlags: readonly string[] = []): Promise<string[]> {
  const file = home.write(`passphrases/${name.toLowerCase()}`, `${passphraseOf(name)}\n`)
  const { code, error } = await runJson(['approvers', 'add', name, '--passphrase-file', file, ...targetFlags], { home })
  if (code !== 0 && error.code !== 'APPROVER_EXISTS') throw new Error(error.message)
  return ['--as', name, '--passphrase-file', file]
}
