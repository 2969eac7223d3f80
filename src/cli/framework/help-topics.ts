import { settingKinds } from '../../world/config/config.ts'
import { categories } from '../outcome/exit-codes.ts'
import { padEnd } from '../terminal/text.ts'

/** The topics of prose that `countroom help X` shows besides commands. */
export const proseTopics = {
  'exit-codes': { summary: 'What each exit code means', text: exitCodes },
  environment: { summary: 'The variables the program reads', text: environment },
  files: { summary: 'Where the program keeps what it keeps', text: files },
  profiles: { summary: 'How a command knows which services to speak to', text: profiles },
} as const satisfies Record<string, { summary: string; text: () => string }>

export type ProseTopic = keyof typeof proseTopics

export const isProseTopic = (word: string): word is ProseTopic => Object.hasOwn(proseTopics, word)

function exitCodes(): string {
  const rows = Object.entries(categories).map(([name, { exit, meaning }]) => {
    const code = name === 'stopped' ? '130/143' : String(exit)
    return `  ${padEnd(code, 8)} ${padEnd(name, 16)} ${meaning}`
  })
  return `A run ends in one of these, with --json and without. The second column is the "category" of the error in --json.

${rows.join('\n')}

A command can find something to complain of and still have a result: a reconciliation that found differences prints its
report and ends in 9. With --json such a run has both "data" and "error", and its "status" is "error".

A batch ends in 0 when every row was done, in 8 when some were, and in the code of the worst row when none was. A row
whose outcome is unknown makes it 10, whatever else happened.

A result that cannot be written to stdout, because the disk is full for one, is said on stderr, also with --json. A run
that was well otherwise then ends in 7, or in 10 where it changed something: whoever called does not have the result. A
reader that has seen enough ("| head") is no failure.`
}

function environment(): string {
  const width = 26
  const rows = Object.values(settingKinds).map(({ env, summary }) => `  ${padEnd(env, width)} ${summary}`)
  const others: readonly [string, string][] = [
    ['XDG_CONFIG_HOME', 'Where profiles and settings are kept'],
    ['XDG_DATA_HOME', 'Where databases are kept'],
    ['XDG_STATE_HOME', 'Where the history of runs is kept'],
    ['XDG_CACHE_HOME', 'What can be deleted without loss'],
    ['NO_COLOR', 'Any text in it takes colour away'],
    ['FORCE_COLOR', 'Brings colour back where there is no terminal; 0 takes it away'],
    ['TERM', '"dumb" takes colour and moving lines away'],
  ]
  return `A flag wins over a variable, a variable over the project file, the project file over the user file.
"countroom config show" says what holds and where it is from.

${rows.join('\n')}

${others.map(([name, summary]) => `  ${padEnd(name, width)} ${summary}`).join('\n')}`
}

function files(): string {
  return `Four folders, kept apart. Each follows its XDG variable; the usual places are shown.

  ~/.config/countroom/config.json       settings of this user
  ~/.config/countroom/profiles/*.json   profiles: mode 0600 in a folder of mode 0700, refused when others can read them
  ~/.local/share/countroom/             the database of the local world
  ~/.local/state/countroom/books/       the operator's own record, one file per profile: keep it, it holds every transfer
  ~/.cache/countroom/                   names for completion, compiled code; deleting it loses nothing

  countroom.json                        settings of a project, in the working folder or above it

A settings file is a JSON object. A key nobody knows is an error, with the nearest known one named.`
}

function profiles(): string {
  return `A profile names one target for all three services: "local", which runs them in this process on a database, or a remote
installation with its addresses and keys.

  countroom profiles add staging --from ready.json     the sandbox of an installation, from its document of keys
  countroom profiles add house --from - --environment live < ready.json
  countroom profiles use staging                       what is used when no profile is named
  countroom wallet balance amy --profile house         a live profile is named each time

A live remote profile is never the default, neither by "profiles use" nor by a settings file: it is named with --profile
or COUNTROOM_PROFILE. With "requireProfile" set to true every run must name its profile, whichever it is.

The document has the form of the file that "countroom serve --ready-file" writes; any of its sections will do, and a
section may have a "baseUrl" of its own. Keys come from a file or from stdin, never from a flag: a flag's value is seen in
the list of processes and stays in the shell's history. Addresses must be https, except on this machine.`
}
