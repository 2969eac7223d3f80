import { forgetExpired } from '../../../db/idempotency-keys.ts'
import type { Pass } from '../../../db/periodic-job.ts'
import { endUploads } from '../media/uploads.ts'
import { forgetEvents } from '../queries/events.ts'
import { forgetTickets } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'

/** How long a stream may be away and still go on where it was. */
const eventLifeMs = 7 * 86_400_000

/** What time does to the chat. */
export function chatPasses(app: Chat): Pass[] {
  return [
    {
      name: 'chat events get their places',
      run: () => app.hub.placeAll(),
    },
    {
      name: 'chat events are forgotten',
      run: (limit) => app.store.write((tx) => forgetEvents(tx, tx.now - eventLifeMs, limit)),
    },
    {
      name: 'chat stream tickets are forgotten',
      run: (limit) => app.store.write((tx) => forgetTickets(tx, app.machineNow(), limit)),
    },
    {
      name: 'chat uploads end',
      run: (limit) => endUploads(app, limit),
    },
    {
      name: 'chat answers under keys are forgotten',
      run: (limit) => app.store.write((tx) => forgetExpired(tx, limit)),
    },
  ]
}
