import { existsSync } from 'node:fs'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { glyphsFor } from '../src/cli/terminal/glyphs.ts'
import { checksSchema, checksText, firstFailure, tally, tallyText } from '../src/cli/topics/profiles/checks-view.ts'
import { bookFlag } from '../src/cli/topics/wallet/transfer-command.ts'
import { isDatabaseFile, withoutPassword } from '../src/db/engines/database-name.ts'
import { isProblem } from '../src/kit/problem.ts'
import type { Check } from '../src/operator/doctor.ts'
import type { NamedProfile } from '../src/world/config/profile-schema.ts'
import { isLive } from '../src/world/config/profiles.ts'

export default class Doctor extends CountroomCommand {
  static override summary = 'Look at everything that must be right, and say how to mend what is not'
  static override description =
    'Node, settings, folders, disk, the profile, the databases and their schemas, open transfers and jobs; then each service of the profile: its address, whether it answers, how far the clocks are apart, whether the signature is accepted, the rate and the account. It asks and looks; it changes nothing. The run ends in 0 when nothing failed, else in the code of the first failure.'
  static override examples = [
    'countroom doctor',
    { command: 'countroom doctor --profile house', description: 'Of another profile' },
    {
      command: 'countroom doctor --json | jq \'.data.checks[] | select(.status != "pass")\'',
      description: 'For a monitor',
    },
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'locked'] as const
  static override files = ['everything the program keeps, to look at it']
  static override flags = { ...bookFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object(await checksSchema())
  }

  override async run() {
    await this.parse(Doctor)
    const checks = [...(await this.#machine()), ...this.#settings()]
    const named = this.#named(checks)
    if (named !== undefined) {
      checks.push(...(await this.#databases(named)))
      const { serviceChecks } = await import('../src/cli/topics/profiles/service-checks.ts')
      checks.push(...(await serviceChecks(named, this.settings)))
    }
    const { paintOut: paint, width } = this.screen
    this.log(checksText(checks, { glyphs: glyphsFor(process.stdout, this.settings.env), paint, width: width() }))
    const counts = tally(checks)
    this.footnote(tallyText(counts))
    const failed = firstFailure(checks)
    if (failed !== undefined) this.endWith(...failed)
    return { profile: named?.name ?? null, checks, counts }
  }

  async #machine(): Promise<Check[]> {
    const { nodeCheck, foldersCheck, diskCheck } = await import('../src/operator/doctor.ts')
    const { paths } = this.settings
    return [nodeCheck(process.versions.node), foldersCheck({ ...paths }), diskCheck(paths.state)]
  }

  /** They were read to get here; what is left to say is which took part. */
  #settings(): Check[] {
    const { files, sources } = this.settings
    const present = [files.user, files.project].filter((file) => file !== undefined && existsSync(file))
    const variables = Object.values(sources).flatMap(({ from, where }) => (from === 'environment' ? [where] : []))
    const said = [...present, ...variables]
    return [
      {
        id: 'settings',
        title: 'Settings',
        status: 'pass',
        message: said.length === 0 ? 'the defaults' : said.join(', '),
        fix: null,
        code: null,
      },
    ]
  }

  /** The profile of this run, or why there is none. */
  #named(checks: Check[]): NamedProfile | undefined {
    const at = { id: 'profile', title: 'Profile' }
    try {
      const named = this.profile
      const { profile } = named
      const what = profile.kind === 'local' ? `local, ${withoutPassword(profile.db)}` : `remote, ${profile.environment}`
      const message = `${named.name}: ${what}${isLive(profile) ? ' (real money)' : ''}`
      checks.push({ ...at, status: 'pass', message, fix: null, code: null })
      return named
    } catch (error) {
      if (!isProblem(error)) throw error
      const fix = 'countroom profiles list shows those there are; countroom help profiles says how to add one'
      checks.push({ ...at, status: 'fail', message: error.message, fix, code: error.code })
      return undefined
    }
  }

  async #databases(named: NamedProfile): Promise<Check[]> {
    const [{ databaseCheck }, { bookUrlOf, isBookThere }, { book }, { world }] = await Promise.all([
      import('../src/operator/doctor.ts'),
      import('../src/world/clients/book-location.ts'),
      import('../src/db/migrations/book/index.ts'),
      import('../src/db/migrations/world/index.ts'),
    ])
    const checks: Check[] = []
    const { profile } = named
    if (profile.kind === 'local' && (!isDatabaseFile(profile.db) || existsSync(profile.db))) {
      const shown = withoutPassword(profile.db)
      checks.push((await databaseCheck({ id: 'world', title: 'World', url: profile.db, shown }, world)).check)
    }
    const url = bookUrlOf(this.settings, named)
    if (!isBookThere(this.settings, named)) {
      const message = 'none yet: the first transfer or sync makes it'
      return [...checks, { id: 'book', title: 'Book', status: 'pass', message, fix: null, code: null }]
    }
    const { check, isReady } = await databaseCheck(
      { id: 'book', title: 'Book', url, shown: withoutPassword(url) },
      book,
    )
    return [...checks, check, ...(isReady ? await this.#inBook(url) : [])]
  }

  /** What the book itself has open. */
  async #inBook(url: string): Promise<Check[]> {
    const [{ runsCheck, transfersCheck }, { openBook }] = await Promise.all([
      import('../src/operator/doctor.ts'),
      import('../src/operator/book/book.ts'),
    ])
    const opened = await openBook(url)
    try {
      return [await transfersCheck(opened), await runsCheck(opened, url)]
    } finally {
      await opened.close()
    }
  }
}
