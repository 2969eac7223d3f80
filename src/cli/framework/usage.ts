import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'

/** Fields of oclif's parser errors, by kind of error. */
interface ParserError extends Error {
  readonly flags?: readonly string[]
  readonly args?: readonly (string | { readonly name: string })[]
}

/** Names of flags that must not take a secret on the command line. */
const secretNames = /secret|password|token|api-?key/i

/** Converts a parser error to a usage problem. Never repeats the value of an unknown flag, which may be a secret. */
export function usageProblem(error: unknown, known: readonly string[]): unknown {
  if (!(error instanceof Error)) return error
  const { flags, args } = error as ParserError
  const kind = error.constructor.name
  if (kind === 'NonExistentFlagsError' && flags) return unknownFlag(flags, known)
  if (kind === 'UnexpectedArgsError' && args) return unexpected(args.map(String))
  if (kind === 'RequiredArgsError' && args) {
    const names = args.map((arg) => (typeof arg === 'string' ? arg : arg.name).toUpperCase())
    return usage(`Missing ${names.join(', ')}`, { missing: names })
  }
  if (isProblem(error)) return new Problem(error.code, plain(error.message), error.detail, { cause: error })
  // Thrown by the parser of a flag or argument. A bug in it would not have oclif's class.
  return 'oclif' in error ? usage(plain(error.message), {}) : error
}

function unknownFlag(flags: readonly string[], known: readonly string[]): Problem {
  const names = flags.map((flag) => flag.split('=', 1)[0] ?? flag)
  const [name = ''] = names
  const near = nearest(name.replace(/^-+/, ''), known, 1).map((flag) => `--${flag}`)
  const hint = secretNames.test(name)
    ? '; secrets are read from a file or stdin, never from a flag'
    : near.length > 0
      ? `; did you mean ${near[0]}?`
      : ''
  return usage(`Unknown flag ${names.join(', ')}${hint}`, { flags: names, nearest: near[0] })
}

function unexpected(args: readonly string[]): Problem {
  return usage(
    `Unexpected ${args.length === 1 ? 'argument' : 'arguments'}: ${args.map((arg) => arg || '""').join(' ')}`,
    { arguments: args },
  )
}

/** Removes the flag's name and the advice that oclif adds to a message; the usage line follows anyway. */
function plain(message: string): string {
  return message
    .replace(/\nSee more help with --help$/, '')
    .replace(/^Parsing (--\S+) \n\t/, '$1: ')
    .replace(/^The following errors? occurred:\n */, '')
    .replace(/(?<=Missing required flag )(?!-)/g, '--')
}

const usage = (message: string, detail: Record<string, unknown>): Problem =>
  new Problem('INVALID_USAGE', message, detail)
