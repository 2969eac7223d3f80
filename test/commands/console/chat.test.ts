import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { setWidget, shownWidget } from '../../../src/cli/topics/console/widget-set.ts'
import { generalForm } from '../../../src/services/chat/admin.ts'
import { run, runJson } from '../../support/program/cli.ts'
import { homeOf, localHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

test('a new merchant can authenticate with its keys, and its plan takes effect at once', async () => {
  const home = await localHelpdesk()
  const { data } = await runJson([...words('console chat tenants create acme --agent'), 'Night desk'], { home })
  expect(data).toMatchObject({ code: 'ACME', plan: 'free' })
  home.write(
    'config/countroom/profiles/acme.json',
    JSON.stringify({ kind: 'local', db: home.env['COUNTROOM_DB'], tenant: 'ACME' }),
  )
  const acme = (line: string) => runJson([...words(line), '--profile', 'acme'], { home })
  expect((await acme('tickets list')).error.code).toBe('PLAN_REQUIRED')
  await runJson(words('console chat tenants set ACME --plan pro'), { home })
  expect((await acme('tickets list')).data).toMatchObject({ tickets: [] })
  const sizes = 'console chat tenants set ACME --max-file 100MiB --max-day 1GiB --max-uploads 5'
  expect((await runJson(words(sizes), { home })).data).toMatchObject({
    plan: 'pro',
    maxFileBytes: 104_857_600,
    maxBytesPerDay: 1_073_741_824,
    maxOpenUploads: 5,
  })
  for (const [wrong, message] of [
    ['--max-file 2GiB --max-uploads 0', '--max-file must be from 1MiB to 1GiB; --max-uploads must be from 1 to 100'],
    ['--max-file 1e9', '--max-file must be a size such as 50MiB'],
    ['--max-day 99MiB', 'The maximum file size must not exceed'],
  ] as const) {
    const refused = await runJson([...words('console chat tenants set ACME'), ...words(wrong)], { home })
    expect([refused.code, refused.error.message]).toEqual([2, expect.stringContaining(message)])
  }
  const twice = await runJson(words('console chat tenants create ACME'), { home })
  expect([twice.code, twice.error.code]).toEqual([6, 'CHAT_TENANT_EXISTS'])
  const { data: list } = await runJson(words('console chat tenants list'), { home })
  expect(list['tenants']).toMatchObject([{ code: 'ACME', plan: 'pro' }, { code: 'DEMO' }, { code: 'DEMO-FREE' }])
})

test('the new front-end key works and the old one does not, in a served world', async () => {
  const home = await localHelpdesk()
  const { data: before } = await runJson(words('console chat tenants list'), { home })
  const [{ tenantKey: old } = { tenantKey: '' }] = before['tenants'] as { tenantKey: string }[]
  const dry = await runJson(words('console rebuild-key DEMO --dry-run'), { home })
  const { data } = await runJson(words('console rebuild-key demo'), { home })
  expect(data['tenantKey']).toMatch(/^wk_/)
  expect(new Set([old, dry.data['tenantKey'], data['tenantKey']]).size).toBe(3)
  const { data: after } = await runJson(words('console chat tenants list'), { home })
  expect((after['tenants'] as { tenantKey: string }[])[0]?.tenantKey).toBe(data['tenantKey'])
  expect((await runJson(words('console rebuild-key NOBODY'), { home })).code).toBe(5)
})

test('a revoked key is rejected at once', async () => {
  const home = await localHelpdesk()
  const made = await runJson(words('console chat keys create DEMO'), { home })
  const { data } = await runJson(words('console chat keys list DEMO'), { home })
  expect(data['keys']).toHaveLength(3)
  await runJson([...words('console chat keys revoke DEMO'), String(made.data['keyId'])], { home })
  const { data: after } = await runJson(words('console chat keys list DEMO'), { home })
  const revoked = (after['keys'] as { keyId: string; revokedAt: string | null }[]).filter(
    (key) => key.revokedAt !== null,
  )
  expect(revoked.map(({ keyId }) => keyId)).toEqual([made.data['keyId']])
  expect(JSON.stringify(after)).not.toContain(String(made.data['apiKey']))
  const tokens = (more: string) => runJson(words(`console chat tokens revoke DEMO ${more}`), { home })
  expect((await tokens('--all')).data).toMatchObject({ code: 'DEMO', rooms: expect.any(Number) })
  expect((await tokens('--account nobody-there')).code).toBe(5)
  expect((await runJson(words('console chat tokens revoke DEMO'), { home })).code).toBe(2)
})

test('a form is saved as a new version, and a contradictory one is refused with all its errors', async () => {
  const home = await localHelpdesk()
  const file = home.write('form.json', JSON.stringify(generalForm))
  expect((await runJson([...words('console chat forms save DEMO refunds'), file], { home })).data).toMatchObject({
    version: 1,
  })
  expect((await runJson([...words('console chat forms save DEMO refunds'), file], { home })).data).toMatchObject({
    version: 2,
  })
  const broken = { ...generalForm, workflow: { ...generalForm.workflow, initialStatus: 'nowhere' } }
  home.write('form.json', JSON.stringify(broken))
  const refused = await runJson([...words('console chat forms save DEMO refunds'), file], { home })
  expect([refused.code, refused.error.code]).toEqual([2, 'CHAT_FORM_INVALID'])
  home.write('form.json', '{}')
  const empty = await runJson([...words('console chat forms save DEMO refunds'), file], { home })
  expect([empty.code, empty.error.code]).toEqual([2, 'CHAT_FORM_INVALID'])
  for (const place of ['$.fields is missing', '$.workflow is missing']) expect(empty.error.message).toContain(place)
  home.write('form.json', '{"fields":')
  expect((await runJson([...words('console chat forms save DEMO refunds'), file], { home })).code).toBe(2)
  const nothing = await runJson(words('console chat forms repair DEMO'), { home })
  expect([nothing.code, nothing.data]).toEqual([0, { repaired: [], left: [] }])
  expect((await runJson(words('console chat forms repair NOBODY'), { home })).code).toBe(5)
})

test('profiles add keeps the chat’s section of the ready file', async () => {
  const { url } = await servedChat()
  const chat = { apiKey: 'ck_x', tenantKey: 'wk_x', agentToken: 'cat_x', freePlanApiKey: 'ck_y' }
  const home = await homeOf({ baseUrl: url, chat })
  const kept = JSON.parse(readFileSync(`${home.config}/profiles/desk.json`, 'utf8'))
  expect(kept.chat).toEqual({ baseUrl: url, ...chat })
  const { stdout } = await run(words('profiles show desk'), { home })
  for (const secret of ['ck_x', 'cat_x', 'ck_y']) expect(stdout).not.toContain(secret)
})

test('a widget color that CSS does not know is refused with the accepted spellings, and nothing is saved', async () => {
  const home = await localHelpdesk()
  const set = (color: string) => runJson([...words('console chat widget set demo --color'), color], { home })
  expect((await set('gold')).code).toBe(0)
  const refused = await set('nonsense')
  expect([refused.code, refused.error.code]).toEqual([2, 'INVALID_USAGE'])
  expect(refused.error.message).toBe(
    '--color "nonsense" is invalid: use a CSS color name, #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() or hsl(), with an opacity above 0',
  )
  expect((await runJson(words('console chat widget show demo'), { home })).data['primaryColor']).toBe('gold')
})

test('the look of the widget and the menu of an inbox category reach the pages, and an invalid menu is rejected completely', async () => {
  const home = await localHelpdesk()
  const set = (...more: string[]) => runJson([...words('console chat widget set demo'), ...more], { home })
  const menu = home.write(
    'menu.json',
    JSON.stringify([{ label: 'My deposit' }, { label: 'Rules', url: 'https://x.example/' }]),
  )
  const { data } = await set(
    '--color',
    '#7a1f3d',
    '--theme',
    'dark',
    '--greeting',
    'Hello',
    '--menu',
    menu,
    '--inbox',
    'vip',
  )
  expect(data).toMatchObject({
    primaryColor: '#7a1f3d',
    theme: 'dark',
    greeting: 'Hello',
    launcherLabel: null,
    menus: { vip: [{ label: 'My deposit' }, { label: 'Rules', url: 'https://x.example/' }] },
  })
  const { data: shown } = await runJson(words('console chat widget show demo'), { home })
  const { tenantKey } = shown as { tenantKey: string }
  expect(shown).toEqual({
    ...data,
    tenantKey: expect.stringMatching(/^wk_/),
    origins: [],
    tag: `<script async src="http://127.0.0.1:8787/widget.js" data-tenant-key="${tenantKey}"></script>`,
  })
  expect((await run(words('console chat widget show demo'), { home })).stdout).toContain(`\n${shown['tag']}\n`)
  expect((await runJson(words('console chat widget show NOBODY'), { home })).code).toBe(5)
  const bad = home.write(
    'bad.json',
    JSON.stringify([
      { label: '', url: 'javascript:alert(1)' },
      { label: 'x', shade: 1 },
    ]),
  )
  const refused = await set('--menu', bad)
  expect([refused.code, refused.error.code]).toEqual([2, 'INVALID_FILE'])
  for (const what of ['entry 1 needs a "label"', 'entry 1 needs a "url"', 'entry 2 has an unknown key "shade"'])
    expect(refused.error.message).toContain(what)
  expect((await set('--color', 'red;background:url(x)')).code).toBe(2)
  const none = home.write('none.json', '[]')
  expect((await set('--menu', none, '--inbox', 'vip', '--greeting', '')).data).toMatchObject({
    menus: {},
    greeting: null,
    theme: 'dark',
  })
  expect((await runJson(words('console chat widget set NOBODY --theme dark'), { home })).code).toBe(5)
})

test('settings of the widget are changed in one transaction, so that runs at the same time lose nothing', async () => {
  const { chat } = (await servedChat()).world
  await setWidget(chat, 'DEMO', { hours: 'Mon 09:00-18:00' })
  await Promise.all([
    setWidget(chat, 'DEMO', { hours: 'Tue 10:00-12:00' }),
    setWidget(chat, 'DEMO', { zone: 'Europe/London' }),
  ])
  const { data } = await shownWidget(chat, 'DEMO')
  expect(data).toMatchObject({ hours: 'Tue 10:00-12:00', zone: 'Europe/London' })

  const write = vi.spyOn(chat.store, 'write')
  const change = { color: 'gold', language: 'es', greeting: 'Hola', zone: 'Asia/Tokyo' }
  await setWidget(chat, 'DEMO', change)
  expect(write).toHaveBeenCalledTimes(1)
  expect((await shownWidget(chat, 'DEMO')).data).toMatchObject({
    primaryColor: 'gold',
    zone: 'Asia/Tokyo',
    translations: { es: { greeting: 'Hola' } },
  })
  await expect(setWidget(chat, 'DEMO', { color: 'red', zone: 'Mars' })).rejects.toThrow('"Mars" is not a time zone')
  await setWidget(chat, 'DEMO', { hours: '' })
  await expect(setWidget(chat, 'DEMO', { color: 'red', zone: 'UTC' })).rejects.toThrow('--zone needs --hours')
  expect((await shownWidget(chat, 'DEMO')).data).toMatchObject({ primaryColor: 'gold', hours: null })
})

test('office hours, and the picture of an agent, are saved if they are valid, and refused with the reason otherwise', async () => {
  const home = await localHelpdesk()
  const set = (...flags: string[]) => runJson([...words('console chat widget set demo'), ...flags], { home })
  const hours = { hours: 'Mon 09:00-18:00, Tue 09:00-18:00', zone: 'Europe/London' }
  const saved = await set(
    '--hours',
    'Mon-Tue 09:00-18:00',
    '--zone',
    hours.zone,
    '--reply-time',
    '5m',
    '--color',
    'gold',
  )
  expect(saved.data).toMatchObject(hours)
  for (const [flags, message] of [
    [['--zone', 'Mars/Phobos'], '--zone is invalid: "Mars/Phobos" is not a time zone'],
    [['--hours', 'Mon 25:00-26:00', '--color', 'red'], '--hours is invalid: '],
    [['--hours', 'Monday'], '--hours is invalid: '],
  ] as const) {
    const { code, error } = await set(...flags)
    expect([code, error?.code, error?.message]).toEqual([2, 'INVALID_USAGE', expect.stringContaining(message)])
  }
  const { data } = await runJson(words('console chat widget show demo'), { home })
  expect(data).toMatchObject({ ...hours, primaryColor: 'gold' })

  const { data: list } = await runJson(words('console chat keys list DEMO'), { home })
  const agent = (list['keys'] as { agentId: string | null }[]).find(({ agentId }) => agentId)?.agentId ?? ''
  const face = (file: string, id = agent) =>
    runJson([...words('console chat agents set DEMO'), id, '--face', file], { home })
  const png = join(home.folder, 'amy.png')
  writeFileSync(
    png,
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  )
  expect((await face(png)).data).toMatchObject({ agentId: agent })
  for (const [file, id, exit, message] of [
    [home.write('amy.txt', 'no picture'), agent, 2, 'The picture is not a PNG, JPEG or WebP file'],
    [home.write('large.png', 'x'.repeat(102_401)), agent, 2, 'the maximum is 102400'],
    [join(home.folder, 'missing.png'), agent, 2, 'missing.png'],
    [png, 'agt_00000000000000000000000000', 5, 'There is no agent agt_00000000000000000000000000'],
  ] as const) {
    const { code, error } = await face(file, id)
    expect([file, code, error?.message]).toEqual([file, exit, expect.stringContaining(message)])
  }
  expect((await face('')).code).toBe(0)
})

test('the identity secret is shown once, and a rotation shows a new one', async () => {
  const home = await localHelpdesk()
  const dry = await runJson(words('console chat identity show DEMO --dry-run'), { home })
  expect(dry.data).toEqual({ code: 'DEMO', identitySecret: '***' })
  const { data: first } = await runJson(words('console chat identity show demo'), { home })
  expect(first['identitySecret']).toMatch(/^[A-Za-z0-9]{43}$/)
  const refused = await runJson(words('console chat identity show DEMO'), { home })
  expect([refused.code, refused.error.code]).toEqual([6, 'CHAT_SECRET_SHOWN'])
  expect(refused.error.message).toContain('countroom console chat identity rotate DEMO')
  const { data: second } = await runJson(words('console chat identity rotate DEMO --grace 1h'), { home })
  expect(second['identitySecret']).not.toBe(first['identitySecret'])
  expect(second['previousValidUntil']).toEqual(expect.any(String))
  const { data: third } = await runJson(words('console chat identity rotate DEMO --grace 0s'), { home })
  expect(third['previousValidUntil']).toBeNull()
  expect((await runJson(words('console chat identity show DEMO'), { home })).code).toBe(6)
  for (const grace of ['31d', '1', 'soon'])
    expect((await runJson([...words('console chat identity rotate DEMO --grace'), grace], { home })).code).toBe(2)
  expect((await runJson(words('console chat identity show NOBODY'), { home })).code).toBe(5)
})

test('social channels are added, listed and removed, and a URL of another kind is refused', async () => {
  const home = await localHelpdesk()
  const channels = (line: string, ...more: string[]) =>
    runJson([...words(`console chat channels ${line}`), ...more], { home })
  const add = (kind: string, url: string, label = kind) =>
    channels('add DEMO --kind', kind, '--url', url, '--label', label)
  expect((await channels('list DEMO')).data).toEqual({ code: 'DEMO', socialChannels: [] })
  const good = [
    ['telegram', 'https://t.me/shop'],
    ['telegram', 'tg://resolve?domain=shop'],
    ['email', 'mailto:help@shop.example?subject=Hi'],
    ['phone', 'tel:+886212345678'],
    ['line', 'https://line.me/R/ti/p/@shop'],
    ['whatsapp', 'https://wa.me/15551234567'],
    ['facebook', 'https://m.me/shop'],
    ['instagram', 'https://instagram.com/shop'],
    ['wechat', 'weixin://dl/chat?shop'],
    ['other', 'https://shop.example/help'],
  ] as const
  for (const [kind, url] of good.slice(0, 9)) expect((await add(kind, url)).code).toBe(0)
  for (const [kind, url] of [
    ['other', 'http://shop.example'],
    ['other', 'javascript:alert(1)'],
    ['other', 'mailto:help@shop.example'],
    ['phone', 'https://shop.example'],
    ['phone', 'tel:call-me'],
    ['email', 'mailto:nobody'],
    ['facebook', 'tg://resolve?domain=shop'],
    ['other', 'https://user:secret@shop.example'],
    ['other', 'shop.example'],
    ['pigeon', 'https://shop.example'],
  ] as const)
    expect([kind, url, (await add(kind, url)).code]).toEqual([kind, url, 2])
  expect((await add('other', 'https://shop.example/x', 'x'.repeat(61))).code).toBe(2)
  expect((await add('telegram', 'https://t.me/shop')).code).toBe(6)
  expect((await add(...good[9])).code).toBe(0)
  const eleventh = await add('other', 'https://shop.example/11')
  expect([eleventh.code, eleventh.error.code]).toEqual([6, 'CHAT_CHANNEL_LIMIT'])
  const { data } = await channels('list DEMO')
  expect(data['socialChannels']).toEqual(good.map(([kind, url]) => ({ kind, label: kind, url })))
  expect((await channels('remove DEMO --url https://t.me/shop')).data['socialChannels']).toHaveLength(9)
  expect((await channels('remove DEMO --url https://t.me/shop')).code).toBe(5)
  // The widget's other settings are unchanged, and the other way round.
  expect((await runJson(words('console chat widget set DEMO --theme dark'), { home })).data).toMatchObject({
    theme: 'dark',
    socialChannels: { length: 9 },
  })
})
