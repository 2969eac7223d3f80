import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Exchange, ExchangeContent } from '../../http/client/transport.ts'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder, syncFolder } from '../../kit/make-folder.ts'
import { momentText } from '../../kit/moment.ts'
import { Problem } from '../../kit/problem.ts'
import { draftFor, removeDraft } from '../book/copies/drafts.ts'
import { callFileName, toCallRecord } from './call.ts'
import { casePage, type PageContent } from './case-page.ts'

/**
 * Evidence packs: a folder with `case.html` for people, `case.json` for programs, every request with its response, and a manifest with
 * the SHA-256 of each file. The folder appears under its name when it is complete, or not at all.
 */

/** A file of a pack, as the manifest lists it. */
export interface PackFile {
  /** Path below the pack, with forward slashes. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** A recorded request, as the page lists it. */
export interface ListedCall {
  readonly file: string
  readonly method: string
  readonly path: string
  /** The status, or the code of the failure without a response. */
  readonly outcome: string
  readonly at: string
}

export interface PackOptions {
  readonly folder: string
  /** Program and version. */
  readonly tool: string
  /** This machine's clock, epoch milliseconds. */
  readonly now: () => number
  /** Masks every text of the pack further: keys of the profile, or data of a customer. */
  readonly mask?: ((text: string) => string) | undefined
}

/** A case that a pack proves. */
export interface Case {
  readonly subject: { readonly kind: string; readonly id: string }
  /** Content of `case.json`. */
  readonly data: object
  readonly page: PageContent
}

/** A finished pack. */
export interface EvidenceWritten {
  readonly folder: string
  readonly calls: number
  readonly files: readonly PackFile[]
}

/** Checks the folder of a pack before any request: an existing one must be empty. Returns its path. */
export function packFolder(folder: string): string {
  if (folder === '') throw new Problem('INVALID_USAGE', '--out is empty; name the folder to write')
  const path = resolve(folder)
  const known = statSync(path, { throwIfNoEntry: false })
  if (known && !known.isDirectory())
    throw new Problem('FILE_EXISTS', `${path} is a file; name a folder that does not exist`, { file: path })
  if (known && readdirSync(path).length > 0)
    throw new Problem('FILE_EXISTS', `${path} is not empty, and evidence is never overwritten. Name another folder`, {
      file: path,
    })
  return path
}

/** An evidence pack that is being written, in a folder next to its final name. */
export class EvidencePack {
  readonly #options: PackOptions
  readonly #path: string
  readonly #draft: string
  readonly #files: PackFile[] = []
  readonly #calls: ListedCall[] = []
  #fault: unknown

  constructor(options: PackOptions) {
    this.#options = options
    this.#path = packFolder(options.folder)
    this.#draft = this.#writing(() => {
      makeFolder(dirname(this.#path))
      const draft = draftFor(this.#path)
      mkdirSync(join(draft, 'calls'), { recursive: true })
      return draft
    })
  }

  /** Writes a request and its response. Never throws: a failed write is reported by `finish`, not as a failure of the request. */
  record(service: string, exchange: Exchange, content: ExchangeContent): void {
    if (this.#fault !== undefined) return
    try {
      const at = this.#options.now()
      const call = toCallRecord(exchange, content, { number: this.#calls.length + 1, service, at, mask: this.#mask })
      const file = `calls/${callFileName(call)}`
      this.add(file, jsonFile(call))
      const { method, path } = call.request
      this.#calls.push({ file, method, path, outcome: exchange.outcome, at: call.at })
    } catch (error) {
      this.#fault = error
    }
  }

  /** Adds a file below the pack, as it is. */
  add(file: string, content: string | Uint8Array): PackFile {
    const path = join(this.#draft, file)
    this.#writing(() => {
      makeFolder(dirname(path))
      const handle = openSync(path, 'wx')
      try {
        writeFileSync(handle, content)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
    })
    const bytes = Buffer.from(content)
    const added = { file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    this.#files.push(added)
    return added
  }

  /** Writes the case and the manifest, and gives the folder its name. */
  finish({ subject, data, page }: Case): EvidenceWritten {
    if (this.#fault !== undefined) throw this.#fault
    const { tool, now } = this.#options
    const madeAt = momentText(now())
    this.add('case.json', this.#mask(jsonFile({ subject, madeAt, madeBy: tool, ...data })))
    this.add('case.html', this.#mask(casePage(page, { calls: this.#calls, madeAt, madeBy: tool })))
    const files = this.#files.toSorted((a, b) => (a.file < b.file ? -1 : 1))
    const manifest = { manifestVersion: 1, tool, madeAt, subject, calls: this.#calls.length, files }
    const written = this.add('manifest.json', jsonFile(manifest))
    this.#writing(() => {
      // An empty folder of this name was accepted.
      if (existsSync(this.#path)) rmdirSync(this.#path)
      syncFolder(join(this.#draft, 'calls'))
      syncFolder(this.#draft)
      renameSync(this.#draft, this.#path)
      syncFolder(dirname(this.#path))
    })
    return { folder: this.#path, calls: this.#calls.length, files: [...files, written] }
  }

  /** Removes what was written so far. Has no effect on a finished pack. */
  discard(): void {
    removeDraft(this.#draft)
  }

  readonly #mask = (text: string): string => this.#options.mask?.(text) ?? text

  #writing<T>(write: () => T): T {
    return writing(this.#path, write)
  }
}

const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
