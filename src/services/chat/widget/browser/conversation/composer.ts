import type { Core } from './core.ts'
import type { TypingIndicator } from './typing-indicator.ts'

/** The form in which the customer writes and selects files. */
export class Composer {
  readonly #core: Core
  readonly #typing: TypingIndicator
  readonly #box: HTMLTextAreaElement
  readonly #file: HTMLInputElement
  readonly form: HTMLElement
  onText = (_text: string) => {}
  onFiles = (_: readonly File[]) => {}
  /** Called when the customer sends, after `onText`, to send chosen files too. */
  onSubmit = () => {}

  constructor(core: Core, typing: TypingIndicator) {
    this.#core = core
    this.#typing = typing
    const { strings, session } = core
    const { make } = core.ctx
    this.#box = make('textarea', {
      rows: 1,
      ariaLabel: strings.hint,
      placeholder: strings.hint,
      maxLength: 4000,
      dir: 'auto',
      value: session.load().draft || '',
      oninput: () => {
        this.#keepDraft()
        typing.report(this.#box.value !== '')
      },
      onblur: () => this.#typing.report(false),
      onkeydown: (event) => this.#pressed(event),
    })
    this.#file = make('input', { type: 'file', multiple: true, hidden: true, onchange: () => this.#chosen() })
    // Not a form element: a sandboxed frame blocks its submit event silently.
    this.form = make(
      'div',
      { className: 'f' },
      this.#file,
      make('button', {
        type: 'button',
        className: 'x',
        ariaLabel: strings.attach,
        textContent: '+',
        onclick: () => this.#file.click(),
      }),
      this.#box,
      make('button', { type: 'button', className: 'b', textContent: strings.send, onclick: () => this.#submit() }),
    )
  }

  /** Sets the content types that the file dialog offers. */
  set accept(types: readonly string[]) {
    this.#file.accept = types.join()
  }

  focus(): void {
    this.#box.focus()
  }

  #submit(): void {
    const text = this.#box.value.trim()
    if (text) this.onText(text)
    this.onSubmit()
    this.#box.value = ''
    this.#keepDraft()
    this.focus()
  }

  #pressed(event: KeyboardEvent): void {
    // During IME composition, Enter selects a candidate and does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    this.#submit()
  }

  #chosen(): void {
    this.onFiles([...(this.#file.files || [])])
    this.#file.value = ''
  }

  /** Handles pasted or dropped files. Pasted text is left to the browser. */
  take(event: Event, data: DataTransfer | null): void {
    if (data?.files.length) {
      event.preventDefault()
      this.onFiles([...data.files])
    }
  }

  /** Stores the draft for the merchant's next page. */
  #keepDraft(): void {
    this.#core.session.save({ draft: this.#box.value })
  }
}
