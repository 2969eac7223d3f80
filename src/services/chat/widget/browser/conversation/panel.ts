import type { SocialChannel } from '../context.ts'
import type { Composer } from './composer.ts'
import type { Core } from './core.ts'
import { css } from './css.ts'

/** The window of the conversation. */
export class Panel {
  readonly #core: Core
  readonly #composer: Composer
  readonly #socials: HTMLElement
  readonly #menu: HTMLElement
  readonly #close: HTMLElement
  readonly #element: HTMLElement
  /** Called with a menu entry's sentence. */
  onMenu = (_text: string) => {}

  constructor(core: Core, composer: Composer) {
    this.#core = core
    this.#composer = composer
    const { ctx, words, status, list } = core
    const { make } = ctx
    this.#socials = make('div', { className: 'k' })
    this.#menu = make('div', { className: 'n' })
    this.#close = make('button', {
      type: 'button',
      className: 'x',
      ariaLabel: words.close,
      textContent: '×',
      onclick: ctx.close,
    })
    this.#element = make(
      'div',
      {
        className: 'p',
        role: 'dialog',
        ariaLabel: words.title,
        hidden: true,
        lang: ctx.browserLanguage(),
        onkeydown: (event) => {
          if (event.key === 'Escape' && !event.isComposing) ctx.close()
        },
      },
      make('div', { className: 'h' }, make('h2', { textContent: words.title }), this.#close),
      status.state,
      this.#socials,
      list.log,
      list.more,
      status.typing,
      this.#menu,
      composer.form,
    )
    if (!ctx.root.adoptedStyleSheets[1]) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      ctx.root.adoptedStyleSheets.push(sheet)
    }
    ctx.wrap.dir = ctx.language() === 'ar' || document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
    ctx.wrap.append(this.#element)
    addEventListener('resize', () => this.#place(), { signal: core.life.signal })
  }

  show(isOpen: boolean, keepsFocus: boolean | undefined): void {
    const { root, launcher } = this.#core.ctx
    const hadFocus = this.#element.contains(root.activeElement)
    this.#element.hidden = !isOpen
    if (isOpen) {
      this.#place()
      if (!keepsFocus) (this.#composer.form.hidden ? this.#close : this.#composer).focus()
    } else if (hadFocus) launcher.focus()
  }

  /** Leaves nothing to write with. */
  lock(): void {
    const { form } = this.#composer
    const hadFocus = form.contains(this.#core.ctx.root.activeElement)
    form.hidden = this.#menu.hidden = true
    if (hadFocus) this.#close.focus()
  }

  remove(): void {
    this.#element.remove()
  }

  /** Shows what the back office chose. */
  configure(): void {
    const { ctx } = this.#core
    const { upload, menu = [], socialChannels = [] } = ctx.config
    this.#composer.accept = upload?.contentTypes || []
    this.#socials.replaceChildren(...socialChannels.slice(0, 10).map((each) => this.#socialLink(each)))
    this.#menu.replaceChildren(
      ...menu.map(({ label, message, url }) =>
        url
          ? ctx.make('a', { className: 'c', href: url, target: '_blank', rel: 'noopener', textContent: label })
          : ctx.make('button', {
              type: 'button',
              className: 'c',
              textContent: label,
              onclick: () => this.onMenu(message || label),
            }),
      ),
    )
  }

  #socialLink({ kind, label, url }: SocialChannel): HTMLElement {
    const { make } = this.#core.ctx
    const sign = kind === 'email' ? '@' : kind === 'phone' ? '☎' : [...label][0] || ''
    // Mail and phone links open without a tab.
    const target = /^http/.test(url) ? '_blank' : ''
    const icon = make('b', { ariaHidden: 'true', textContent: sign })
    return make('a', { className: 'c', href: url, target, rel: 'noopener' }, icon, label)
  }

  /** Places the panel next to the launcher, on whichever side of it there is room. */
  #place(): void {
    const at = this.#core.ctx.launcher.getBoundingClientRect()
    const { style } = this.#element
    style.left = style.right = style.top = style.bottom = ''
    const isRight = at.left + at.width / 2 > innerWidth / 2
    const isLow = at.top + at.height / 2 > innerHeight / 2
    style[isRight ? 'right' : 'left'] = `${Math.max(12, isRight ? innerWidth - at.right : at.left)}px`
    const room = isLow ? innerHeight - at.top + 12 : at.bottom + 12
    const height = this.#element.offsetHeight
    style[isLow ? 'bottom' : 'top'] = `${Math.max(12, Math.min(room, innerHeight - 12 - height))}px`
  }
}
