import { fstatSync, writeSync } from 'node:fs'

/** Stdout, whatever is behind it: a screen, a reader that may leave, a disk that may be full. */
export interface Output {
  /** Resolves when it is written, with whether more is wanted. */
  write(text: string): Promise<boolean>
  /** Whether nothing more gets through. */
  isClosed(): boolean
  /** Why something did not get through. A reader that has seen enough (`| head`) is no reason: what is still written goes nowhere. */
  fault(): NodeJS.ErrnoException | undefined
}

export function openOutput(stream: typeof process.stdout): Output {
  let isClosed = false
  let fault: NodeJS.ErrnoException | undefined
  const end = (error: NodeJS.ErrnoException) => {
    // The first one is the reason; that the stream is gone then is its consequence.
    if (!isClosed && error.code !== 'EPIPE') fault = error
    isClosed = true
  }
  stream.on('error', end)
  const file = fileBehind(stream)
  return {
    write(text) {
      if (isClosed || text === '') return Promise.resolve(!isClosed)
      if (file !== undefined) return Promise.resolve(writeWhole(file, text))
      return new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) end(error)
          resolve(!isClosed)
        })
      })
    },
    isClosed: () => isClosed,
    fault: () => fault,
  }

  /** A disk that is nearly full takes a part and is silent about the rest, which the stream would not look at. */
  function writeWhole(to: number, text: string): boolean {
    const bytes = Buffer.from(text)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at)
    } catch (error) {
      end(error as NodeJS.ErrnoException)
    }
    return !isClosed
  }
}

function fileBehind(stream: typeof process.stdout): number | undefined {
  try {
    return fstatSync(stream.fd).isFile() ? stream.fd : undefined
  } catch {
    return undefined
  }
}
