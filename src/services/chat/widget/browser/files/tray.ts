import type { Strings } from '../context.ts'
import type { Core } from '../conversation/core.ts'
import type { RoomAccess } from '../conversation/room-access.ts'
import { lightbox } from './lightbox.ts'
import { maxFiles, refusalOf, sizeText } from './refusals.ts'
import { upload } from './upload.ts'

interface Chosen {
  readonly file: File
  readonly refusal: string | undefined
  readonly element: HTMLElement
}

/** The files that the customer has chosen, pasted or dropped, until they are sent. */
export class FileTray {
  readonly #core: Core
  readonly #access: RoomAccess
  readonly #container: HTMLElement
  readonly #strings: Strings
  readonly #list: HTMLElement
  /** Announced by screen readers. */
  readonly #news: HTMLElement
  #chosen: Chosen[] = []
  #sending: Promise<void> = Promise.resolve()

  constructor(core: Core, access: RoomAccess, container: HTMLElement, strings: Strings) {
    const { make } = core.ctx
    this.#core = core
    this.#access = access
    this.#container = container
    this.#strings = strings
    this.#list = make('div', { className: 'u' })
    this.#news = make('p', { className: 'v', role: 'status' })
    container.replaceChildren(this.#list, this.#news)
  }

  /** Adds files with a preview, or with the reason why they cannot be sent. */
  add(files: readonly File[]): void {
    const { ctx } = this.#core
    const added = files.map((file) => {
      const isFull = this.#chosen.filter(({ refusal }) => !refusal).length >= maxFiles
      const refusal =
        refusalOf(file, ctx.config.upload, this.#strings) ||
        (isFull ? this.#strings.tooMany.replace('%', String(maxFiles)) : undefined)
      const chosen: Chosen = { file, refusal, element: this.#draw(file, refusal, () => this.#remove(chosen)) }
      this.#chosen.push(chosen)
      return chosen
    })
    this.#news.textContent = added.map(({ file, refusal }) => `${file.name}${refusal ? `: ${refusal}` : ''}`).join(', ')
    this.#list.append(...added.map(({ element }) => element))
    this.#container.hidden = false
    // Scrolls to a refused file and its reason first, because the list is wider than the panel.
    const shown = added.find(({ refusal }) => refusal) || added.at(-1)
    shown?.element.scrollIntoView({ block: 'nearest' })
  }

  /** Sends the files one after the other, and removes those that cannot be sent. */
  send(): void {
    const files = this.#chosen.flatMap(({ file, refusal }) => (refusal ? [] : [file]))
    this.#chosen = []
    this.#list.replaceChildren()
    this.#container.hidden = true
    for (const file of files)
      this.#sending = this.#sending.then(() =>
        this.#core.life.signal.aborted ? undefined : upload(this.#core, this.#access, this.#strings, file),
      )
  }

  show(link: HTMLAnchorElement): void {
    lightbox(this.#core, this.#strings, link)
  }

  #remove(chosen: Chosen): void {
    const at = this.#chosen.indexOf(chosen)
    this.#chosen = this.#chosen.filter((each) => each !== chosen)
    chosen.element.remove()
    this.#container.hidden = this.#chosen.length === 0
    // The focus moves to the next file, or to the text box.
    const next = this.#chosen[Math.min(at, this.#chosen.length - 1)]?.element.querySelector('button')
    ;(next || this.#core.ctx.root.querySelector<HTMLElement>('.f textarea'))?.focus()
  }

  #draw(file: File, refusal: string | undefined, remove: () => void): HTMLElement {
    const { make } = this.#core.ctx
    const strings = this.#strings
    const picture = make('i', { ariaHidden: 'true', textContent: /\.(\w{1,4})$/.exec(file.name)?.[1] || '•' })
    if (!refusal && /^image\//.test(file.type))
      preview(make('canvas', { width: 88, height: 88, ariaHidden: 'true' }), file, picture)
    return make(
      'figure',
      { className: refusal ? 'bad' : '' },
      picture,
      make(
        'figcaption',
        {},
        make('b', { textContent: file.name, title: file.name, dir: 'auto' }),
        make('span', { textContent: refusal || sizeText(file.size, strings.lang) }),
      ),
      make('button', {
        type: 'button',
        className: 'x',
        textContent: '×',
        ariaLabel: strings.remove.replace('%', () => file.name),
        onclick: remove,
      }),
    )
  }
}

/** Draws a thumbnail. A canvas needs no URL, which the page's content security policy could forbid. */
async function preview(canvas: HTMLCanvasElement, file: File, until: HTMLElement): Promise<void> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height)
    const [width, height] = [picture.width * scale, picture.height * scale]
    canvas.getContext('2d')?.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
    picture.close()
    until.replaceWith(canvas)
  } catch {
    // The browser cannot decode the picture, so the file's extension stays.
  }
}
