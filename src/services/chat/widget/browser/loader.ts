// The part of the widget that every page loads: the launcher, the control functions, and how the rest is fetched.
// A classic script, as a script tag loads it: it imports nothing, and its types by name alone leave nothing behind.

type Context = import('./context.ts').Context
type Language = import('./context.ts').Language
// biome-ignore lint/correctness/noUnusedVariables: it adds to the browser's own type of that name
interface Window {
  ChatWidget?: import('./context.ts').Control
}

;(() => {
  if (window.ChatWidget) return
  const script = document.currentScript as HTMLScriptElement | null
  if (!script) return
  const data = script.dataset
  const key = data.tenantKey || ''
  const base = new URL('.', script.src).href.slice(0, -1)
  const store = `cw:${key}`
  const listeners: Record<string, import('./context.ts').Listener[]> = {}
  const make: Context['make'] = (tag, props, ...kids) => {
    const node = Object.assign(document.createElement(tag), props)
    node.append(...kids)
    return node
  }
  // Each customer has a storage key of their own, so nobody reads what another one left.
  const open = (who: import('./context.ts').Customer): import('./context.ts').Session => {
    const name = store + (who.account ? `:${who.account}` : '')
    // Storage may be full, forbidden or absent: what it does not take is kept for this page.
    let memory: import('./context.ts').Kept = {}
    let isStored = false
    let final: import('./context.ts').Kept | undefined
    const load = () => {
      if (final) return final
      let stored: import('./context.ts').Kept = {}
      try {
        stored = JSON.parse(localStorage.getItem(name) as string)
      } catch {}
      return { ...stored, ...memory }
    }
    return {
      name,
      who,
      isRefused: false,
      load,
      save(change) {
        if (final) return
        memory = { ...memory, ...change }
        try {
          // Another tab or the page has removed the state: writing it again would undo that.
          if (isStored && localStorage.getItem(name) === null) return queueMicrotask(() => forgotten(name))
          localStorage.setItem(name, JSON.stringify(load()))
          isStored = true
          memory = {}
        } catch {}
      },
      // Requests on their way still end in their own room, so the token stays in memory.
      forget() {
        final = final || load()
        wipe((each) => each === name)
      },
      end() {
        final = final || load()
      },
    }
  }
  const wipe = (isWanted: (name: string) => boolean) => {
    try {
      for (const name of Object.keys(localStorage))
        if ((name === store || name.startsWith(`${store}:`)) && isWanted(name)) localStorage.removeItem(name)
    } catch {}
  }
  const emit: Context['emit'] = (name, detail) => {
    for (const listener of listeners[name] || [])
      try {
        listener(detail)
      } catch (error) {
        reportError(error)
      }
  }

  // Only what is a colour and nothing else gets near a style.
  const colour = (text: string | undefined) =>
    text && !/[;{}]|\((?<!(rgb|hsl)a?\()|^current/i.test(text) && CSS.supports('color', text) ? text : ''
  const themeOf = (text: string | undefined) => (/^(light|dark|auto)$/.test(text || '') ? text : '')
  const isImage = (text: string | undefined) => /^(https?:\/\/|data:image\/)/i.test(text || '')

  // Pages write what is no language tag, such as en_US; what cannot be read as one is passed over.
  const tongue = () => {
    for (const tag of [document.documentElement.lang, navigator.language])
      try {
        return new Intl.Locale(tag.replaceAll('_', '-')).baseName
      } catch {}
    return 'en'
  }
  const chat: Record<Language, string> = {
    'zh-hans': '聊天',
    'zh-hant': '聊天',
    ja: 'チャット',
    ko: '채팅',
    th: 'แชท',
    vi: 'Trò chuyện',
    ar: 'الدردشة',
    en: 'Chat',
  }
  const unreadOf: Record<Language, string> = {
    'zh-hans': '条未读消息',
    'zh-hant': '則未讀訊息',
    ja: '件の未読メッセージ',
    ko: '개의 읽지 않은 메시지',
    th: 'ข้อความที่ยังไม่ได้อ่าน',
    vi: 'tin nhắn chưa đọc',
    ar: 'رسائل غير مقروءة',
    en: 'unread messages',
  }
  const offline: Record<Language, string> = {
    'zh-hans': '离线',
    'zh-hant': '離線',
    ja: 'オフライン',
    ko: '오프라인',
    th: 'ออฟไลน์',
    vi: 'Ngoại tuyến',
    ar: 'غير متصل',
    en: 'Offline',
  }
  const language: Context['language'] = () => {
    const { language, script } = new Intl.Locale(tongue()).maximize()
    const code = (language === 'zh' ? `zh-${script}` : language).toLowerCase() as Language
    return chat[code] ? code : 'en'
  }

  const css = `:host{all:initial!important}*{box-sizing:border-box}
.w{--p:#14532d;--on:#fff;--bg:#fff;--ink:#1b1f1d;--quiet:#59615c;--line:#d5d9d6;font:15px/1.45 system-ui,sans-serif;color:var(--ink)}
.w[data-theme=dark]{--bg:#171b19;--ink:#eef2ef;--quiet:#a3ada7;--line:#343b37}
@media(prefers-color-scheme:dark){.w[data-theme=auto]{--bg:#171b19;--ink:#eef2ef;--quiet:#a3ada7;--line:#343b37}}
button{font:inherit;color:inherit;border:0;background:none;cursor:pointer;min-width:44px;min-height:44px;padding:0}
.l{position:fixed;z-index:2147483000;display:flex;align-items:center;gap:8px;min-width:56px;min-height:56px;padding:0 15px;border-radius:28px;background:var(--p);color:var(--on);box-shadow:0 4px 16px #0005}
.l img,.l svg{width:26px;height:26px;display:block}
.l>span:empty{display:none}.l b{position:absolute;top:-4px;inset-inline-end:-4px;min-width:22px;padding:0 6px;border-radius:11px;background:#b00020;color:#fff;font:700 13px/22px system-ui}
.v{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:3px solid #3b82f6;outline-offset:2px}[hidden]{display:none!important}
@media(forced-colors:active){.l,.p{border:1px solid}}`

  const host = make('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const wrap = make('div', { className: 'w' })
  const badge = make('b', { hidden: true })
  const label = make('span')
  const face = make('span', { ariaHidden: 'true' })
  const away = make('span')
  const launcher = make('button', { className: 'l', type: 'button', ariaExpanded: 'false', ariaHasPopup: 'dialog' })
  launcher.append(face, label, away, badge)
  wrap.append(launcher)
  root.append(wrap)

  const icon = () => {
    const ns = 'http://www.w3.org/2000/svg'
    const svg = document.createElementNS(ns, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    const path = document.createElementNS(ns, 'path')
    path.setAttribute('fill', 'currentColor')
    path.setAttribute('d', 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z')
    svg.append(path)
    return svg
  }
  const dress = (config: Context['config']) => {
    const chosen =
      colour(data.primaryColor) || colour(data.accentColor) || colour(data.color) || colour(config.primaryColor)
    wrap.dataset.theme = themeOf(data.theme) || themeOf(data.widgetTheme) || themeOf(config.theme) || 'auto'
    const style = wrap.style
    style.removeProperty('--p')
    if (chosen) style.setProperty('--p', chosen)
    // Red, green and blue from 0 to 1, and the opacity: `rgb(255, 0, 0)`, `rgba(…, 0.5)` or `color(srgb 1 0 0 / 0.5)`.
    const parts = () => {
      const seen = getComputedStyle(launcher).backgroundColor
      return (seen.match(/[\d.]+(e-\d+)?/g) || []).map((part, i) => +part / (i < 3 && /^rgb/.test(seen) ? 255 : 1))
    }
    // Words such as inherit resolve to nothing, and an invisible button is no button: the default color applies.
    if (parts()[3] === 0) style.removeProperty('--p')
    const [r = 0, g = 0, b = 0, opacity = 1] = parts()
    // Text on a translucent color is readable only on a known background, so the color is laid on white.
    const solid = [r, g, b].map((part) => part * opacity + 1 - opacity)
    if (opacity < 1) style.setProperty('--p', `rgb(${solid.map((part) => Math.round(part * 255))})`)
    const [red = 0, green = 0, blue = 0] = solid.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    // Black or white, whichever has more contrast.
    style.setProperty('--on', 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff')
    const text = data.launcherLabel || config.launcherLabel || ''
    const wanted = data.launcherIcon
    face.hidden = wanted === 'none'
    const fallback = () => face.replaceChildren(icon())
    if (isImage(wanted)) face.replaceChildren(make('img', { src: wanted as string, alt: '', onerror: fallback }))
    else fallback()
    // A button without any text still has a name.
    label.className = text ? '' : 'v'
    label.textContent = text || chat[language()]
    if (wanted === 'none' && !text) label.className = ''
  }

  const place = () => {
    const at = data.launcherPosition || 'right-bottom'
    const spot = /^\s*(-?)(\d+)\s*,\s*(-?)(\d+)\s*$/.exec(at)
    const style = launcher.style
    style.left = style.right = style.top = style.bottom = ''
    if (spot) {
      // The sign is read from the text, so that -0 counts from the far side too; the launcher stays in view.
      const clamp = (text: string | undefined, size: number, room: number) =>
        `${Math.max(0, Math.min(Number(text), room - size))}px`
      style[spot[1] ? 'right' : 'left'] = clamp(spot[2], launcher.offsetWidth, innerWidth)
      style[spot[3] ? 'bottom' : 'top'] = clamp(spot[4], launcher.offsetHeight, innerHeight)
    } else {
      const known = /^(left|right)-(top|bottom)$/.exec(at) || ['', 'right', 'bottom']
      style[known[1] as 'right'] = style[known[2] as 'bottom'] = '20px'
    }
  }

  const wanted = (value: unknown) => (value == null || value === '' ? undefined : String(value))
  const proof = (value: unknown) => {
    let given = value as { issuedAt?: unknown; signature?: unknown }
    try {
      if (/^\{/.test(value as string)) given = JSON.parse(value as string)
    } catch {}
    return given?.signature ? `${given.issuedAt}.${given.signature}` : wanted(value)
  }
  const customer = ({ account, identity, name, email }: import('./context.ts').Identification) => ({
    account: wanted(account),
    identity: proof(identity),
    name: wanted(name),
    email: wanted(email),
  })
  let session = open(
    customer({
      account: data.account,
      identity: data.identity,
      name: data.customerName,
      email: data.customerEmail,
    }),
  )
  // A page that names nobody may still identify somebody later, so it removes nothing.
  if (session.who.account) wipe((name) => name !== session.name)
  let unread = session.load().unread || 0
  const showUnread: Context['showUnread'] = (count) => {
    if (count !== unread) emit('unread', count)
    unread = count
    badge.hidden = !count
    badge.replaceChildren(String(count), make('span', { className: 'v', textContent: ` ${unreadOf[language()]}` }))
    session.save({ unread: count })
  }

  const ctx: Context = {
    data,
    key,
    base,
    wrap,
    root,
    launcher,
    emit,
    make,
    showUnread,
    language,
    tongue,
    config: {},
    isOpen: false,
    gone() {
      // biome-ignore lint/suspicious/noConsole: the one line that tells a page's owner why the widget is not there
      if (!isGone) console.warn('ChatWidget: the tenant key is not valid; the widget is hidden')
      destroy()
    },
    close: () => set(false),
  }
  let it: import('./context.ts').Conversation | undefined
  let start: typeof import('./app.ts').start | undefined
  let loading: Promise<void> | undefined
  let tries = 0
  const app = (): Promise<import('./context.ts').Conversation | undefined> => {
    // A browser may remember that an address failed, so a further try asks for another.
    loading =
      loading ||
      import(`${base}/widget-app.js${tries++ ? `?${tries}` : ''}`).then((module) => {
        start = module.start
      })
    return loading.then(
      () => {
        if (!isGone) it = it || start?.(ctx, session)
        return it
      },
      () => {
        // The network was away: it is said, and tried again with the next wish or when the network is back.
        loading = undefined
        if (ctx.isOpen) {
          ctx.isOpen = false
          launcher.ariaExpanded = 'false'
          away.textContent = offline[language()]
          place()
          addEventListener('online', () => away.textContent && set(true), { once: true })
        }
        return undefined
      },
    )
  }
  // The conversation of a customer sees one session only: another customer gets another conversation.
  const become = (who: import('./context.ts').Customer, isWiped?: (name: string) => boolean) => {
    const hadFocus = root.activeElement
    it?.stop()
    it = undefined
    session.end()
    if (isWiped) wipe(isWiped)
    session = open(who)
    showUnread(session.load().unread || 0)
    if (ctx.isOpen) app().then((it) => it?.show(ctx.isOpen, !hadFocus))
    else goOn()
  }
  /** Loads the conversation where there is one, or an identity to check while its signature is fresh. */
  const goOn = () => {
    if (session.who.account || session.load().roomId) app()
  }
  /** The customer's state was removed by another tab or by the page. */
  const forgotten = (name: string | null) => {
    if (!isGone && name === session.name) become({})
  }
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (newValue === null) forgotten(key || session.name)
  }
  addEventListener('storage', onStorage)
  const set = (isOpen: boolean) => {
    if (isGone || ctx.isOpen === isOpen) return
    ctx.isOpen = isOpen
    launcher.ariaExpanded = String(isOpen)
    app().then((it) => {
      if (it) away.textContent = ''
      it?.show(ctx.isOpen)
    })
    emit(isOpen ? 'open' : 'close')
  }
  let isGone = false
  const destroy = () => {
    isGone = true
    removeEventListener('resize', place)
    removeEventListener('storage', onStorage)
    host.remove()
    it?.stop()
  }
  launcher.onclick = () => set(!ctx.isOpen)

  const control: import('./context.ts').Control = {
    open: () => set(true),
    close: ctx.close,
    toggle: () => set(!ctx.isOpen),
    getUnreadCount: () => unread,
    markRead: () => {
      if (session.load().roomId) app().then((it) => it?.markRead())
    },
    identify: (given) => {
      const who = customer(given || {})
      if (isGone) return
      if (who.account && (who.account !== session.who.account || session.isRefused)) {
        const next = `${store}:${who.account}`
        return become(who, (name) => name !== next)
      }
      for (const [name, value] of Object.entries(who)) if (value) session.who[name as 'name'] = value
      it?.identify()
    },
    reset: () => {
      if (!isGone) become({}, () => true)
    },
    on: (name, listener) => {
      listeners[name] = [...(listeners[name] || []), listener]
    },
    off: (name, listener) => {
      listeners[name] = (listeners[name] || []).filter((each) => each !== listener)
    },
    destroy,
  }
  window.ChatWidget = control

  const begin = async () => {
    if (isGone) return
    // Beside the body: what a page does to that, and to all in it, is not done to this.
    document.documentElement.append(host)
    dress({})
    place()
    showUnread(unread)
    addEventListener('resize', place)
    dispatchEvent(new Event('chatwidget:ready'))
    const query = new URLSearchParams({ tenantKey: key })
    if (data.inboxCategoryCode) query.set('inboxCategoryCode', data.inboxCategoryCode)
    try {
      const response = await fetch(`${base}/api/widget/v1/config?${query}`, { credentials: 'omit' })
      if (response.status === 401 || response.status === 403) return ctx.gone()
      if (response.ok) ctx.config = await response.json()
      else if (response.status === 400) {
        // biome-ignore lint/suspicious/noConsole: tells a page's owner which of the attributes is passed over
        console.warn(`ChatWidget: there is no inbox category ${data.inboxCategoryCode}`)
        delete data.inboxCategoryCode
      }
    } catch {
      // Offline: the widget stays as it is, and says so when it is opened.
    }
    dress(ctx.config)
    place()
    it?.configure()
    // Somebody who has written before hears of answers without opening anything.
    goOn()
  }
  if (document.body) begin()
  else addEventListener('DOMContentLoaded', begin)
})()
