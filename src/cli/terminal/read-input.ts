import { open } from 'node:fs/promises'
import { Problem } from '../../kit/problem.ts'

/** More than any document or batch that a person hands over; a whole disk image is a slip of the hand. */
const mostBytes = 64 * 1024 * 1024

/** The exact bytes of a file, or of stdin where `-` was said. Nothing else ever reads stdin. */
export async function readBytes(path: string): Promise<Buffer> {
  const name = path === '-' ? 'stdin' : path
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of path === '-' ? process.stdin : (await open(path)).createReadStream()) {
      size += chunk.length
      if (size > mostBytes)
        throw new Problem('UNREADABLE_FILE', `${name} is larger than ${mostBytes} bytes`, { file: name })
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new Problem('UNREADABLE_FILE', `${name} cannot be read (${code})`, { file: name }, { cause: error })
  }
  return Buffer.concat(chunks)
}

/** The same as text. */
export async function readInput(path: string): Promise<string> {
  return (await readBytes(path)).toString('utf8')
}

/** The same as JSON. The parser's own words are kept back: they quote the text, and it may hold secrets. */
export async function readJsonInput(path: string): Promise<unknown> {
  const text = await readInput(path)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    const name = path === '-' ? 'stdin' : path
    throw new Problem('INVALID_FILE', `${name} is not JSON`, { file: name })
  }
}
