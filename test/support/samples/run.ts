import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type SampleLanguage, sampleLanguages } from '../../../src/http/docs/samples/languages.ts'
import { planOf } from '../../../src/http/docs/samples/plan.ts'
import { quoted } from '../../../src/kit/shell-quote.ts'
import { documented } from '../../../src/world/documented.ts'

/** A sample of the reference as copied by a reader, and the environment that its page names. */
export interface RunnableSample {
  readonly id: string
  readonly text: string
  readonly env: Readonly<Record<string, string>>
}

export interface SampleResult {
  readonly id: string
  readonly output: string
  readonly error: string | null
}

/** Program of each language. */
const programs: Record<SampleLanguage, string> = {
  curl: 'curl',
  typescript: process.execPath,
  python: 'python3',
  php: 'php',
}

/** Returns whether this machine can run the samples of a language. */
export function canRun(language: SampleLanguage): boolean {
  return spawnSync(programs[language], ['--version']).status === 0
}

/** Returns all samples of a language; `environment` gives each API's. */
export function samplesIn(
  language: SampleLanguage,
  environment: (api: string) => Readonly<Record<string, string>>,
): RunnableSample[] {
  const { write } = sampleLanguages.find(({ id }) => id === language) ?? sampleLanguages[0]
  return documented.flatMap(({ name: api, contract, samples }) =>
    Object.keys(samples?.endpoints ?? {}).flatMap((name) => {
      const plan = samples && planOf(contract, samples, name)
      return plan ? [{ id: `${api} ${name}`, text: write(plan), env: environment(api) }] : []
    }),
  )
}

const run = promisify(execFile)
const here = import.meta.dirname

/** Runs samples in as few processes as their language allows. */
export async function runSamples(
  language: SampleLanguage,
  samples: readonly RunnableSample[],
): Promise<SampleResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-samples-'))
  try {
    if (language === 'curl' || language === 'php') return await runEach(language, samples, folder)
    const list = join(folder, 'samples.json')
    writeFileSync(list, JSON.stringify(samples))
    const script = join(here, language === 'python' ? 'run.py' : 'run.mjs')
    const { stdout } = await run(programs[language], [script, list, folder], { maxBuffer: 64 * 1024 * 1024 })
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runEach(
  language: 'curl' | 'php',
  samples: readonly RunnableSample[],
  folder: string,
): Promise<SampleResult[]> {
  const files = samples.map(({ text, env }, i) => {
    const file = join(folder, `${String(i).padStart(4, '0')}.sample`)
    const lines = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}\n`)
    writeFileSync(file, text)
    writeFileSync(`${file}.env`, lines.join(''))
    return file
  })
  await run('bash', [join(here, 'run.sh'), language === 'curl' ? 'bash' : 'php', folder])
  return samples.map(({ id }, i) => {
    const read = (part: string) => readFileSync(`${files[i]}.${part}`, 'utf8')
    const isGood = read('code').trim() === '0' && read('err') === ''
    return { id, output: read('out'), error: isGood ? null : read('err') || read('out') || `exit code ${read('code')}` }
  })
}
