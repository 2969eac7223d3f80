import type { Config } from '../context.ts'
import { firstColor, paint } from './colors.ts'
import { css } from './css.ts'
import { cross, icon, make } from './dom.ts'

/** The button on the page, and the shadow tree that contains the whole widget. */
export class Launcher {
  readonly #data: DOMStringMap
  readonly #host = make('div')
  readonly #label = make('span')
  readonly #face = make('span', { ariaHidden: 'true' })
  /** Shown instead of the face while the conversation is open. */
  readonly #cross = make('span', { ariaHidden: 'true', hidden: true }, cross())
  #strings = { chat: 'Chat', unread: 'unread messages', away: 'Offline' }
  #isFaceHidden = false
  readonly #away = make('span')
  readonly #badge = make('b', { hidden: true })
  readonly root = this.#host.attachShadow({ mode: 'open' })
  readonly button = make(
    'button',
    { className: 'l', type: 'button', ariaExpanded: 'false', ariaHasPopup: 'dialog' },
    this.#face,
    this.#cross,
    this.#label,
    this.#away,
    this.#badge,
  )
  readonly wrap = make('div', { className: 'w' }, this.button)

  constructor(data: DOMStringMap) {
    this.#data = data
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    this.root.adoptedStyleSheets = [sheet]
    this.root.append(this.wrap)
  }

  /** Appends the host next to the body, so that styles and changes of the body and its contents do not affect it. */
  attach(): void {
    document.documentElement.append(this.#host)
  }

  remove(): void {
    this.#host.remove()
  }

  /** Applies the appearance set by the page or, where it sets none, by the back office. */
  applyLook(config: Config): void {
    const data = this.#data
    this.wrap.dataset['theme'] =
      themeOf(data['theme']) || themeOf(data['widgetTheme']) || themeOf(config.theme) || 'auto'
    const color = firstColor(data['primaryColor'], data['accentColor'], data['color'], config.primaryColor)
    paint(this.wrap.style, this.button, color)
    const text = data['launcherLabel'] || config.launcherLabel || ''
    const iconSource = data['launcherIcon']
    this.#strings = config.launcher || this.#strings
    this.#isFaceHidden = iconSource === 'none'
    this.#showFace()
    const fallback = () => this.#face.replaceChildren(icon())
    if (iconSource && /^(https?:\/\/|data:image\/)/i.test(iconSource))
      this.#face.replaceChildren(make('img', { src: iconSource, alt: '', onerror: fallback }))
    else fallback()
    // Without a visible text, the label is still the button's accessible name.
    this.#label.className = text || iconSource === 'none' ? '' : 'v'
    this.#label.textContent = text || this.#strings.chat
    this.align()
  }

  readonly align = () => {
    const at = this.#data['launcherPosition'] || 'right-bottom'
    const spot = /^\s*(-?)(\d+)\s*,\s*(-?)(\d+)\s*$/.exec(at)
    const { style } = this.button
    style.left = style.right = style.top = style.bottom = ''
    if (spot) {
      // The sign is read from the text, so that -0 counts from the far side too. The launcher stays visible.
      const clamp = (text: string | undefined, size: number, room: number) =>
        `${Math.max(0, Math.min(Number(text), room - size))}px`
      style[spot[1] ? 'right' : 'left'] = clamp(spot[2], this.button.offsetWidth, innerWidth)
      style[spot[3] ? 'bottom' : 'top'] = clamp(spot[4], this.button.offsetHeight, innerHeight)
    } else {
      const known = /^(left|right)-(top|bottom)$/.exec(at) || ['', 'right', 'bottom']
      style[known[1] as 'right'] = style[known[2] as 'bottom'] = '20px'
    }
  }

  showUnread(count: number): void {
    this.#badge.hidden = !count
    this.#badge.replaceChildren(
      String(count),
      make('span', { className: 'v', textContent: ` ${this.#strings.unread}` }),
    )
  }

  showOpen(isOpen: boolean): void {
    this.button.ariaExpanded = String(isOpen)
    this.#showFace()
  }

  /** Shows the icon, or the cross while the conversation is open: the launcher then closes it. */
  #showFace(): void {
    const isOpen = this.button.ariaExpanded === 'true'
    this.#face.hidden = isOpen || this.#isFaceHidden
    this.#cross.hidden = !isOpen
  }

  showOffline(isOffline: boolean): void {
    this.#away.textContent = isOffline ? this.#strings.away : ''
  }

  get isOffline(): boolean {
    return !!this.#away.textContent
  }
}

const themeOf = (text: string | undefined) => (/^(light|dark|auto)$/.test(text || '') ? text : '')
