import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { credentialsOf, demoCode, ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { openWorld } from '../../../src/world/world.ts'
import { agentClient, botClient } from '../../services/chat/helpdesk.ts'
import { listen } from '../../services/chat/listening.ts'
import { aHome, run } from '../../support/program/cli.ts'
import { clientOf } from '../../support/worlds/people.ts'
import { inFile, onPostgres } from '../../support/worlds/world.ts'

test.each([inFile, onPostgres])(
  'streams that are open while another process loads a snapshot continue with its content, on $name',
  async (on) => {
    const db = (await on.database()).url
    const home = aHome()
    const records = { requests: true, hasDesk: true, desk: deskRoutes }
    const world = await openWorld({ db, dataFolder: join(home.folder, 'data', 'countroom'), records })
    onTestFinished(() => world.close())
    await ensureDemoWorld(world)
    const { url } = await world.server.listen()
    const { chat } = await readyDocument(world, url, db)
    const casino = clientOf(world, (await credentialsOf(world.casino, demoCode))?.live ?? { apiKey: '', secret: '' })
    const [bot, agent] = [botClient(world, chat?.apiKey ?? ''), agentClient(world, chat?.agentToken ?? '')]
    const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'amy' } })
    const say = (text: string) => bot.sendCustomerText({ params: { roomId }, body: { text } })
    await say('before')
    await world.snapshots.save('start')

    const { url: link } = await casino.launch({ body: { username: 'amy' } })
    const page = await fetch(link)
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = /data-session="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const agentUrl = `${url}/api/agent/v1/events`
    const asAgent = { 'x-chat-agenttoken': chat?.agentToken ?? '' }
    const roomUrl = `${url}/api/widget/v1/rooms/${roomId}/events?tenantKey=${chat?.tenantKey}`
    const asCustomer = { 'x-chat-room-token': roomToken }
    const views = encodeURIComponent(JSON.stringify([{ view: 'chat.room', query: { tenant: 'DEMO', room: roomId } }]))
    const streams = {
      agent: await listen(agentUrl, asAgent),
      room: await listen(roomUrl, asCustomer),
      table: await listen(`${url}/play/v1/events?session=${session}`, { cookie }),
    }
    const desk = await listen(`${url}/desk/api/views?views=${views}`, { authorization: `Bearer ${world.deskToken()}` })
    expect([...Object.values(streams), desk].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await streams.table.next('lobby')
    await say('between')
    const heard = await streams.room.next('message.created')
    expect(JSON.stringify(heard.data)).toContain('between')

    expect(await run(['sim', 'snapshot', 'load', 'start'], { home, env: { COUNTROOM_DB: db } })).toMatchObject({
      code: 0,
    })
    // The serving process notices at its next transaction: that of a job, or of a request.
    expect((await casino.balance({ query: { username: 'amy' } })).balance).toBe('10000')
    await Promise.all(Object.values(streams).map(({ ended }) => ended))

    const [again, roomAgain] = [await listen(agentUrl, asAgent, heard.id), await listen(roomUrl, asCustomer, heard.id)]
    expect((await roomAgain.next('resync')).data).toMatchObject({ reason: expect.any(String) })
    await again.next('resync')
    await say('after')
    expect(JSON.stringify((await roomAgain.next('message.created')).data)).toContain('after')
    const { items } = await agent.messages({ params: { roomId }, query: {} })
    expect(items.map(({ text }) => text)).toEqual(['before', 'after'])
    // The session of the launch is one of the other line.
    const tableAgain = await listen(`${url}/play/v1/events?session=${session}`, { cookie })
    expect((await tableAgain.next('ended')).data).toEqual({ reason: 'EXPIRED' })
    // The desk's stream stays open, and shows what there is now.
    await expect.poll(() => JSON.stringify(desk.events.at(-1)?.data)).toContain('after')
    expect(JSON.stringify(desk.events.at(-1)?.data)).not.toContain('between')
  },
)
