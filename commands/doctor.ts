import { existsSync } from 'node:fs'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { bookFlag } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { glyphsFor } from '../src/cli/terminal/glyphs.ts'
import { checksSchema, checksText, firstFailure, tally, tallyText } from '../src/cli/topics/profiles/checks-view.ts'
import { isDatabaseFile, withoutPassword } from '../src/db/engines/database-name.ts'
import { isProblem } from '../src/kit/problem.ts'
import type { Check } from '../src/operator/doctor.ts'
import type { NamedProfile } from '../src/world/config/profile-schema.ts'
import { isLive } from '../src/world/config/profiles.ts'

/** A function, because the compiler does not see that a step assigns the variable. */
const profileName = (named: NamedProfile | undefined): string | null => named?.name ?? null

export default class Doctor extends CountroomCommand {
  static override summary = 'Check the installation and the services, and print fixes'
  static override description =
    'Checks Node, settings, folders, disk, the profile, the databases and their schemas, open transfers and jobs. Then checks each service of the profile: address, response, clock skew, signature, rate limit and account. Changes nothing. Exits with 0 if no check failed, else with the code of the first failure.'
  static override examples = [
    'countroom doctor',
    { command: 'countroom doctor --profile house', description: 'Check another profile' },
    {
      command: 'countroom doctor --json | jq \'.data.checks[] | select(.status != "pass")\'',
      description: 'List problems for a monitor',
    },
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'locked'] as const
  static override files = ['all files of countroom: read only']
  static override flags = { ...bookFlag }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(checksSchema(shapes))
  }

  override async run() {
    await this.parse(Doctor)
    const checks: Check[] = []
    let named: NamedProfile | undefined
    const step = (title: string, check: (profile: NamedProfile) => Promise<Check[]>) => ({
      title,
      run: async () => void (named && checks.push(...(await check(named)))),
    })
    await this.screen.steps([
      {
        title: 'Machine, settings and profile',
        run: async () => {
          checks.push(...(await this.#machine()), ...this.#settings())
          named = this.#named(checks)
        },
      },
      step('Databases', (profile) => this.#databases(profile)),
      step('Services', async (profile) => {
        const { serviceChecks } = await import('../src/cli/topics/profiles/service-checks.ts')
        return serviceChecks(profile, this.settings)
      }),
    ])
    const { paintOut: paint, width } = this.screen
    this.log(checksText(checks, { glyphs: glyphsFor(process.stdout, this.settings.env), paint, width: width() }))
    const counts = tally(checks)
    this.footnote(tallyText(counts))
    const failed = firstFailure(checks)
    if (failed !== undefined) this.endWith(...failed)
    return { profile: profileName(named), checks, counts }
  }

  async #machine(): Promise<Check[]> {
    const { nodeCheck, foldersCheck, diskCheck } = await import('../src/operator/doctor.ts')
    const { paths } = this.settings
    return [nodeCheck(process.versions.node), foldersCheck({ ...paths }), diskCheck(paths.state)]
  }

  /** Lists the sources of the settings; they were already validated at start. */
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
        message: said.length === 0 ? 'all defaults' : said.join(', '),
        fix: null,
        code: null,
      },
    ]
  }

  /** Checks that this run has a valid profile. */
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
      const fix = 'List profiles: countroom profiles list. Add one: countroom help profiles'
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
      const message = 'none yet; the first transfer or sync creates it'
      return [...checks, { id: 'book', title: 'Book', status: 'pass', message, fix: null, code: null }]
    }
    const { check, isReady } = await databaseCheck(
      { id: 'book', title: 'Book', url, shown: withoutPassword(url) },
      book,
    )
    return [...checks, check, ...(isReady ? await this.#inBook(url) : [])]
  }

  /** Lists the open work in the book. */
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
