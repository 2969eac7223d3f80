import { grouped } from '../../kit/text/count-text.ts'
import { type Category, categories } from '../outcome/exit-codes.ts'
import type { Paint } from '../terminal/color.ts'
import { padEnd, widthOf, wrap } from '../terminal/text.ts'
import { inGroups } from './help-groups.ts'
import type { SearchResult } from './help-search.ts'
import { type ProseTopic, proseTopics } from './help-topics.ts'
import { type CommandEntry, type FlagEntry, type Program, wordsOf } from './manifest.ts'

/** Help is made from the manifest alone: neither oclif nor a command module is loaded. */

interface Page {
  readonly program: Program
  readonly width: number
  readonly paint: Paint
}

/** Exit categories of every command. */
const always: readonly Category[] = ['ok', 'unexpected', 'usage', 'configuration', 'stopped']

export function rootHelp(page: Page): string {
  const top = shown(page.program, (id) => !id.includes(':'))
  // The line of a topic also describes a command with its name, such as `serve` next to `serve exec`.
  const rows = [...new Map([...commandRows(top), ...topicRows(page.program)])]
  return sections(page, [
    ['', ['countroom: the count room of an online casino operator']],
    [
      'USAGE',
      ['$ countroom COMMAND [ARGUMENTS] [FLAGS]', '$ countroom help COMMAND|TOPIC', '$ countroom help --search WORD'],
    ],
    ...inGroups(rows.map(([word]) => word)).map(({ title, words }): [string, string[]] => [
      title,
      pairs(
        page,
        rows.filter(([word]) => words.includes(word)).sort(([a], [b]) => words.indexOf(a) - words.indexOf(b)),
      ),
    ]),
    [
      'MORE HELP',
      pairs(
        page,
        Object.entries(proseTopics).map(([name, { summary }]) => [`help ${name}`, summary]),
      ),
    ],
  ])
}

export function topicHelp(page: Page, id: string): string {
  return sections(page, [
    ['', [page.program.topics[id] ?? `Commands of ${wordsOf(id)}`]],
    ['USAGE', [`$ countroom ${wordsOf(id)} COMMAND`]],
    ['COMMANDS', pairs(page, commandRows(commandsOf(page.program, id)))],
  ])
}

export function proseHelp({ width }: Page, topic: ProseTopic): string {
  const blocks = proseTopics[topic].text().split('\n\n')
  return `${blocks.map((block) => (block.startsWith(' ') ? tableBlock(block, width) : paragraph(block, width))).join('\n\n')}\n`
}

const paragraph = (block: string, width: number): string => wrap(block.replaceAll('\n', ' '), width).join('\n')

/** Lays out lines with columns. Text that is too wide continues under the last column, or on its own lines if that is narrow. */
function tableBlock(block: string, width: number): string {
  return block
    .split('\n')
    .flatMap((line) => {
      const start = /^ +(?:\S+ )*\S+ {2,}(?:\S+ {2,})*/.exec(line)?.[0].length ?? 2
      if (widthOf(line) <= width) return [line]
      if (width - start < 20) {
        const below = wrap(line.slice(start), width - 6).map((part) => `      ${part}`)
        return [line.slice(0, start).trimEnd(), ...below]
      }
      const [first = '', ...more] = wrap(line.slice(start), width - start)
      return [line.slice(0, start) + first, ...more.map((part) => ' '.repeat(start) + part)]
    })
    .join('\n')
}

/** Wraps paragraphs. Lines that start with two spaces are rows of a list with columns. */
function descriptionLines(text: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('  ') ? tableBlock(line, width).split('\n') : wrap(line, width)))
}

const argsText = (command: CommandEntry): string =>
  Object.values(command.args)
    .filter(({ hidden }) => !hidden)
    .map((arg) => ` ${arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`}${arg.multiple ? '…' : ''}`)
    .join('')

/** Formats the result of a search: one command per line, with its matching flags below. */
export function searchText(page: Page, { commands, topics }: SearchResult): string {
  const { width, paint } = page
  const usages = commands.map(({ command }) => `countroom ${wordsOf(command.id)}${argsText(command)}`)
  const left = Math.min(Math.max(0, ...usages.map(widthOf)), Math.floor(width / 2))
  const lines = commands.flatMap(({ command, flags }, i) => [
    ...pairs(page, [[usages[i] ?? '', command.summary ?? '']], left).map((line, row) =>
      row === 0 ? line.replace(usages[i] ?? '', (usage) => paint('bold', usage)) : line,
    ),
    ...pairs(
      page,
      flags.map((flag): [string, string] => [`    ${flagForm(flag)}`, flag.summary ?? '']),
      left,
    ),
  ])
  const more = topics.map((name): [string, string] => [`countroom help ${name}`, proseTopics[name].summary])
  return `${[...lines, ...pairs(page, more, left)].join('\n')}\n`
}

/** Returns the data of `help --search --json`. */
export function searchData(search: string, { commands, topics }: SearchResult) {
  return {
    search,
    commands: commands.map(({ command, flags }) => ({
      command: wordsOf(command.id),
      usage: usageOf(command),
      summary: command.summary ?? null,
      flags: flags.map((flag) => ({ flag: flagForm(flag), summary: flag.summary ?? flag.description ?? null })),
    })),
    topics,
  }
}

export function commandHelp(page: Page, command: CommandEntry): string {
  const global = Object.values(command.flags).filter(({ hidden, helpGroup }) => !hidden && helpGroup === 'GLOBAL')
  const args = Object.values(command.args).filter(({ hidden }) => !hidden)
  const below = commandsOf(page.program, command.id)
  const text = page.width - 2
  return sections(page, [
    ['', [command.summary ?? wordsOf(command.id)]],
    ['EXAMPLES', exampleLines(command)],
    ['USAGE', usageLines(command, text)],
    ['DESCRIPTION', command.description ? descriptionLines(command.description, text) : []],
    [
      'ARGUMENTS',
      pairs(
        page,
        args.map((arg) => [arg.name.toUpperCase(), withOptions(arg.description ?? '', arg, arg.name.toUpperCase())]),
      ),
    ],
    ['FLAGS', pairs(page, ownFlags(command).map(flagRow))],
    ['GLOBAL FLAGS', pairs(page, global.map(flagRow))],
    [
      'EXIT CODES',
      pairs(
        page,
        exitsOf(command).map((name) => [String(exitText(name)), categories[name].meaning]),
      ),
    ],
    [
      'ENVIRONMENT',
      [...(command.variables ?? []), 'Settings: countroom help environment'].flatMap((line) => wrap(line, text)),
    ],
    [
      'FILES',
      [...(command.files ?? []), 'Settings and profiles: countroom help files'].flatMap((line) => wrap(line, text)),
    ],
    ['COMMANDS', pairs(page, commandRows(below))],
  ])
}

/** Flags that many commands share. Help lists them after the others, in this order. */
const sharedFlags = 'book ping metrics dry-run yes confirm-total columns csv bom jsonl no-header'.split(' ')

/** Returns the flags of a command without the global ones: required ones first, shared ones last. Also used by the generated reference. */
export function ownFlags(command: CommandEntry): FlagEntry[] {
  const place = ({ name, type, required }: FlagEntry) => {
    // The --csv of a reconciliation names a file, and is not that of tables.
    const isShared = !(name === 'csv' && type === 'option')
    return required ? -2 : isShared ? sharedFlags.indexOf(name) : -1
  }
  return Object.values(command.flags)
    .filter(({ hidden, helpGroup }) => !hidden && helpGroup !== 'GLOBAL')
    .sort((a, b) => place(a) - place(b))
}

/** Returns the usage line. It is also printed with usage errors. */
export const usageOf = (command: CommandEntry): string => usageParts(command).join(' ')

/** Returns the parts of the usage line that stay together: the command, and each argument and flag with its value. */
function usageParts(command: CommandEntry): string[] {
  const args = Object.values(command.args)
    .filter(({ hidden }) => !hidden)
    .map((arg) => {
      const name = `${arg.name.toUpperCase()}${arg.multiple ? '…' : ''}`
      return arg.required ? name : `[${name}]`
    })
  const flags = ownFlags(command).map((flag) => (flag.required ? flagForm(flag) : `[${flagForm(flag)}]`))
  return [`countroom ${wordsOf(command.id)}`, ...args, ...flags]
}

/** Breaks the usage line between its parts, with the other lines indented. */
function usageLines(command: CommandEntry, width: number): string[] {
  const lines: string[] = []
  let line = '$'
  for (const part of usageParts(command)) {
    if (widthOf(line) + 1 + widthOf(part) > width && line !== '$') {
      lines.push(line)
      line = `   ${part}`
    } else line += ` ${part}`
  }
  return [...lines, line]
}

/** Returns the examples. An empty line ends one with a description, if the next has none of its own. */
function exampleLines(command: CommandEntry): string[] {
  const examples = examplesOf(command)
  return examples.flatMap(({ description, line }, i) => {
    const isApart = !description && examples[i - 1]?.description
    return [...(isApart ? [''] : []), ...(description ? [description] : []), `  $ ${line}`]
  })
}

/** Returns the data of `help --json`. */
export function helpData(program: Program, id: string | undefined) {
  const command = id === undefined ? undefined : program.commands.get(id)
  if (command !== undefined) {
    return {
      command: wordsOf(command.id),
      summary: command.summary ?? null,
      description: command.description ?? null,
      usage: usageOf(command),
      examples: examplesOf(command).map(({ line }) => line),
      exitCodes: exitsOf(command).map((name) => ({
        exit: exitText(name),
        category: name,
        meaning: categories[name].meaning,
      })),
    }
  }
  const commands = id === undefined ? program.commands.all() : commandsOf(program, id)
  return {
    topic: id === undefined ? null : wordsOf(id),
    commands: commands
      .filter(({ hidden }) => !hidden)
      .map((entry) => ({ command: wordsOf(entry.id), summary: entry.summary ?? null })),
  }
}

/** Returns the exit categories of a command, sorted by code. */
export function exitsOf(command: CommandEntry): Category[] {
  const all = new Set<Category>([...always, ...(command.exits ?? [])])
  return [...all].sort((a, b) => categories[a].exit - categories[b].exit)
}

const exitText = (name: Category): string => (name === 'stopped' ? '130, 143' : String(categories[name].exit))

function examplesOf(command: CommandEntry): { description?: string | undefined; line: string }[] {
  return (command.examples ?? []).map((example) => {
    const { command: line, description } =
      typeof example === 'string' ? { command: example, description: undefined } : example
    const filled = line
      .replaceAll('<%= config.bin %>', 'countroom')
      .replaceAll('<%= command.id %>', wordsOf(command.id))
    return { description, line: filled.replace(/^\$ /, '') }
  })
}

function shown({ commands }: Program, isOneOf: (id: string) => boolean): CommandEntry[] {
  return commands.ids
    .filter(isOneOf)
    .flatMap((id) => commands.get(id) ?? [])
    .filter(({ hidden }) => !hidden)
}

const commandsOf = (program: Program, topic: string): CommandEntry[] =>
  shown(program, (id) => id.startsWith(`${topic}:`))

const commandRows = (commands: readonly CommandEntry[]): [string, string][] =>
  commands.map(({ id, summary }) => [wordsOf(id), summary ?? ''])

function topicRows({ commands, topics }: Program): [string, string][] {
  const ids = commands.ids.filter((id) => id.includes(':'))
  const names = [...new Set(ids.map((id) => id.slice(0, id.indexOf(':'))))]
  const isShown = (name: string) => ids.some((id) => id.startsWith(`${name}:`) && !commands.get(id)?.hidden)
  return names.filter(isShown).map((name) => [name, topics[name] ?? ''])
}

const flagForm = (flag: FlagEntry): string => {
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
  return flag.type === 'option' ? `${name} ${valueForm(flag)}` : name
}

const valueForm = (flag: FlagEntry): string =>
  flag.helpValue ?? (flag.options && flag.options.length <= 4 ? flag.options.join('|') : flag.name.toUpperCase())

/** Returns a flag's form and its meaning. Also used by the generated reference. */
export function flagRow(flag: FlagEntry): [string, string] {
  const short = flag.char === undefined ? '' : `-${flag.char}, `
  const form = flagForm(flag)
  return [`${short}${form}`, withOptions(flag.summary ?? flag.description ?? '', flag, form)]
}

/**
 * Returns a text with its options, unless its form names them, its default and whether it is required. Also used by the
 * generated reference.
 */
export function withOptions(
  text: string,
  {
    options,
    default: defaultValue,
    min,
    max,
    required,
  }: Pick<FlagEntry, 'options' | 'default' | 'min' | 'max' | 'required'>,
  form: string,
) {
  const notes = [
    ...(options && !form.endsWith(options.join('|')) ? [optionsText(options)] : []),
    ...(defaultValue === undefined || defaultValue === false || defaultValue === ''
      ? []
      : [`default ${String(defaultValue)}`]),
    ...(min === undefined || max === undefined ? [] : [`${min} to ${grouped(max)}`]),
    ...(required ? ['required'] : []),
  ]
  if (notes.length === 0) return text
  const added = `${notes.join('; ')})`
  return text.endsWith(')') ? `${text.slice(0, -1)}; ${added}` : `${text} (${added}`
}

/** Lists a few values in words: "on or off". */
const optionsText = (options: readonly string[]): string =>
  options.length > 4 ? `one of ${options.join(', ')}` : options.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** Lays out two columns. The left one takes at most 40% of the width; longer entries get their own line. */
function pairs(
  { width }: Page,
  rows: readonly (readonly [string, string])[],
  left = Math.min(Math.max(0, ...rows.map(([name]) => widthOf(name))), Math.floor(width / 2.5)),
): string[] {
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - left - 4)
    const isLong = widthOf(name) > left
    const head = isLong ? [name] : [`${padEnd(name, left)}  ${lines[0] ?? ''}`.trimEnd()]
    const tail = isLong ? lines : lines.slice(1)
    return [...head, ...tail.map((line) => `${' '.repeat(left)}  ${line}`)]
  })
}

function sections({ paint }: Page, parts: readonly (readonly [string, readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      title === ''
        ? lines.join('\n')
        : [paint('bold', title), ...lines.map((line) => `  ${line}`.trimEnd())].join('\n'),
    )
    .join('\n\n')
    .concat('\n')
}
