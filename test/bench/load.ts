import { Pool } from 'undici'

/** A prepared request; created before the time is taken. */
export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/**
 * Sends all of them over this many connections, each the next one after a complete response. Returns responses per
 * second.
 */
export async function fire(baseUrl: string, shots: readonly Shot[], connections: number): Promise<number> {
  const pool = new Pool(baseUrl, { connections, pipelining: 1 })
  let next = 0
  const gunner = async () => {
    for (let shot = shots[next++]; shot; shot = shots[next++]) {
      const { statusCode, body } = await pool.request(shot)
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 300)}`)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, gunner))
  const seconds = (performance.now() - begun) / 1000
  await pool.close()
  return shots.length / seconds
}
