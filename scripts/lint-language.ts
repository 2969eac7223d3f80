/**
 * Checks the language of comments, messages and documents against a list of banned words, and the first word of doc comments.
 * `npm run lint` runs it. Prints `file:line: word – use …` per finding and exits 1 when there is one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

interface BannedWord {
  readonly pattern: RegExp
  readonly use: string
}

export interface Finding {
  readonly line: number
  readonly word: string
  readonly use: string
}

/** Words and phrases that no text of this project contains, each with its replacement. */
const banned: readonly BannedWord[] = [
  ban('so-manieth', '"every Nth"'),
  ban('whoever', '"anyone who", or name the caller'),
  ban('befalls?|befell|befallen', '"happens to", or "injected fault"'),
  ban('lest', '"so that … does not"'),
  ban('at hand', '"available", or name the thing'),
  ban('let be', '"keep", "ignore" or "skip"'),
  ban('(?:is|are|was|were|cannot be|be|been|being) told', '"gets", "is notified" or, for a verdict, "inconclusive"'),
  ban('as good as', '"almost", or the figure'),
  ban('of (?:its|their) own accord', '"automatically"'),
  ban('(?:is|are|was|were) (?:not )?to be had', '"is (not) available"'),
  ban('anew', '"again", or "new"'),
  ban('meanwhile', '"during this time", or name the time'),
  ban('beside', '"next to", "with" or "in addition to"'),
  ban('knock(?:s|ed|ing)?', '"authentication", "request" or "attempt"'),
  ban('mends?|mended|mending', '"fixes" or "repairs"'),
  ban('(?:comes?|came|coming) twice', '"duplicate"'),
  ban('(?:is|are|was|were|be|been) left out', '"is omitted" or "is skipped"'),
  ban('at most so (?:many|long|much)', '"maximum …"'),
  ban('after so long|for so long|so long for', '"after this long", or the duration'),
  ban('kept back', '"blocked" or "held"'),
  ban('word of (?:the|an) approver', '"approval"'),
  ban('asked wrongly', '"invalid"'),
  ban('foresaw|foreseen', '"unexpected error"'),
  ban('mishaps?', '"injected fault"'),
  ban('asleep', '"snoozed"'),
  ban('whose it is', '"owner", "assignee"'),
  ban('again and again', '"repeatedly", or the number'),
  ban('ends? well', '"exits 0" or "succeeds"'),
  ban('not fit(?! into)', '"invalid"'),
  ban('afresh', '"again"'),
  ban('the one way in', '"admission control"'),
  ban('said once', '"idempotent", "idempotency key"'),
  ban('hitherto|henceforth|thereof|wherein|whereof|forthwith|aught|naught', 'a modern word'),
  ban('lines? of history', '"timeline"'),
  ban('--out DIR', 'a folder, so that the command can be pasted'),
  ban('colour(?:s|ed)?|behaviours?|favours?', 'American spelling'),
]

/** Words that no identifier contains, each with its replacement. */
const bannedNames: readonly BannedWord[] = [
  banName('befall|befallen|befalls|mishap|mishaps', '"fault"'),
  banName('entrance', '"admission control"'),
  banName('hub', '"broadcaster"'),
  banName('knock|knocking', '"authenticate…", "AuthRequest"'),
  banName('lanes?', '"write group"'),
  banName('pump', '"scheduler"'),
  banName('asleep', '"snoozed"'),
  banName('most(?= [A-Z])', '"max"'),
  banName('spoilt|doomed|unkept|unheard|untried|unmade', 'a noun: "result", "damage", "scheduled"'),
  banName('tongue', '"language"'),
  banName('curtain', '"overlay"'),
  // A place is the number of a row in its order. Bets and orders are placed, and decimals have places.
  banWholeName('Place|[Pp]lace Flags', '"target", "index", "slot" or the thing itself'),
  banWholeName('[Dd]esk (?:State|Run|Picture|Store|Event)', '"workspace": the desk is the page of a served world'),
  banName('grounds?', '"dependencies"'),
  banWholeName('signs|[a-z]+ Signs|signs Of.*', '"characters" or "symbols": a sign is of a request or an amount'),
  banWholeName('traces|[a-z]+ Traces', '"stack", or what is left: a trace is of a reconciled day'),
  banName('furnish|bury|namesake|tellable|keepable|askable|bendable|sofar', 'a word of the field'),
]

/** Words that no comment, title of a test or document contains. Messages may: they quote names and texts of others. */
const bannedProse: readonly BannedWord[] = [
  ban('nobody|somebody|everybody|anybody', 'the role: "no player", "another agent", "the caller"'),
  ban('(?<!(?:is|are|was|were|be|been|being) )told', '"reported", "notified" or "sent"'),
  ban('(?:is|are|was|were) said', '"is reported", or what is printed'),
  ban('(?:goes|go|going|went) on', '"continues"'),
  ban('(?:takes?|taken) back', '"is undone", "is canceled" or "is reversed"'),
  ban('all the same', '"still"'),
  ban('for ever', '"forever", or the duration'),
  ban('in the midst', '"during"'),
  ban('besides', '"in addition to", "except"'),
]

/** Words that no title of a test contains: it states a fact in the field's words. */
const bannedTitles: readonly BannedWord[] = [
  ...bannedProse,
  ban('(?:says?|said) so', '"reports it", or what is printed'),
  ban('holds? for', '"applies to", "is valid for"'),
  ban('has nothing but|nothing but', '"only"'),
  ban('what cannot be', '"an invalid …" or "an impossible …"'),
  ban('as it was', '"unchanged"'),
]

/** First words that a doc comment may not have: it starts with a verb or a noun phrase. */
const docStart = /^(?:What|Who|Whom|Whose|Why|When|Where|How|That|Whether|So|Asked|Said)\b/

/** Returns the findings in one file's text. The file name's extension selects the texts that are read. */
export function findings(file: string, text: string): Finding[] {
  // Generated from help, which quotes values such as "nobody".
  const isReference = file.startsWith('docs/reference/')
  if (file.endsWith('.md'))
    return inTexts(text, [{ start: 0, text: withoutCode(text), isDoc: false, isProse: !isReference }])
  if (file.endsWith('.json')) return inTexts(text, [{ start: 0, text, isDoc: false }])
  if (file.endsWith('.css')) return inTexts(text, commentsOfCss(text))
  return inTexts(text, textsOfScript(file, text))
}

interface TextPart {
  readonly start: number
  readonly text: string
  readonly isDoc: boolean
  readonly isName?: boolean
  readonly isTitle?: boolean
  readonly isProse?: boolean
}

function inTexts(whole: string, parts: readonly TextPart[]): Finding[] {
  const results: Finding[] = []
  for (const part of parts) {
    for (const { pattern, use } of wordsFor(part)) {
      for (const match of part.text.matchAll(pattern))
        results.push({ line: lineAt(whole, part.start + match.index), word: match[0].replace(/[\s*/]+/g, ' '), use })
    }
    const first = part.isDoc ? docStart.exec(part.text.replace(/^[\s*]+/, ''))?.[0] : undefined
    if (first)
      results.push({
        line: lineAt(whole, part.start),
        word: first,
        use: 'a verb or a noun phrase to start a doc comment',
      })
  }
  return results.sort((a, b) => a.line - b.line)
}

function wordsFor({ isTitle, isName, isProse }: TextPart): readonly BannedWord[] {
  if (isTitle) return bannedTitles
  if (isName) return bannedNames
  return isProse ? [...banned, ...bannedProse] : banned
}

/** Returns the comments, and the strings that contain a space between two words: those are messages, help or SQL. */
function textsOfScript(file: string, text: string): TextPart[] {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const parts: TextPart[] = comments.map(({ type, value, start }) => ({
    start: start + 2,
    text: value,
    isDoc: type === 'Block' && value.startsWith('*'),
    isProse: true,
  }))
  const addName = ({ name, start }: { readonly name: string; readonly start: number }) =>
    parts.push({ start, text: name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '), isDoc: false, isName: true })
  const isMessage = (value: string) => /\p{L}\S*\s+\S*\p{L}/u.test(value)
  const addLiteral = (start: number, value: string) => {
    if (isMessage(value)) parts.push({ start, text: value, isDoc: false })
  }
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') addLiteral(node.start + 1, node.value)
    },
    JSXText: (node) => addLiteral(node.start, node.value),
    TemplateElement: (node) => addLiteral(node.start, node.value.raw),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!file.endsWith('.test.ts') || title === undefined || !isTestFunction(callee)) return
      if (title.type === 'Literal' && typeof title.value === 'string')
        parts.push({ start: title.start, text: title.value, isDoc: false, isTitle: true })
    },
    Identifier: (node) => addName(node),
    PrivateIdentifier: (node) => addName(node),
  }).visit(program)
  return parts
}

/** Returns whether a callee is `test` or `describe`, also as `test.skipIf(…)` or `test.each(…)`. */
function isTestFunction(callee: { readonly type: string }): boolean {
  if (callee.type === 'Identifier') return ['test', 'describe'].includes((callee as { name?: string }).name ?? '')
  const { object, callee: inner } = callee as { object?: { type: string }; callee?: { type: string } }
  const next = callee.type === 'MemberExpression' ? object : inner
  return next !== undefined && isTestFunction(next)
}

function commentsOfCss(text: string): TextPart[] {
  return [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({
    start: match.index + 2,
    text: match[1] ?? '',
    isDoc: false,
    isProse: true,
  }))
}

/** Blanks out code blocks and inline code, and keeps every line at its place. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ')
  return text.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]+`/g, blank)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Words of a phrase may be divided by a line break and the comment's margin. */
function ban(words: string, use: string): BannedWord {
  return { pattern: new RegExp(`(?<![\\w-])(?:${words.replaceAll(' ', '[\\s*/]+')})(?![\\w-])`, 'gi'), use }
}

function banName(words: string, use: string): BannedWord {
  return { pattern: new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'gi'), use }
}

/** Matches a whole identifier, whose words are divided by spaces: `[Pp]lace Flags` is `placeFlags` and `PlaceFlags`. */
function banWholeName(words: string, use: string): BannedWord {
  return { pattern: new RegExp(`^(?:${words})$`, 'g'), use }
}

/** Lists the repository's texts: what git tracks or would track. */
export function texts(root: string): string[] {
  const git = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (git.status !== 0) throw new Error(`git ls-files failed: ${git.stderr}`)
  const isText = (file: string) => /\.(?:tsx?|mts|mjs|js|css|md)$/.test(file) || file === 'package.json'
  // This list and its test contain the words themselves; the seed words are data.
  const isList = (file: string) => /(?:^|\/)(?:lint-language(?:\.test)?|seed-words)\.ts$/.test(file)
  return git.stdout.split('\n').filter((file) => isText(file) && !isList(file) && existsSync(join(root, file)))
}

/** Prints the findings of the files in question and returns the exit code. Arguments name folders or files to check. */
function run(root: string, only: readonly string[]): number {
  const isSelected = (file: string) => only.length === 0 || only.some((path) => file.startsWith(path))
  let count = 0
  for (const file of texts(root).filter(isSelected)) {
    for (const { line, word, use } of findings(file, readFileSync(join(root, file), 'utf8'))) {
      process.stdout.write(`${file}:${line}: ${word} – use ${use}\n`)
      count++
    }
  }
  if (count > 0) process.stdout.write(`${count} finding${count === 1 ? '' : 's'}\n`)
  return count > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = run(join(import.meta.dirname, '..'), process.argv.slice(2))
