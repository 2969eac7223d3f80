import { Problem } from '../../../kit/problem.ts'

/** Waits until the port is bound, or explains why it cannot be. */
export async function explainListenError<T>(listening: Promise<T>, port: number): Promise<T> {
  try {
    return await listening
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE')
      throw new Problem(
        'BAD_CONFIGURATION',
        `Port ${port} is in use. Pass another --port, or --port 0 for a free one`,
        { port },
      )
    if (code === 'EACCES')
      throw new Problem('BAD_CONFIGURATION', `No permission to listen on port ${port}. Pass a --port above 1023`, {
        port,
      })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Problem('BAD_CONFIGURATION', 'The address of --host does not exist on this machine')
    throw error
  }
}
