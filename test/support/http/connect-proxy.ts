import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy that opens tunnels to ports of this machine, whatever their host, and the requests for them. */
export interface ConnectProxy {
  readonly url: string
  readonly tunnels: { readonly host: string; readonly authorization: string | undefined }[]
}

/** Starts a proxy for https. With a status it refuses every tunnel. */
export async function aConnectProxy(refusal?: number): Promise<ConnectProxy> {
  const tunnels: { host: string; authorization: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const server = createServer().on('connect', (request, socket: Socket) => {
    tunnels.push({ host: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    sockets.add(socket)
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`)
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    sockets.add(onward)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on('error', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels }
}
