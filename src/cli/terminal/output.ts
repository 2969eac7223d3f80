import { fstatSync, writeSync } from 'node:fs'

/** Stdout: a screen, a pipe whose reader may leave, or a file on a disk that may be full. */
export interface Output {
  /** Resolves when written, with whether more output is wanted. */
  write(text: string): Promise<boolean>
  /** Returns whether no more output can be written. */
  isClosed(): boolean
  /** Returns the write error, if any. A reader that closed the pipe is not an error. */
  fault(): NodeJS.ErrnoException | undefined
}

export function openOutput(stream: typeof process.stdout): Output {
  let isClosed = false
  let fault: NodeJS.ErrnoException | undefined
  const end = (error: NodeJS.ErrnoException) => {
    // The first error is the reason; later ones follow from it.
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

  /** Writes all bytes: on a nearly full disk a write can be partial without an error. */
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
