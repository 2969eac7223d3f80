import { describe, expect, onTestFinished, test } from 'vitest'
import type { SampleLanguage } from '../../../src/http/docs/samples/languages.ts'
import { play } from '../../../src/services/casino/simulator/play.ts'
import { showIdentitySecret } from '../../../src/services/chat/admin.ts'
import { enrollTotp } from '../../../src/services/gateway/admin/platform.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { documented } from '../../../src/world/documented.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { canRun, runSamples, samplesIn } from '../../support/samples/run.ts'

let world: World
let url: string
let identitySecret: string

/** Each language runs on a world of its own: samples leave uploads open, and a room accepts only a few. */
async function openDemoWorld(): Promise<void> {
  world = await openWorld({ db: ':memory:', rateLimits: false })
  await ensureDemoWorld(world)
  url = (await world.server.listen()).url
  const order = { tenant: 'DEMO', tables: ['BAC-01'], rounds: 1, players: 1, days: 0, corrected: 0, voided: 0 }
  for await (const _ of play(world.casino, order));
  identitySecret = (await showIdentitySecret(world.chat, 'DEMO')).identitySecret
}

/** Returns the environment of each API, as its page describes it. */
async function environments(): Promise<(api: string) => Record<string, string>> {
  const ready = await readyDocument(world, url, ':memory:')
  const merchant = ready.gateway?.production
  const { totpSecret } = await enrollTotp(world.gateway, merchant?.merchantId ?? '')
  const valueAt = (path: string) =>
    String(
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], ready),
    )
  return (api) => {
    const readyFile = documented.find(({ name }) => name === api)?.samples?.readyFile ?? {}
    const values = Object.fromEntries(Object.entries(readyFile).map(([name, path]) => [name, valueAt(path)]))
    if (api === 'gateway') return { ...values, TOTP_SECRET: totpSecret }
    return api === 'chat-widget' ? { ...values, SECRET: identitySecret } : values
  }
}

test('every endpoint, stream and file has a sample, and every sample one of them', () => {
  for (const { contract, samples } of documented) {
    const known = Object.keys({ ...contract.endpoints, ...contract.rawRoutes })
    expect(Object.keys(samples?.endpoints ?? {}).toSorted()).toEqual(known.toSorted())
  }
})

describe.each<SampleLanguage>(['curl', 'typescript', 'python', 'php'])('the samples in %s', (language) => {
  const count = samplesIn(language, () => ({})).length
  const isHere = canRun(language)
  const why = isHere ? '' : `: NOT RUN, this machine has no ${language}`

  test.skipIf(!isHere)(`${count} samples work unchanged${why}`, { timeout: 600_000 }, async () => {
    await openDemoWorld()
    onTestFinished(() => world.close())
    const samples = samplesIn(language, await environments())
    const results = await runSamples(language, samples)
    expect(results).toHaveLength(count)
    expect(results.filter(({ error }) => error !== null)).toEqual([])
    // A response without a body prints nothing or null. Anything else is the JSON of the endpoint's own response.
    const isJson = (text: string) => text.trim() === '' || JSON.parse(text) !== undefined
    expect(results.filter(({ output }) => !isJson(output))).toEqual([])
    // A sample that found no object to show did not send its own request.
    expect(results.filter(({ output }) => /No (bet|customer) has/.test(output))).toEqual([])
  })
})
