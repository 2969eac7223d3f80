import { settingKinds } from '../../world/config/config.ts'
import { categories } from '../outcome/exit-codes.ts'
import { padEnd } from '../terminal/text.ts'

/** Help topics that are text instead of commands. */
export const proseTopics = {
  'exit-codes': { summary: 'Meaning of each exit code', text: exitCodes },
  environment: { summary: 'Environment variables', text: environment },
  files: { summary: 'Location of settings, profiles and databases', text: files },
  profiles: { summary: 'Profiles: the services and keys that commands use', text: profiles },
} as const satisfies Record<string, { summary: string; text: () => string }>

export type ProseTopic = keyof typeof proseTopics

export const isProseTopic = (word: string): word is ProseTopic => Object.hasOwn(proseTopics, word)

function exitCodes(): string {
  const rows = Object.entries(categories).map(([name, { exit, meaning }]) => {
    const code = name === 'stopped' ? '130/143' : String(exit)
    return `  ${padEnd(code, 8)} ${padEnd(name, 16)} ${meaning}`
  })
  return `Every command exits with one of these codes, with or without --json. The second column is the "category" of the
error in --json.

${rows.join('\n')}

A command can fail and still have a result: a reconciliation with differences prints its report and exits with 9. With
--json such a run has both "data" and "error", and its "status" is "error".

A batch exits with 0 if every row is done, with 8 if only some are, and with the code of the worst row if none is. A row
with an unknown outcome makes the exit code 10 in any case.

If the result cannot be written to stdout, for example because the disk is full, the reason is printed on stderr, also
with --json. The exit code is then 7, or 10 if the command changed something. A reader that closes the pipe ("| head") is
not an error.`
}

function environment(): string {
  const width = 26
  const rows = Object.values(settingKinds).map(({ env, summary }) => `  ${padEnd(env, width)} ${summary}`)
  const otherVariables: readonly [string, string][] = [
    ['COUNTROOM_HOME', 'One folder for everything, instead of the four below; an absolute path'],
    ['XDG_CONFIG_HOME', 'Folder of profiles and settings'],
    ['XDG_DATA_HOME', 'Folder of databases'],
    ['XDG_STATE_HOME', 'Folder of books and run history'],
    ['XDG_CACHE_HOME', 'Folder of files that can be deleted'],
    [
      'COLUMNS',
      'Width of tables and texts (default: that of the terminal; without one, 80 columns for texts and full rows for tables)',
    ],
    ['HTTPS_PROXY', 'Proxy for requests to remote platforms, such as http://proxy.example:3128'],
    ['NO_PROXY', 'Hosts that are reached without the proxy, such as .internal.example'],
    ['NODE_EXTRA_CA_CERTS', 'File with the certificates (PEM) of your own certificate authorities'],
    ['NO_COLOR', 'Any value disables colors'],
    ['FORCE_COLOR', 'Enables colors without a terminal; 0 disables them'],
    ['TERM', '"dumb" disables colors and moving lines'],
  ]
  return `A flag overrides a variable, a variable the project file, and the project file the user file. To see each value and
its source, run "countroom config show".

${rows.join('\n')}

${otherVariables.map(([name, summary]) => `  ${padEnd(name, width)} ${summary}`).join('\n')}`
}

function files(): string {
  return `countroom uses four folders. Each follows its XDG variable, or all are in COUNTROOM_HOME; these are the defaults.

  ~/.config/countroom/config.json       your settings
  ~/.config/countroom/profiles/*.json   profiles, mode 0600; rejected if other users can read them
  ~/.local/share/countroom/             database of the local world
  ~/.local/state/countroom/books/       books, one per profile: back them up, they record every transfer
  ~/.cache/countroom/                   names for completion and compiled code; can be deleted

  countroom.json                        settings of a project, in the working folder or a parent

A settings file is a JSON object. An unknown key is an error.`
}

function profiles(): string {
  return `A profile names one target for all three services: "local", which runs them in this process on a database, or a remote
instance with its URLs and keys.

  countroom profiles add staging --from ready.json     add the sandbox of an instance
  countroom profiles add house --from - --environment live < ready.json
  countroom profiles use staging                       set the default profile
  countroom wallet balance amy --profile house         a live profile is named each time

To act for another tenant of the local world, add its code in lower case to "local"; a sandbox is a tenant of its own, and so
is a merchant of the chat. These profiles need no file:

  countroom players show amy --profile local.demo-sbx  the sandbox of the demo
  countroom rooms open amy --profile local.demo-free   the chat's merchant on the free plan

A live remote profile cannot be the default, neither by "profiles use" nor by a settings file: name it with --profile or
COUNTROOM_PROFILE. If the setting "requireProfile" is true, every command must name its profile.

The file for --from has the form that "countroom serve --ready-file" writes, with any of its sections; a section may have
its own "baseUrl". Keys are read from a file or stdin, never from a flag value, because other users can see flag values in
the process list. URLs must be https, except on this machine.`
}
