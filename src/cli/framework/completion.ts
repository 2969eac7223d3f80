import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../domain/players/player.ts'
import { selectableEvents } from '../../domain/webhooks/events.ts'
import { makeFolder } from '../../kit/make-folder.ts'
import type { Paths } from '../../world/config/paths.ts'
import { profileNames } from '../../world/config/profiles.ts'
import { scenarioNames } from '../../world/scenarios/names.ts'
import { proseTopics } from './help-topics.ts'
import { type CommandEntry, type FlagEntry, type Program, wordsOf } from './manifest.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Kinds of dynamic completion values. Profile names are read from their folder; the others are names seen by earlier runs. */
export type Kind =
  | 'profiles'
  | 'zones'
  | 'users'
  | 'tables'
  | 'tenants'
  | 'plans'
  | 'periods'
  | 'languages'
  | 'events'
  | 'commands'
  | 'shells'
  | 'topics'
  | 'snapshots'
  | 'scenarios'
  | 'files'

/** Default completion kind of an argument or flag, by its name. A command overrides it in its static `completes`. */
const defaultKinds: Readonly<Record<string, Kind>> = {
  profile: 'profiles',
  user: 'users',
  username: 'users',
  table: 'tables',
  tableId: 'tables',
  code: 'tenants',
  tenant: 'tenants',
  lang: 'languages',
  shell: 'shells',
}

/** Maximum number of stored names per kind. */
const maxNames = 2000

const cacheFile = (paths: Paths, kind: Kind): string => join(paths.cache, 'names', `${kind}.json`)

/**
 * Returns the completion values of a kind from local files only. Makes no request and opens no database, because
 * completion must be fast and may run in any folder.
 */
export function completionsFor(kind: Kind, program: Program, paths: Paths): readonly string[] {
  if (kind === 'profiles') return profileNames(paths)
  if (kind === 'zones') return Intl.supportedValuesOf('timeZone')
  if (kind === 'shells') return shells
  if (kind === 'languages') return languages
  if (kind === 'events') return ['all', ...selectableEvents]
  if (kind === 'commands') return program.commands.map(({ id }) => wordsOf(id))
  if (kind === 'topics') return Object.keys(proseTopics)
  if (kind === 'scenarios') return scenarioNames
  if (kind === 'files') return []
  return readNames(cacheFile(paths, kind))
}

/** Stores names for completion, newest first. A failed write is ignored. */
export function rememberNames(
  paths: Paths,
  kind: 'users' | 'tables' | 'tenants' | 'plans' | 'periods' | 'snapshots',
  names: readonly string[],
): void {
  const file = cacheFile(paths, kind)
  try {
    makeFolder(join(paths.cache, 'names'), 0o700)
    const all = [...new Set([...names, ...readNames(file)])].slice(0, maxNames)
    writeFileSync(file, JSON.stringify(all), { mode: 0o600 })
  } catch {
    // Completion is optional, so a read-only cache is no error.
  }
}

/** Returns the names of a kind that earlier runs stored. */
export const knownNames = (paths: Paths, kind: 'users' | 'tables'): string[] => readNames(cacheFile(paths, kind))

function readNames(file: string): string[] {
  try {
    const held: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
    return Array.isArray(held) ? held.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** A completion candidate and its description. */
export interface Candidate {
  readonly word: string
  readonly about: string
}

/** Returns the candidates for the last word. An empty result lets the shell complete file names. */
export function candidates(program: Program, paths: Paths, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const all =
    before[0] === 'help' ? helpWords(program, before.slice(1), current) : allCandidates(program, paths, before, current)
  return all
    .filter(({ word }) => word.startsWith(current))
    .sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0))
}

function allCandidates(program: Program, paths: Paths, before: readonly string[], current: string): Candidate[] {
  const command = commandAt(program, before)
  if (command === undefined) return current.startsWith('-') ? rootFlags : nextWords(program, before)
  const used = before.slice(command.id.split(':').length)
  const pending = pendingFlag(command, used)
  if (pending !== undefined) {
    const values = valuesOf(program, paths, command, pending.name, pending.options)
    return lists.has(pending.name) ? inList(values, current) : values
  }
  const isPastFlags = used.includes('--')
  if (current.startsWith('-') && !isPastFlags) return flagWords(command, used, current, program, paths)
  const arg = argAt(command, positionals(command, used))
  const values = arg === undefined ? [] : valuesOf(program, paths, command, arg.name, arg.options)
  return values.length > 0 || arg !== undefined ? values : flagWords(command, used, current, program, paths)
}

const rootFlags: Candidate[] = [
  { word: '--help', about: 'Show help' },
  { word: '--version', about: 'Show versions' },
]

function commandAt(program: Program, words: readonly string[]): CommandEntry | undefined {
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    const command = program.commands.find((entry) => entry.id === id)
    if (command !== undefined) return command
  }
  return undefined
}

/** Returns the next words of commands that start with these words. */
function nextWords(program: Program, before: readonly string[]): Candidate[] {
  const prefix = before.map((word) => `${word}:`).join('')
  const next = new Map<string, string>()
  for (const { id, summary, hidden } of program.commands) {
    if (hidden || !id.startsWith(prefix)) continue
    const [word = '', ...more] = id.slice(prefix.length).split(':')
    const about = more.length === 0 ? (summary ?? '') : (program.topics[prefix + word] ?? '')
    if (!next.has(word) || more.length === 0) next.set(word, about)
  }
  if (before.length === 0) next.set('help', 'Show help for a command or topic')
  return [...next].map(([word, about]) => ({ word, about }))
}

function helpWords(program: Program, before: readonly string[], current: string): Candidate[] {
  if (before.some((word) => word.startsWith('--search'))) return []
  if (current.startsWith('-')) return [{ word: '--search', about: 'Search commands and flags for a word' }]
  const prose =
    before.length > 0 ? [] : Object.entries(proseTopics).map(([word, { summary }]) => ({ word, about: summary }))
  return [...nextWords(program, before).filter(({ word }) => word !== 'help'), ...prose]
}

const byWord = (command: CommandEntry, word: string): FlagEntry | undefined =>
  Object.values(command.flags).find(
    ({ name, char, aliases = [] }) =>
      [name, ...aliases].some((known) => word === `--${known}`) || (char !== undefined && word === `-${char}`),
  )

/** Flags whose value is a comma-separated list. */
const lists: ReadonlySet<string> = new Set(['events', 'tables'])

/** Extends candidates of a list flag: keeps the typed prefix and drops values already in it. */
function inList(values: readonly Candidate[], current: string): Candidate[] {
  const begun = current.slice(0, current.lastIndexOf(',') + 1)
  const usedValues = begun === '' ? [] : ['all', ...begun.split(',')]
  return values
    .filter(({ word }) => !usedValues.includes(word))
    .map(({ word, about }) => ({ word: begun + word, about }))
}

/** Returns the flag whose value is being typed. */
function pendingFlag(command: CommandEntry, used: readonly string[]): FlagEntry | undefined {
  if (used.slice(0, -1).includes('--')) return undefined
  const flag = byWord(command, used.at(-1) ?? '')
  return flag?.type === 'option' ? flag : undefined
}

function positionals(command: CommandEntry, used: readonly string[]): number {
  let count = 0
  for (let at = 0; at < used.length; at++) {
    const word = used[at] ?? ''
    if (word === '--') return count + used.length - at - 1
    if (!word.startsWith('-') || word === '-') count++
    else if (byWord(command, word)?.type === 'option') at++
  }
  return count
}

function argAt(command: CommandEntry, index: number) {
  const args = Object.values(command.args).filter(({ hidden }) => !hidden)
  const last = args.at(-1)
  return args[index] ?? (last?.multiple ? last : undefined)
}

function flagWords(
  command: CommandEntry,
  used: readonly string[],
  current: string,
  program: Program,
  paths: Paths,
): Candidate[] {
  const [name, typed] = current.split('=', 2)
  const flag = typed === undefined ? undefined : byWord(command, name ?? '')
  if (flag !== undefined) {
    return valuesOf(program, paths, command, flag.name, flag.options).map(({ word, about }) => ({
      word: `${name}=${word}`,
      about,
    }))
  }
  const open = Object.values(command.flags).filter(
    ({ hidden, multiple, name: long }) => !hidden && (multiple || !used.includes(`--${long}`)),
  )
  return [
    ...open.map(({ name: long, summary }) => ({ word: `--${long}`, about: summary ?? '' })),
    { word: '--help', about: 'Show help' },
  ]
}

function valuesOf(
  program: Program,
  paths: Paths,
  command: CommandEntry,
  name: string,
  options: readonly string[] | undefined,
): Candidate[] {
  if (options !== undefined) return options.map((word) => ({ word, about: '' }))
  const kind = (command.completes?.[name] as Kind | undefined) ?? defaultKinds[name]
  return kind === undefined ? [] : completionsFor(kind, program, paths).map((word) => ({ word, about: '' }))
}

/**
 * Returns the output of `countroom __complete SHELL WORD…`, which the shells call on Tab; the last word is the one at the
 * cursor. One candidate per line, with a tab and a description if the shell can show it.
 */
export function completeLines(program: Program, paths: Paths, shell: string, words: readonly string[]): string {
  const matches = candidates(program, paths, words)
  const line = ({ word, about }: Candidate) => {
    if (shell === 'bash' || about === '') return word
    return shell === 'zsh' ? `${word.replaceAll(':', '\\:')}:${about}` : `${word}\t${about}`
  }
  return matches.map((candidate) => `${line(candidate)}\n`).join('')
}

/** Returns the completion script of a shell. It calls this program and has no list of its own, so it never becomes stale. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# countroom completion for bash. Load it with: source <(countroom completion bash)
_countroom() {
  local IFS=$'\\n' line="\${COMP_LINE:0:COMP_POINT}" cur="\${COMP_WORDS[COMP_CWORD]}"
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash takes "=" and ":" for ends of words; --flag=value is put together again here and cut off again below.
  local joined=() word
  for word in "\${words[@]}"; do
    if [[ \${#joined[@]} -gt 0 && ( $word == "=" || \${joined[-1]} == --*= ) ]]; then joined[-1]+="$word"; else joined+=("$word"); fi
  done
  local prefix=""
  if [[ \${joined[-1]} == --*=* ]]; then prefix="\${joined[-1]%%=*}="; fi
  COMPREPLY=()
  local reply
  while read -r reply; do COMPREPLY+=("\${reply#"$prefix"}"); done < <("\${COMP_WORDS[0]}" __complete bash "\${joined[@]}" 2>/dev/null)
}
complete -o default -o bashdefault -F _countroom countroom
`,
  zsh: `#compdef countroom
# countroom completion for zsh. Load it with: source <(countroom completion zsh)
_countroom() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${#found} -eq 0 || -z "\${found[1]}" ]]; then _files; else _describe 'countroom' found; fi
}
if [[ "\${funcstack[1]}" == "_countroom" ]]; then _countroom "$@"; else compdef _countroom countroom; fi
`,
  fish: `# countroom completion for fish. Load it with: countroom completion fish | source
function __countroom_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] __complete fish $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c countroom -f -a '(__countroom_complete)'
`,
  powershell: `# countroom completion for PowerShell. Load it with: countroom completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName countroom -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '' }
    # Older PowerShell drops an empty argument on its way to a program; a lone quoted pair survives.
    $arguments = $words | ForEach-Object { if ($_ -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { $_ } }
    & countroom __complete powershell @arguments 2>$null | ForEach-Object {
        $parts = $_ -split "\`t", 2
        $about = if ($parts.Length -gt 1 -and $parts[1]) { $parts[1] } else { $parts[0] }
        [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', $about)
    }
}
`,
}
