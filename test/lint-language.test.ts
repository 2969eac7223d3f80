import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findings, texts } from '../scripts/lint-language.ts'

const words = (file: string, text: string) => findings(file, text).map(({ word }) => word)

/** The list at the end of the project's rules for language, and the phrases of its table of examples. */
const phrases = [
  ...['so-manieth', 'whoever', 'befall', 'lest', 'at hand', 'let be', 'is told', 'are told', 'as good as'],
  ...['of its own accord', 'is to be had', 'anew', 'meanwhile', 'beside', 'knock', 'mends'],
  ...['befalls', 'is not to be had', 'comes twice', 'is left out', 'at most so many', 'after so long', 'for so long'],
  ...['asked wrongly', 'foresaw', 'word of the approver', 'again and again', 'the one way in', 'whose it is'],
  ...[
    'mishap',
    'asleep',
    'kept back',
    'cannot be told',
    'said once',
    'not fit',
    'ends well',
    'afresh',
    'wherein',
    'colour',
  ],
]

describe('the language lint', () => {
  test.each(phrases)('finds "%s" in comments, messages and documents', (phrase) => {
    expect(words('a.ts', `// It says ${phrase} here.\n`)).toEqual([phrase])
    expect(words('a.ts', `/** Returns ${phrase} here. */\nexport const a = 1\n`)).toEqual([phrase])
    expect(words('a.ts', `refuse('NOT_FOUND', 'It says ${phrase} here')\n`)).toEqual([phrase])
    expect(words('a.ts', `refuse('NOT_FOUND', \`\${name} says ${phrase} here\`)\n`)).toEqual([phrase])
    expect(words('a.css', `/* It says ${phrase} here. */\nbody { color: red }\n`)).toEqual([phrase])
    expect(words('a.md', `It says ${phrase} here.\n`)).toEqual([phrase])
  })

  test.each(['What', 'Who', 'Whose', 'Why', 'When', 'Where', 'How', 'That', 'Whether', 'So', 'Asked', 'Said'])(
    'refuses "%s" to start a doc comment',
    (first) => {
      expect(words('a.ts', `/** ${first} it does. */\nexport const a = 1\n`)).toEqual([first])
      expect(words('a.ts', `/**\n * ${first} it does.\n */\nexport const a = 1\n`)).toEqual([first])
      expect(words('a.ts', `// ${first} it does.\nconst a = 1\n`)).toEqual([])
    },
  )

  test.each(['mishap', 'openHub', 'Knock', 'laneLock', 'startPump', '#entrance', 'asleepToo'])(
    'refuses the name %s, and accepts words that only contain it',
    (name) => {
      const bare = name.replace('#', '')
      const hits = words('a.ts', name.startsWith('#') ? `class A { ${name} = 1 }\n` : `const ${bare} = 1\n`)
      expect(hits).toHaveLength(1)
      expect(words('a.ts', 'const github = airplane + doorknocker\n')).toEqual([])
    },
  )

  test.each(['Place', 'placeFlags', 'PlaceFlags', 'DeskState', 'ViewGround', '#ground', 'suitSigns', 'signsOf'])(
    'refuses the second meaning of a word in the name %s',
    (name) => {
      const text = name.startsWith('#') ? `class A { ${name} = 1 }\n` : `const ${name} = 1\n`
      expect(words('a.ts', text)).toHaveLength(1)
      const others = 'lastPlace + decimalPlaces + placeBets + deskRoutes + background + sign + traceDay'
      expect(words('a.ts', `const place = ${others}\n`)).toEqual([])
    },
  )

  test('finds a phrase that a line break divides, and words at the start of a sentence', () => {
    expect(words('a.ts', '/**\n * Returns the records at\n * hand.\n */\n')).toEqual(['at hand'])
    expect(words('a.md', 'Whoever asks\nis\ntold.\n')).toEqual(['Whoever', 'is told'])
  })

  test('names the line and the replacement', () => {
    const text = 'const a = 1\n\n/** Returns a. */\nconst b = "the rows at hand"\n'
    expect(findings('a.ts', text)).toEqual([{ line: 4, word: 'at hand', use: '"available", or name the thing' }])
  })

  test('accepts plain language, parts of words, code in documents and strings that are no message', () => {
    const text = `/** Returns the slips of a day. Lesteners and knockouts are words of their own. */
export const beside = 'beside'
// The reader of a half-closed stream gets an error.
log.info('sent 3 deliveries')\n`
    expect(words('a.ts', text)).toEqual([])
    expect(words('a.md', 'Use `beside` here.\n\n```sh\necho anew\n```\n')).toEqual([])
  })

  test('reads the components of pages: their comments, attributes and texts', () => {
    expect(words('a.tsx', '// A row at hand.\n')).toEqual(['at hand'])
    expect(words('a.tsx', 'const a = <p title="The row at hand">{n} rows at hand</p>\n')).toEqual([
      'at hand',
      'at hand',
    ])
    const files = texts(fileURLToPath(new URL('..', import.meta.url)))
    expect(files).toContain('src/world/desk/browser/parts/layout.tsx')
    expect(files).toContain('src/world/desk/receiver.ts')
  })

  test('runs with npm run lint', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(scripts.lint).toContain('node scripts/lint-language.ts')
  })
})

test.each(['nobody', 'somebody', 'told', 'is said', 'goes on', 'taken back', 'all the same', 'for ever'])(
  'comments, titles and documents may not contain "%s", and messages may',
  (phrase) => {
    expect(words('a.ts', `// A comment with ${phrase} in it.\n`)).toEqual([phrase])
    expect(words('a.test.ts', `test('a title with ${phrase} in it', () => {})\n`)).toEqual([phrase])
    expect(words('a.css', `/* A comment with ${phrase} in it. */\nbody { color: red }\n`)).toEqual([phrase])
    expect(words('a.md', `A sentence with ${phrase} in it.\n`)).toEqual([phrase])
    expect(words('a.ts', `log('a message with ${phrase} in it')\n`)).toEqual([])
    expect(words('docs/reference/a.md', `Help with ${phrase} in it.\n`)).toEqual([])
  },
)

describe('titles of tests', () => {
  test.each(['says so', 'holds for', 'nothing but', 'what cannot be', 'as it was'])(
    'may not contain "%s"',
    (phrase) => {
      expect(words('a.test.ts', `test('a title with ${phrase} in it', () => {})\n`)).toContain(phrase)
      expect(words('a.test.ts', `describe.each([1])('a title with ${phrase} in it', () => {})\n`)).toContain(phrase)
      expect(words('a.ts', `log('a message with ${phrase} in it')\n`)).toEqual([])
    },
  )
})

test('a suggested command has no placeholder for its folder, and a limit is not called most', () => {
  expect(words('a.ts', `note('Run: countroom bets sync --out DIR')\n`)).toEqual(['--out DIR'])
  expect(words('a.ts', 'const mostRows = 5\n')).toEqual(['most'])
})
