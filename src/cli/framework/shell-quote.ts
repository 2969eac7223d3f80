/** A command line as a person would type it: flags first, so that a name which begins with a dash stays a name. */
export function typedCommand(
  words: string,
  args: readonly string[],
  flags: Readonly<Record<string, string | true | undefined>>,
): string {
  const options = Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (value === true) return [`--${name}`]
    return value.startsWith('-') ? [`--${name}=${quoted(value)}`] : [`--${name}`, quoted(value)]
  })
  // A dash alone is stdin, and no flag.
  const end = args.some((arg) => arg.startsWith('-') && arg !== '-') ? ['--'] : []
  const all = end.length > 0 ? [...options, ...end, ...args.map(quoted)] : [...args.map(quoted), ...options]
  return ['countroom', words, ...all].join(' ')
}

/** As one word of a shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_.:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
