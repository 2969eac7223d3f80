import type { Composer } from './composer.ts'
import type { Core } from './core.ts'
import { css } from './css.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

/** The window of the conversation. */
export class Panel {
  readonly #core: Core
  readonly #composer: Composer
  readonly #close: HTMLElement
  readonly element: HTMLElement
  readonly #options: HTMLElement
  /** The title: the agent's name, if there is one. */
  readonly name: HTMLElement
  /** Container of the office hours. */
  readonly hours: HTMLElement
  /** Container of the merchant's other contact channels. */
  readonly socials: HTMLElement
  /** Container of the back office's menu. */
  readonly menu: HTMLElement
  /** Container of the chosen files that are not sent yet. */
  readonly tray: HTMLElement
  /** Container of the options, the email form and the rating, shown when needed. */
  readonly extras: HTMLElement
  onOptions = () => {}
  /** Called with the text of a menu entry. */
  onText = (_text: string) => {}

  constructor(core: Core, composer: Composer) {
    this.#core = core
    this.#composer = composer
    const { ctx, strings, status, list } = core
    const { make } = ctx
    this.socials = make('div', { className: 'k' })
    this.menu = make('div', { className: 'n' })
    this.#close = make('button', {
      type: 'button',
      className: 'x',
      ariaLabel: strings.close,
      textContent: '×',
      onclick: ctx.close,
    })
    this.name = make('h2', { textContent: strings.title })
    this.hours = make('p')
    this.#options = make('button', {
      type: 'button',
      className: 'x',
      ariaLabel: strings.options,
      ariaExpanded: 'false',
      textContent: '⋯',
      onclick: () => this.onOptions(),
    })
    this.tray = make('div', { hidden: true })
    this.extras = list.end
    this.element = make(
      'div',
      {
        className: 'p',
        role: 'dialog',
        ariaLabel: strings.title,
        hidden: true,
        lang: core.locale,
        onkeydown: (event) => {
          if (event.key === 'Escape' && !event.isComposing) ctx.close()
        },
        ondragover: (event) => {
          if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
        },
        ondrop: (event) => composer.take(event, event.dataTransfer),
        onpaste: (event) => composer.take(event, event.clipboardData),
      },
      make('div', { className: 'h' }, make('div', {}, this.name, this.hours), this.#options, this.#close),
      status.state,
      this.socials,
      list.log,
      list.more,
      status.typing,
      this.menu,
      this.tray,
      composer.form,
    )
    const { adoptedStyleSheets } = ctx.root
    if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
    ctx.wrap.dir = strings.lang === 'ar' || document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
    ctx.wrap.append(this.element)
    addEventListener('resize', () => this.#align(), { signal: core.life.signal })
  }

  show(isOpen: boolean, keepsFocus: boolean | undefined): void {
    const { root, launcher } = this.#core.ctx
    const hadFocus = this.element.contains(root.activeElement)
    this.element.hidden = !isOpen
    if (isOpen) {
      this.#align()
      if (!keepsFocus) (this.#composer.form.hidden ? this.#close : this.#composer).focus()
    } else if (hadFocus) launcher.focus()
  }

  /** Hides everything that the customer could send something with. */
  lock(): void {
    const { form } = this.#composer
    const hadFocus = form.contains(this.#core.ctx.root.activeElement)
    form.hidden = this.menu.hidden = this.tray.hidden = this.extras.hidden = this.#options.hidden = true
    if (hadFocus) this.#close.focus()
  }

  remove(): void {
    this.element.remove()
  }

  /** Applies the back office's settings. */
  configure(): void {
    const { ctx } = this.#core
    const { upload } = ctx.config
    this.#composer.accept = upload?.contentTypes || []
  }

  set hasOptions(isOpen: boolean) {
    this.#options.ariaExpanded = String(isOpen)
  }

  /** Aligns the panel with the launcher, on the side of it that has more space. */
  #align(): void {
    const at = this.#core.ctx.launcher.getBoundingClientRect()
    const { style } = this.element
    style.left = style.right = style.top = style.bottom = ''
    const isRight = at.left + at.width / 2 > innerWidth / 2
    const isLow = at.top + at.height / 2 > innerHeight / 2
    style[isRight ? 'right' : 'left'] = `${Math.max(12, isRight ? innerWidth - at.right : at.left)}px`
    const room = isLow ? innerHeight - at.top + 12 : at.bottom + 12
    const height = this.element.offsetHeight
    style[isLow ? 'bottom' : 'top'] = `${Math.max(12, Math.min(room, innerHeight - 12 - height))}px`
  }
}
