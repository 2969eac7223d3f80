/** Stands for the address of a book that has a password, in a command that is printed. The shell puts the address in. */
export const bookVariable = '"$COUNTROOM_BOOK"'

/** Quotes a word for a shell if necessary. */
export function quoted(word: string): string {
  if (word === bookVariable) return word
  return /^[A-Za-z0-9_.:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * Formats a command line that can be pasted into a shell. Flags come first if an argument starts with a dash, so that it
 * stays an argument.
 */
export function typedCommand(
  words: string,
  args: readonly string[],
  flags: Readonly<Record<string, string | true | undefined>>,
): string {
  const options = Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (value === true) return [`--${name}`]
    return value.startsWith('-') && value !== '-' ? [`--${name}=${quoted(value)}`] : [`--${name}`, quoted(value)]
  })
  // A single dash is stdin, not a flag.
  const end = args.some((arg) => arg.startsWith('-') && arg !== '-') ? ['--'] : []
  const all = end.length > 0 ? [...options, ...end, ...args.map(quoted)] : [...args.map(quoted), ...options]
  return ['countroom', words, ...all].join(' ')
}
