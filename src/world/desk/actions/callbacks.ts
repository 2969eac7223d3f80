import { Type } from 'typebox'
import { enableWebhook, eventsFrom, sendTest, setWebhook } from '../../../services/casino/admin/webhook-settings.ts'
import { replayDeliveries } from '../../redeliver.ts'
import { action, settled } from './action.ts'
import { tenant, text } from './fields.ts'

export const callbackActions = {
  'delivery.resend': action({
    title: 'Send again',
    summary: 'Makes the delivery due again. It keeps its ID, so that the receiver can skip duplicates.',
    input: Type.Object({ delivery: text('Delivery', { maxLength: 40 }) }),
    commands: [{ words: 'console deliveries replay', args: ['delivery'] }],
    async run({ world }, input) {
      const [row] = await replayDeliveries(world, [input.delivery.toUpperCase()])
      return settled(world, { delivery: row?.id, url: row?.url })
    },
  }),
  'webhook.set': action({
    title: 'Set the webhook',
    summary: 'Sends all events of the tenant to this URL, and enables its webhook.',
    input: Type.Object({ tenant, url: text('URL', { maxLength: 2_000 }) }),
    commands: [
      { words: 'console webhooks set', args: ['tenant'], flags: { url: 'url' }, fixed: { events: 'all' } },
      { words: 'console webhooks enable', args: ['tenant'] },
    ],
    async run({ world }, input) {
      await setWebhook(world.casino, input.tenant, { url: input.url, events: eventsFrom('all') })
      const { hook } = await enableWebhook(world.casino, input.tenant)
      return settled(world, { tenant: input.tenant, url: hook.url })
    },
  }),
  'webhook.test': action({
    title: 'Send a test webhook',
    summary: 'Sends the test event to the webhook URL of the tenant.',
    input: Type.Object({ tenant }),
    commands: [{ words: 'console webhooks test', args: ['tenant'] }],
    run: async ({ world }, input) =>
      settled(world, { delivery: await sendTest(world.casino, input.tenant, 'This is a test') }),
  }),
}
