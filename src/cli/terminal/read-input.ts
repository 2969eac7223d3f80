import { open } from 'node:fs/promises'
import { diskErrorText } from '../../kit/disk-error.ts'
import { Problem } from '../../kit/problem.ts'

/** Maximum input size: more than any document or batch; a larger file is taken for a typing error. */
const maxBytes = 64 * 1024 * 1024

/** Reads the exact bytes of a file, or of stdin for `-`. Nothing else reads stdin. */
export async function readBytes(path: string): Promise<Buffer> {
  const name = path === '-' ? 'stdin' : path
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of path === '-' ? process.stdin : (await open(path)).createReadStream()) {
      size += chunk.length
      if (size > maxBytes)
        throw new Problem('UNREADABLE_FILE', `${name} is larger than ${maxBytes} bytes`, { file: name })
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    const reason = diskErrorText(error) ?? String(error)
    throw new Problem('UNREADABLE_FILE', `Cannot read ${name}: ${reason}`, { file: name }, { cause: error })
  }
  return Buffer.concat(chunks)
}

/** Reads a file as text. */
export async function readInput(path: string): Promise<string> {
  return (await readBytes(path)).toString('utf8')
}

/** Reads a file as JSON. The parser's message is dropped, because it quotes the text, which may have secrets. */
export async function readJsonInput(path: string): Promise<unknown> {
  const text = await readInput(path)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    const name = path === '-' ? 'stdin' : path
    throw new Problem('INVALID_FILE', `${name} is not valid JSON`, { file: name })
  }
}
