import type { CommandEntry } from '../../../src/cli/framework/manifest.ts'

const usual: Readonly<Record<string, string>> = {
  user: 'amy',
  table: 'BAC-01',
  round: '01JZZZZZZZZZZZZZZZZZZZZZZZ',
  amount: '5',
  currency: 'USD',
  date: '2026-03-01',
  status: 'open',
}

/**
 * Returns valid arguments and flags for a command, as far as its own flags describe them: the required ones, and the
 * confirmation.
 */
export function optimalAction(
  { id, args, flags }: CommandEntry,
  particular: Readonly<Record<string, string>> = {},
): string[] {
  const values = { ...usual, ...particular }
  const valueFor = ({ name, options }: { name: string; options?: readonly string[] | undefined }) =>
    options?.[0] ?? values[name] ?? 'x-1'
  return [
    ...Object.values(args).flatMap((arg) => (arg.required ? [valueFor(arg)] : [])),
    ...Object.values(flags).flatMap((flag) =>
      flag.required ? [`--${flag.name}`, ...(flag.type === 'option' ? [valueFor(flag)] : [])] : [],
    ),
    ...(Object.hasOwn(flags, 'yes') ? ['--yes'] : []),
    ...(id === 'players:update' ? ['--nickname', 'Amy'] : []),
  ]
}

/** Commands that test a platform by its responses have their own exit code for a refusal. */
export const examining: ReadonlySet<string> = new Set(['doctor', 'profiles:test'])
