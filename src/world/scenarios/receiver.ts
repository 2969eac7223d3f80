import { receiving } from '../../http/server/raw-receiver.ts'
import { openServer } from '../../http/server/server.ts'

/** Receiver of a scenario's callbacks, in the process that plays it. */
export interface CallbackReceiver {
  readonly url: string
  /** Counts received callbacks; of an order, or of one status of an order, if given. */
  count(order?: string, status?: string): number
  close(): Promise<void>
}

/** Opens a receiver on a free port of this machine. It acknowledges everything. */
export async function openCallbackReceiver(): Promise<CallbackReceiver> {
  const received: { readonly order: string; readonly status: string }[] = []
  const take = async ({ body }: { readonly body: Uint8Array }) => {
    const { order_id, payment_status } = JSON.parse(Buffer.from(body).toString())
    received.push({ order: String(order_id), status: String(payment_status) })
    return { status: 200, message: 'Received' }
  }
  const server = openServer({ services: [], routes: [receiving(take)] })
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    count: (order, status) =>
      received.filter((each) => (order ?? each.order) === each.order && (status ?? each.status) === each.status).length,
    close: () => server.close(),
  }
}
