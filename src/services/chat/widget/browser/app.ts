// The part of the widget that is loaded when somebody wants to talk: the conversation itself.

import type { Context, Conversation, Kept, Language, Message, Queued, Room, Session, Words } from './context.ts'

const texts: Record<Language, Words> = {
  en: [
    'Chat with us',
    'Close',
    'Write a message',
    'Send',
    'Attach a file',
    'Connecting…',
    'You are offline. Messages are sent when you are back.',
    'Not sent. Try again',
    'Sending…',
    'The file could not be sent',
    'Earlier messages',
    'You',
    'Support',
    'This conversation is closed. Write to open it again.',
    'Uploading',
    'Your request was updated',
    '% is writing…',
    'New message',
    'We could not confirm your sign-in. Reload the page to chat.',
  ],
  'zh-hant': [
    '與我們聊天',
    '關閉',
    '輸入訊息',
    '傳送',
    '附加檔案',
    '連線中…',
    '您已離線，恢復連線後會自動傳送訊息。',
    '未傳送，請重試',
    '傳送中…',
    '無法傳送檔案',
    '較早的訊息',
    '您',
    '客服',
    '對話已結束，傳送訊息即可重新開啟。',
    '上傳中',
    '您的請求已更新',
    '%正在輸入…',
    '新訊息',
    '無法確認您的登入身分，請重新載入頁面後再試。',
  ],
  'zh-hans': [
    '与我们聊天',
    '关闭',
    '输入消息',
    '发送',
    '添加文件',
    '正在连接…',
    '您已离线，恢复连接后会自动发送消息。',
    '未发送，请重试',
    '正在发送…',
    '无法发送文件',
    '更早的消息',
    '您',
    '客服',
    '对话已结束，发送消息即可重新打开。',
    '正在上传',
    '您的请求已更新',
    '%正在输入…',
    '新消息',
    '无法确认您的登录身份，请重新加载页面后再试。',
  ],
  ja: [
    'チャット',
    '閉じる',
    'メッセージを入力',
    '送信',
    'ファイルを添付',
    '接続中…',
    'オフラインです。復帰後に送信します。',
    '未送信。再試行',
    '送信中…',
    'ファイルを送信できません',
    '以前のメッセージ',
    'あなた',
    'サポート',
    '会話は終了しました。送信すると再開します。',
    'アップロード中',
    'お問い合わせが更新されました',
    '%が入力中…',
    '新着メッセージ',
    'ログイン状態を確認できませんでした。ページを再読み込みしてください。',
  ],
  ko: [
    '채팅',
    '닫기',
    '메시지 입력',
    '보내기',
    '파일 첨부',
    '연결 중…',
    '오프라인입니다. 연결되면 전송됩니다.',
    '전송 실패. 다시 시도',
    '전송 중…',
    '파일을 보낼 수 없습니다',
    '이전 메시지',
    '나',
    '상담원',
    '대화가 종료되었습니다. 메시지를 보내면 다시 열립니다.',
    '업로드 중',
    '문의가 업데이트되었습니다',
    '% 입력 중…',
    '새 메시지',
    '로그인을 확인할 수 없습니다. 페이지를 새로고침해 주세요.',
  ],
  th: [
    'แชทกับเรา',
    'ปิด',
    'พิมพ์ข้อความ',
    'ส่ง',
    'แนบไฟล์',
    'กำลังเชื่อมต่อ…',
    'คุณออฟไลน์ ข้อความจะถูกส่งเมื่อกลับมา',
    'ส่งไม่สำเร็จ ลองอีกครั้ง',
    'กำลังส่ง…',
    'ส่งไฟล์ไม่ได้',
    'ข้อความก่อนหน้า',
    'คุณ',
    'ฝ่ายบริการ',
    'การสนทนาสิ้นสุดแล้ว ส่งข้อความเพื่อเปิดอีกครั้ง',
    'กำลังอัปโหลด',
    'คำขอของคุณได้รับการอัปเดต',
    '% กำลังพิมพ์…',
    'ข้อความใหม่',
    'ยืนยันการเข้าสู่ระบบไม่ได้ โปรดโหลดหน้านี้ใหม่',
  ],
  vi: [
    'Trò chuyện',
    'Đóng',
    'Nhập tin nhắn',
    'Gửi',
    'Đính kèm tệp',
    'Đang kết nối…',
    'Bạn đang ngoại tuyến. Tin nhắn sẽ được gửi khi có mạng.',
    'Chưa gửi. Thử lại',
    'Đang gửi…',
    'Không gửi được tệp',
    'Tin nhắn trước',
    'Bạn',
    'Hỗ trợ',
    'Cuộc trò chuyện đã đóng. Gửi tin để mở lại.',
    'Đang tải lên',
    'Yêu cầu của bạn đã được cập nhật',
    '% đang nhập…',
    'Tin nhắn mới',
    'Không xác nhận được đăng nhập. Hãy tải lại trang.',
  ],
  ar: [
    'تحدث معنا',
    'إغلاق',
    'اكتب رسالة',
    'إرسال',
    'إرفاق ملف',
    'جارٍ الاتصال…',
    'أنت غير متصل. سترسل الرسائل عند عودتك.',
    'لم ترسل. أعد المحاولة',
    'جارٍ الإرسال…',
    'تعذر إرسال الملف',
    'رسائل أقدم',
    'أنت',
    'الدعم',
    'انتهت المحادثة. اكتب لفتحها من جديد.',
    'جارٍ الرفع',
    'تم تحديث طلبك',
    '% يكتب…',
    'رسالة جديدة',
    'تعذر تأكيد تسجيل دخولك. أعد تحميل الصفحة.',
  ],
}

const css = `.p{position:fixed;z-index:2147483001;display:flex;flex-direction:column;width:min(370px,calc(100vw - 24px));height:min(560px,calc(100vh - 110px));background:var(--bg);border-radius:16px;overflow:hidden;box-shadow:0 10px 40px #0006}
@media(max-width:480px),(max-height:480px){.p{inset:0!important;width:100vw;height:100%;border-radius:0}}
.h{display:flex;align-items:center;justify-content:space-between;padding:4px;padding-inline-start:16px;background:var(--p);color:var(--on)}
h2{font:600 16px/1.3 system-ui;margin:0}.s,.y{margin:0;padding:4px 16px;font-size:13px;color:var(--quiet)}.s{border-bottom:1px solid var(--line)}.s:empty{padding:0;border:0}
.y{height:27px;flex:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.g{flex:1;overflow-y:auto;padding:12px 12px 0;display:flex;flex-direction:column}.g:focus-visible{outline-offset:-3px}ul{list-style:none;margin:auto 0 0;padding:0;display:flex;flex-direction:column;gap:8px}
li{max-width:85%;padding:8px 12px;border-radius:14px;border:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}
.m{align-self:flex-end;background:var(--p);color:var(--on);border:0;border-end-end-radius:4px}.t{align-self:flex-start;border-end-start-radius:4px}.e{align-self:center;border:0;color:var(--quiet);font-size:13px;text-align:center}
small{display:block;color:var(--quiet);font-size:12px}.m small{color:inherit}li img{display:block;max-width:100%;max-height:220px;height:auto;border-radius:8px}a{color:inherit}li button,.o{display:block;text-decoration:underline}
progress{width:100%}.o{color:var(--quiet);flex:none}
.d{align-self:center;flex:none;margin:-52px 0 8px;padding:0 16px;border-radius:22px;border:1px solid var(--quiet);background:var(--bg);color:var(--ink);box-shadow:0 2px 8px #0006;z-index:1}
.r{padding:16px;font-size:15px;color:var(--ink)}
.k{display:flex;flex:none;gap:8px;padding:6px 12px;overflow-x:auto;border-bottom:1px solid var(--line)}.k:empty{display:none}.k .c{flex:none;gap:8px;padding-inline-start:8px}.k b{width:28px;border-radius:14px;text-align:center;font:700 14px/28px system-ui;text-transform:uppercase;background:var(--p);color:var(--on)}
.n{display:flex;flex-wrap:wrap;gap:8px;padding:4px 12px 8px}.n:empty{display:none}.c{display:flex;align-items:center;min-height:44px;padding:0 14px;border:1px solid var(--quiet);border-radius:22px;text-decoration:none}
.f{display:flex;align-items:flex-end;gap:8px;padding:8px;border-top:1px solid var(--line)}
textarea{flex:1;font:inherit;font-size:16px;color:inherit;background:transparent;border:1px solid var(--quiet);border-radius:10px;padding:10px;resize:none;min-height:44px;max-height:120px;field-sizing:content}textarea::placeholder{color:var(--quiet);opacity:1}
.x{font-size:22px;line-height:1}.b{padding:0 14px;border-radius:10px;background:var(--p);color:var(--on);font-weight:600}
@media(prefers-reduced-motion:no-preference){.p{animation:i .15s ease-out}}@keyframes i{from{transform:translateY(8px)}}`

/** The browser's own clock and chance, which are all there is here. */
const now = () => performance.timeOrigin + performance.now()
const chance = () => (crypto.getRandomValues(new Uint8Array(1))[0] || 0) / 256
const newId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** What a refused or failed call is thrown as. */
type Failure = Error & { code?: string; status?: number; details?: { receivedBytes: number }[]; retryMs?: number }
// biome-ignore lint/suspicious/noExplicitAny: answers of our own server, as its contract has them
type Answer = any

/** Opens the conversation of one session. It never reads or writes anything of another one. */
export function start(ctx: Context, session: Session): Conversation {
  const { make, key, base, wrap, root } = ctx
  const { load, save, who, name: store } = session
  const language = ctx.language()
  const [
    title,
    closeText,
    hint,
    sendText,
    attachText,
    connecting,
    offline,
    notSent,
    sending,
    notUploaded,
    earlier,
    you,
    support,
    closed,
    uploading,
    updated,
    writing,
    newMessage,
    notIdentified,
  ] = texts[language]
  if (!root.adoptedStyleSheets[1]) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
  }

  let { token } = load()
  const known = load().roomId
  let room: Room | undefined = known ? { roomId: known } : undefined
  // A token may be used when it is a visitor's own, or was given for this very signature.
  const isProven = () => !who.account || !!(token && load().proofs?.includes(who.identity || ''))
  let isSure = isProven()
  let cursor = ''
  let cut = new AbortController()
  let stopped = false
  let isStreaming = false
  const messages = new Map<string | null | undefined, Message>()
  const queue = [...(load().queue || [])]
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(store) : undefined

  // Whoever waits before another try is woken when the network is back or the page is looked at.
  const sleepers = new Set<() => void>()
  const nap = (ms: number) =>
    new Promise<void>((resolve) => {
      sleepers.add(resolve)
      setTimeout(resolve, ms)
    })
  const wake = () => {
    for (const resolve of sleepers) resolve()
    sleepers.clear()
  }

  // ── What is seen ──
  const list = make('ul', { role: 'list' })
  const older = make('button', { type: 'button', className: 'o', textContent: earlier, hidden: true })
  const log = make('div', { className: 'g', tabIndex: 0, role: 'log', ariaLabel: title }, older, list)
  const more = make('button', { type: 'button', className: 'd', textContent: `${newMessage} ↓`, hidden: true })
  const socials = make('div', { className: 'k' })
  const status = make('p', { className: 's', role: 'status' })
  const writes = make('p', { className: 'y', role: 'status' })
  const menu = make('div', { className: 'n' })
  const box = make('textarea', { rows: 1, ariaLabel: hint, placeholder: hint, maxLength: 4000, dir: 'auto' })
  const file = make('input', { type: 'file', hidden: true })
  const attach = make('button', { type: 'button', className: 'x', ariaLabel: attachText, textContent: '+' })
  const button = make('button', { type: 'button', className: 'b', textContent: sendText })
  // No form element: a sandboxed frame submits none, and then says nothing of it.
  const form = make('div', { className: 'f' }, file, attach, box, button)
  const close = make('button', { type: 'button', className: 'x', ariaLabel: closeText, textContent: '×' })
  const panel = make(
    'div',
    { className: 'p', role: 'dialog', ariaLabel: title, hidden: true, lang: ctx.tongue() },
    make('div', { className: 'h' }, make('h2', { textContent: title }), close),
    status,
    socials,
    log,
    more,
    writes,
    menu,
    form,
  )
  wrap.dir = language === 'ar' || document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  wrap.append(panel)

  // A text that stays the same is not written again: a screen reader would read it again.
  const put = (place: HTMLElement, text: string) => {
    if (place.textContent !== text) place.textContent = text
  }
  const say = (text: string) => {
    if (!stopped) put(status, text)
  }
  // What is wrong with the line is over; what was wrong with a file is still to be read.
  const lineIsBack = () => {
    if (status.textContent === connecting || status.textContent === offline) say('')
  }
  let hush: ReturnType<typeof setTimeout> | undefined
  const showWriting = (name: string) => {
    clearTimeout(hush)
    put(writes, name && writing.replace('%', () => `\u2068${name}\u2069`))
    if (name) hush = setTimeout(showWriting, 6_000, '')
  }
  const timeOf = (text: string) => {
    const at = new Date(text)
    const isToday = at.toDateString() === new Date(now()).toDateString()
    return at.toLocaleString(ctx.tongue(), { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) })
  }
  const draw = (message: Message) => {
    const { senderType, eventKind, createdAt } = message
    const isMine = senderType === 'customer'
    const li = make('li', {
      className: senderType === 'system' && eventKind !== 'ticketComment' ? 'e' : isMine ? 'm' : 't',
    })
    if (isMine) li.append(make('span', { className: 'v', textContent: `${you}: ` }))
    else if (!eventKind) li.append(make('small', { textContent: message.senderDisplayName || support }))
    else if (eventKind === 'ticketComment') li.append(make('small', { textContent: updated }))
    for (const each of message.attachments || []) {
      const link = make('a', { href: each.downloadUrl, target: '_blank', rel: 'noopener', textContent: each.fileName })
      if (/^image\//.test(each.contentType)) {
        const { width, height } = each
        const picture = make('img', { src: each.downloadUrl, alt: '', onerror: () => picture.remove() })
        // With its size known, a picture takes its place before it is loaded, and nothing below it moves.
        if (width && height) {
          const scale = Math.min(1, 220 / height)
          picture.width = Math.round(width * scale)
          picture.height = Math.round(height * scale)
        }
        link.prepend(picture)
      }
      li.append(link)
    }
    const text = eventKind === 'roomClosed' ? closed : message.text || ''
    // By its own first letter, and not by that of the name beside it, a text runs one way or the other.
    const body = make('div', { dir: 'auto' })
    // As text and nothing else: whatever a customer or agent writes stays what it looks like. An address leads where its
    // own letters say; one that goes on in letters other than those is left alone, as half of it would lead elsewhere.
    text.split(/(https?:\/\/\w[!-~]*(?![!-~\u00c0-\u1fff]))/i).forEach((part, i) => {
      const [, href, rest = part] = (i % 2 && /(.*[\w/#=&%~+-])(.*)/.exec(part)) || []
      if (href) body.append(make('a', { href, target: '_blank', rel: 'noopener', textContent: href }))
      body.append(rest)
    })
    li.append(body)
    if (createdAt && li.className !== 'e') li.append(make('small', { textContent: timeOf(createdAt) }))
    if (message.pending) {
      if (message.progress !== undefined)
        li.append(make('progress', { max: 100, value: message.progress, ariaLabel: uploading }))
      else if (message.failed)
        li.append(make('button', { type: 'button', textContent: notSent, onclick: () => retry(message) }))
      else li.append(make('small', { textContent: sending }))
    }
    return li
  }
  let drawing = 0
  let isOlder = false
  const drawn = new Map<Message, HTMLElement>()
  const render = () => {
    // Once per frame, however many events came.
    drawing =
      drawing ||
      requestAnimationFrame(() => {
        drawing = 0
        const below = log.scrollHeight - log.scrollTop
        const sorted = [...messages.values()].sort((a, b) => (a.seq || Infinity) - (b.seq || Infinity) || 0)
        const { greeting } = ctx.config
        if (greeting && !sorted.length && !session.isRefused) sorted.push({ senderType: 'bot', text: greeting })
        const wanted = sorted.map((message) => {
          const li = drawn.get(message) || draw(message)
          drawn.set(message, li)
          return li
        })
        // What is there already is left alone, so that a screen reader hears only what is new.
        wanted.forEach((li, i) => {
          if (list.children[i] !== li) list.insertBefore(li, list.children[i] || null)
        })
        while (list.children.length > wanted.length) list.lastChild?.remove()
        for (const message of drawn.keys()) if (!sorted.includes(message)) drawn.delete(message)
        // Who reads the end stays at the end, and who asked for what was earlier at what they were reading.
        if (follows) toEnd()
        else if (isOlder) log.scrollTop = log.scrollHeight - below
        isOlder = false
        offer()
        look()
      })
  }
  // Whoever reads the end is kept there, whatever grows: messages, pictures that load, the text box.
  let follows = true
  let top = 0
  let hasNews = false
  /** Shows the way to new messages below, once it is known whether the customer has scrolled away from the end. */
  const offer = () => {
    hasNews = hasNews && !follows
    more.hidden = !hasNews
  }
  const toEnd = () => {
    follows = true
    offer()
    log.scrollTop = log.scrollHeight
    top = log.scrollTop
  }
  const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80
  const grown = new ResizeObserver(() => {
    if (follows || isAtEnd()) toEnd()
    look()
  })
  grown.observe(list)
  grown.observe(log)
  log.onscroll = () => {
    // Only scrolling back leaves the end: what is added below it moves the end away, and not the reader.
    follows = isAtEnd() || (follows && log.scrollTop >= top)
    top = log.scrollTop
    offer()
    look()
  }
  more.onclick = () => {
    // The button disappears: the focus stays in the conversation.
    log.focus()
    toEnd()
  }
  const upsert = (message: Message) => {
    const id = message.clientMessageId
    // The answer to the request and the push may come in either order; both end here.
    if (id) messages.delete(id)
    if (!(messages.get(message.messageId)?.seq === message.seq && message.seq))
      messages.set(message.messageId || id, message)
    if (!message.pending && id) unqueue(id)
    render()
  }
  // Several tabs keep one queue: each adds and takes away its own.
  const keepQueue = (change: (kept: readonly Queued[]) => readonly Queued[]) =>
    save({ queue: change(load().queue || []) })
  const wait = (item: Queued) => {
    queue.push(item)
    keepQueue((kept) => [...kept, item])
    upsert({ ...item, senderType: 'customer', pending: true })
  }
  const unqueue = (id: string) => {
    const at = queue.findIndex((each) => each.clientMessageId === id)
    if (at >= 0) queue.splice(at, 1)
    keepQueue((kept) => kept.filter((each) => each.clientMessageId !== id))
  }

  // ── Talking to the server ──
  const call = async (
    method: string,
    path: string,
    body?: object,
    more?: { raw?: boolean; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Answer> => {
    const url = new URL(`${base}/api/widget/v1${path}`)
    url.searchParams.set('tenantKey', key)
    const isBytes = body instanceof Blob
    const used = token
    const response = await fetch(url, {
      method,
      credentials: 'omit',
      headers: {
        ...(token ? { 'X-Chat-Room-Token': token } : {}),
        ...(body ? { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' } : {}),
        ...more?.headers,
      },
      ...(body ? { body: isBytes ? body : JSON.stringify(body) } : {}),
      ...(more?.signal ? { signal: more.signal } : {}),
    })
    if (response.ok) return more?.raw ? response : response.json()
    const { error } = await response.json().catch(() => ({}))
    const code = error?.code || ''
    if (code === 'INVALID_TENANT_KEY' || code === 'ORIGIN_NOT_ALLOWED') ctx.gone()
    if (code === 'INVALID_ROOM_TOKEN') {
      // Another tab may have found the way into another room already.
      if (load().token === used) {
        save({ token: undefined, roomId: undefined, proofs: [] })
        isSure = !who.account
      }
      adopt()
      lineIsBack()
      if (!isSure) goOn()
    }
    throw Object.assign(new Error(code), {
      code,
      status: response.status,
      details: error?.details,
      retryMs: Number(response.headers.get('retry-after')) * 1000,
    })
  }
  /** Goes where the browser's other tabs are: into another room, into the same by a newer token, or out. */
  const adopt = (kept = load()) => {
    token = kept.token
    if (kept.roomId === room?.roomId) return
    room = kept.roomId ? { roomId: kept.roomId } : undefined
    // Another room counts its messages anew.
    for (const [id, { pending }] of messages) if (!pending) messages.delete(id)
    isLoaded = false
    cursor = ''
    cut.abort()
    render()
    listen()
  }
  const inRoom = (method: string, path: string, body?: object, more?: Parameters<typeof call>[3]) =>
    call(method, `/rooms/${room?.roomId}${path}`, body, more)
  // A frame without an origin of its own has locks that refuse every request.
  const oneByOne = async (name: string, work: () => Promise<void>, more = {}): Promise<void> => {
    let isBegun = false
    try {
      await navigator.locks.request(name, more, () => {
        isBegun = true
        return work()
      })
    } catch (caught) {
      if (isBegun || stopped) throw caught
      await work()
    }
  }
  /** One tab after the other, so that all of them come to be in one room. */
  const once = (work: () => Promise<void>) => {
    let running: Promise<void> | undefined
    return () => {
      running =
        running ||
        oneByOne(`${store}+`, async () => {
          // What another tab did meanwhile counts; what a session had when it ended is its own.
          if (!stopped) adopt()
          await work()
        }).finally(() => {
          running = undefined
        })
      return running
    }
  }
  const profile = () => ({
    tenantKey: key,
    customerDisplayName: [...(who.name || '')].slice(0, 100).join(''),
    customerLanguage: ctx.tongue(),
    // What is no address is left out: it is no reason to refuse the conversation.
    customerEmail: /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(who.email || '') ? who.email?.slice(0, 254) : '',
  })
  const told = () => `${who.name || ''}\n${who.email || ''}`
  const keepRoom = ({ roomId, roomToken, roomTokenExpiresAt }: Answer, more?: Kept) => {
    const kept = { token: roomToken, until: roomTokenExpiresAt, roomId: roomId || undefined, told: told() }
    save({ ...kept, ...more })
    adopt(kept)
    channel?.postMessage({ at: roomId })
  }
  /** Exchanges the signature, which expires after minutes, for a token. It makes no room. */
  const prove = once(async () => {
    isSure = isProven()
    if (isSure) return
    const { account, identity = '' } = who
    const [issuedAt, signature] = identity.split('.')
    try {
      const proven = await call('POST', '/identity', {
        ...profile(),
        identity: { customerAccount: account, issuedAt: Number(issuedAt), signature },
      })
      isSure = true
      keepRoom(proven, { proofs: [...(load().proofs || []), identity].slice(-9) })
    } catch (caught) {
      const { status: code, code: why } = caught as Failure
      if (code === 400 || why === 'IDENTITY_INVALID') refuse()
      throw caught
    }
  })
  const openRoom = once(async () => {
    if (room) return
    keepRoom(
      await call('POST', '/rooms', {
        ...profile(),
        inboxCategoryCode: ctx.data['inboxCategoryCode'],
        pageUrl: location.href.split(/[?#]/)[0],
      }),
    )
  })
  const enter = async () => {
    if (!isSure) await prove()
    if (!room) await openRoom()
  }
  /** The server does not know this customer: nothing is kept, and nothing can be written. */
  const refuse = () => {
    if (stopped) return
    const hadFocus = form.contains(root.activeElement)
    session.isRefused = true
    stop()
    session.forget()
    messages.clear()
    queue.length = 0
    render()
    ctx.showUnread(0)
    form.hidden = menu.hidden = true
    if (hadFocus) close.focus()
    showWriting('')
    status.className = 's r'
    put(status, notIdentified)
    // biome-ignore lint/suspicious/noConsole: tells a page's owner why the customer cannot write
    console.warn(`ChatWidget: the identity of ${who.account} is missing, wrongly signed or expired`)
  }
  const history = async (beforeSeq?: number) => {
    const page = await inRoom('GET', `/messages?limit=50${beforeSeq ? `&beforeSeq=${beforeSeq}` : ''}`)
    if (!beforeSeq) cursor = page.eventCursor
    older.hidden = !page.hasMoreBefore
    isOlder = !!beforeSeq
    page.items.forEach(upsert)
  }
  older.onclick = () => {
    const first = Math.min(...[...messages.values()].map((each) => each.seq || Infinity))
    history(first).catch(() => say(connecting))
  }
  const take = (state: Room) => {
    if (stopped) return
    room = { ...room, ...state }
    ctx.showUnread(room.customerUnreadCount || 0)
    look()
  }
  /** Marks as read what is in view; what arrives below while somebody reads earlier messages stays unread. */
  const look = () => {
    if (!ctx.isOpen || document.visibilityState !== 'visible' || !room?.customerUnreadCount) return
    const end = log.getBoundingClientRect().bottom + 8
    let seen = room.customerReadSeq || 0
    for (const [{ seq = 0 }, li] of drawn) if (seq > seen && li.getBoundingClientRect().bottom < end) seen = seq
    if (seen > (room.customerReadSeq || 0)) markRead(seen)
  }
  let isMarking = false
  let wanted = 0
  const markRead = async (upTo = room?.lastSeq || 0) => {
    wanted = Math.max(wanted, upTo)
    if (isMarking) return
    isMarking = true
    // What comes while one is on its way is read with the next.
    for (let read = 0; room && read < wanted && !stopped; )
      try {
        const seq = wanted
        const last = room.lastSeq
        const state = await inRoom('POST', '/read', { seq })
        read = seq
        // With newer messages the count of the answer is the older one.
        if (room?.lastSeq === last) take(state)
      } catch (caught) {
        const { retryMs } = caught as Failure
        if (!retryMs) break
        await nap(retryMs)
      }
    wanted = 0
    isMarking = false
  }
  // Told again before the six seconds are over that it counts for; and never makes a room.
  let toldAt = 0
  const tellWriting = (typing: boolean) => {
    if (!room || (typing ? now() - toldAt < 4_000 : !toldAt)) return
    toldAt = typing ? now() : 0
    inRoom('POST', '/typing', { typing }).catch(() => {})
  }

  // ── Sending ──
  let isSending = false
  const flush = async () => {
    if (isSending) return
    isSending = true
    // One after the other, so that what was written first stays first.
    let pause = 500
    const next = () => queue.find(({ failed }) => !failed)
    for (let item = next(); item && !stopped; item = next()) {
      const { clientMessageId, text } = item
      try {
        await enter()
        upsert(await inRoom('POST', '/messages', { text, clientMessageId }))
        pause = 500
      } catch (caught) {
        const { status: code = 0, retryMs } = caught as Failure
        if (stopped) break
        if (code >= 400 && code < 500 && code !== 401 && code !== 429) {
          unqueue(clientMessageId)
          wait({ ...item, failed: true })
          continue
        }
        if (!navigator.onLine) say(offline)
        await nap(retryMs || pause * (0.5 + chance() / 2))
        pause = Math.min(pause * 2, 30_000)
      }
    }
    isSending = false
  }
  const retry = (message: Message) => {
    unqueue(message.clientMessageId || '')
    wait({ clientMessageId: message.clientMessageId || '', text: message.text || '' })
    flush()
  }
  const send = (text: string) => {
    const item = { clientMessageId: newId(), text }
    wait(item)
    toEnd()
    toldAt = 0
    if (navigator.onLine) say('')
    flush()
  }

  /** Does it, and again while the line or the server is away; the second time it is told that it is one. */
  const steadily = async (work: (isAgain: boolean) => Promise<Answer>): Promise<Answer> => {
    for (let tries = 0, isAgain = false; ; isAgain = true)
      try {
        await enter()
        return await work(isAgain)
      } catch (caught) {
        const { status: code = 0, retryMs } = caught as Failure
        const isRefused = code >= 400 && code < 500 && ![401, 423, 429].includes(code)
        if (stopped || isRefused || (navigator.onLine && ++tries > 8)) throw caught
        if (!navigator.onLine) say(offline)
        await nap(retryMs || 500 * 2 ** tries)
      }
  }
  const upload = async (chosen: File) => {
    const most = ctx.config.upload?.maxFileBytes || Infinity
    const fail = (why: string) => say(`${notUploaded}: ${chosen.name}${why}`)
    if (chosen.size > most) return fail(` > ${Math.floor(most / 1048576)} MiB`)
    // A file that was chosen before goes on where it stopped, also after the page was loaded anew.
    const look = `${chosen.name}/${chosen.size}/${chosen.lastModified}`
    const id = load().uploads?.[look] || newId()
    const keep = (kept?: string) => {
      const { [look]: _, ...others } = load().uploads || {}
      save({ uploads: kept ? { ...others, [look]: kept } : others })
    }
    keep(id)
    const shown = { clientMessageId: id, text: chosen.name, senderType: 'customer', pending: true } as const
    upsert({ ...shown, progress: 0 })
    let said = 0
    try {
      const begun = await steadily(() =>
        inRoom('POST', '/media/initialize', {
          fileName: chosen.name,
          contentType: chosen.type || 'text/plain',
          sizeBytes: chosen.size,
          clientUploadId: id,
        }),
      )
      const path = `/media/${begun.uploadId}`
      for (let at = begun.receivedBytes; at < chosen.size; ) {
        at = await steadily(async (isAgain) => {
          // After an unknown outcome the server says where to go on.
          const from = isAgain ? (await inRoom('GET', path)).receivedBytes : at
          if (from >= chosen.size) return from
          const headers = { 'Upload-Offset': String(from) }
          try {
            const chunk = chosen.slice(from, from + begun.chunkSizeBytes)
            return (await inRoom('PUT', `${path}/chunk`, chunk, { headers })).receivedBytes
          } catch (caught) {
            const { code, details } = caught as Failure
            if (code === 'UPLOAD_OFFSET_MISMATCH') return details?.[0]?.receivedBytes
            throw caught
          }
        })
        const percent = Math.floor((100 * at) / chosen.size)
        upsert({ ...shown, progress: percent })
        if (now() - said > 5_000) {
          said = now()
          say(`${uploading} ${percent}%`)
        }
      }
      upsert(await steadily(() => inRoom('POST', `${path}/complete`, { clientMessageId: id })))
      keep()
      say('')
    } catch (caught) {
      // Refused, it would be so again; cut off, it can go on.
      if ((caught as Failure).status) keep()
      messages.delete(id)
      render()
      fail('')
    }
  }

  // ── Listening ──
  const hear = (event: string, data: Answer, id: string | undefined) => {
    if (stopped) return
    if (event === 'message.created') {
      // A stream and a poll may bring the same message.
      const isNew = !messages.has(data.message.messageId)
      upsert(data.message)
      if (isNew && data.message.senderType !== 'customer') {
        showWriting('')
        hasNews = true
        ctx.emit('message', data.message)
      }
    }
    if (event === 'typing') showWriting(data.typing ? data.displayName || support : '')
    if (data.room) take(data.room)
    if (event === 'resync')
      reload().catch(() => {
        isLoaded = false
        cut.abort()
      })
    if (id) cursor = id
  }
  const share = (event: string, data: Answer, id: string | undefined) => {
    hear(event, data, id)
    channel?.postMessage({ event, data, id, at: room?.roomId })
  }
  let isLoaded = false
  const reload = async () => {
    await Promise.all([history(), inRoom('GET', '').then(take)])
    isLoaded = true
  }
  const stream = async () => {
    const line = new AbortController()
    cut = line
    const { signal } = line
    let dog: ReturnType<typeof setTimeout> | undefined
    const alive = () => {
      clearTimeout(dog)
      dog = setTimeout(() => line.abort(), 45_000)
    }
    alive()
    let isReady = false
    let isOpen = false
    // A proxy that buffers streams brings nothing of them, not even their beginning: polling gets through meanwhile.
    const race = setTimeout(async () => {
      while (!isReady && !signal.aborted) await poll(signal).catch(() => nap(1_000))
    }, 1_500)
    const late = setTimeout(() => {
      isOpen = true
      line.abort()
    }, 10_000)
    try {
      const response: Response = await inRoom('GET', '/events', undefined, {
        raw: true,
        signal,
        headers: cursor ? { 'Last-Event-ID': cursor } : {},
      })
      isOpen = true
      // A body is what an answer with a stream has.
      const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read()
        if (done) return isReady
        alive()
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() || ''
        for (const block of blocks) {
          const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
          const event = field('event')
          if (!event) continue
          const data = JSON.parse(field('data') || '')
          if (event === 'ready') {
            isReady = true
            clearTimeout(race)
            clearTimeout(late)
            lineIsBack()
          }
          if (event === 'goodbye') await nap(data.retryAfterMs)
          else share(event, data, field('id'))
        }
      }
    } finally {
      clearTimeout(dog)
      clearTimeout(race)
      clearTimeout(late)
      // Whatever ended it, the connection is let go of.
      line.abort()
      // For ten minutes, on this page and the next, nobody waits for a stream again.
      if (isOpen && !isReady && !stopped) save({ polls: now() + 600_000 })
    }
  }
  const poll = async (signal?: AbortSignal) => {
    const path = `/events/poll?waitMs=25000&after=${encodeURIComponent(cursor)}`
    const page = await inRoom('GET', path, undefined, signal && { signal })
    lineIsBack()
    for (const { event, data, id } of page.events) share(event, data, id)
    cursor = page.eventCursor
  }
  const keepListening = async () => {
    let pause = 500
    while (!stopped && room) {
      let isGood = false
      const isPolling = (load().polls || 0) > now()
      try {
        if (!isLoaded) await reload()
        if (isPolling) {
          cut = new AbortController()
          await poll(cut.signal)
        }
        isGood = isPolling || (await stream())
      } catch {}
      if (stopped || !room) break
      if (isGood) pause = 500
      // What is buffered is polled at once.
      else if ((load().polls || 0) > now() && !isPolling) continue
      else say(navigator.onLine ? connecting : offline)
      if (!(isGood && isPolling)) await nap(chance() * pause)
      pause = Math.min(pause * 2, 30_000)
    }
  }
  const gone = new AbortController()
  // Of several tabs one holds the stream and tells the others; when it goes, the next takes over where it was.
  const listen = async () => {
    if (isStreaming || !room || stopped || !isSure) return
    isStreaming = true
    for (let pause = 500; room && !stopped && !isLoaded; pause = Math.min(pause * 2, 30_000))
      try {
        await reload()
        await renew()
      } catch {
        if (!room) break
        say(navigator.onLine ? connecting : offline)
        await nap(chance() * pause)
      }
    await oneByOne(store, keepListening, { signal: gone.signal }).catch(() => {})
    isStreaming = false
    // Into another room meanwhile.
    listen()
  }
  /** Gets a token for another month in the last week of the old one, and passes on a name that the room does not have. */
  const renew = async () => {
    const { until = '', told: before = '\n' } = load()
    if (room && (told() !== before || !(Date.parse(until) - now() > 6048e5)))
      keepRoom(await call('POST', '/rooms', profile()))
  }
  const identify = async () => {
    isSure = isSure && isProven()
    for (let pause = 500; !isSure && !stopped; pause = Math.min(pause * 2, 30_000))
      await prove().catch(({ retryMs }) => {
        if (stopped) return
        say(navigator.onLine ? connecting : offline)
        return nap(retryMs || chance() * pause)
      })
    if (stopped) return
    lineIsBack()
    await (isLoaded ? renew() : listen())
  }
  const goOn = () => identify().catch(() => {})
  if (channel)
    channel.onmessage = ({ data: { event, data, id, at } }) => {
      if (!isSure) return
      if (at !== room?.roomId) adopt()
      if (data && at === room?.roomId) hear(event, data, id)
    }
  const online = () => {
    lineIsBack()
    wake()
    flush()
  }
  const away = () => say(offline)
  const seen = () => {
    if (document.visibilityState !== 'visible') return
    wake()
    look()
  }
  addEventListener('online', online)
  addEventListener('offline', away)
  document.addEventListener('visibilitychange', seen)

  // ── What people do ──
  const submit = () => {
    const text = box.value.trim()
    if (text) send(text)
    box.value = ''
    keepDraft()
    box.focus()
  }
  button.onclick = submit
  // What is half written is there on the merchant's next page too.
  const keepDraft = () => save({ draft: box.value })
  box.value = load().draft || ''
  box.oninput = () => {
    keepDraft()
    tellWriting(box.value !== '')
  }
  box.onblur = () => tellWriting(false)
  box.onkeydown = (event) => {
    // While characters are being composed, Enter chooses one of them and does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    submit()
  }
  panel.onkeydown = (event) => {
    if (event.key === 'Escape' && !event.isComposing) ctx.close()
  }
  close.onclick = ctx.close
  attach.onclick = () => file.click()
  file.onchange = () => {
    for (const each of file.files || []) upload(each)
    file.value = ''
  }

  // Beside the launcher, on whichever side of it there is room.
  const settle = () => {
    const at = ctx.launcher.getBoundingClientRect()
    const style = panel.style
    style.left = style.right = style.top = style.bottom = ''
    const isRight = at.left + at.width / 2 > innerWidth / 2
    const isLow = at.top + at.height / 2 > innerHeight / 2
    style[isRight ? 'right' : 'left'] = `${Math.max(12, isRight ? innerWidth - at.right : at.left)}px`
    const room = isLow ? innerHeight - at.top + 12 : at.bottom + 12
    style[isLow ? 'bottom' : 'top'] = `${Math.max(12, Math.min(room, innerHeight - 12 - panel.offsetHeight))}px`
  }
  addEventListener('resize', settle)

  const configure = () => {
    const { upload: limits, menu: entries = [], socialChannels = [] } = ctx.config
    file.accept = (limits?.contentTypes || []).join()
    socials.replaceChildren(
      ...socialChannels.slice(0, 10).map(({ kind, label, url }) => {
        const sign = kind === 'email' ? '@' : kind === 'phone' ? '☎' : [...label][0] || ''
        // A program for mail or calls opens without a tab.
        const target = /^http/.test(url) ? '_blank' : ''
        const icon = make('b', { ariaHidden: 'true', textContent: sign })
        return make('a', { className: 'c', href: url, target, rel: 'noopener' }, icon, label)
      }),
    )
    menu.replaceChildren(
      ...entries.map(({ label, message, url }) =>
        url
          ? make('a', { className: 'c', href: url, target: '_blank', rel: 'noopener', textContent: label })
          : make('button', {
              type: 'button',
              className: 'c',
              textContent: label,
              onclick: () => send(message || label),
            }),
      ),
    )
    render()
  }

  for (const item of queue) messages.set(item.clientMessageId, { ...item, senderType: 'customer', pending: true })
  goOn()
  if (queue.length) flush()
  if (!navigator.onLine) say(offline)
  configure()

  const stop = () => {
    stopped = true
    cut.abort()
    gone.abort()
    wake()
    channel?.close()
    removeEventListener('online', online)
    removeEventListener('offline', away)
    removeEventListener('resize', settle)
    document.removeEventListener('visibilitychange', seen)
  }
  return {
    configure,
    show(isOpen, keepsFocus) {
      const hadFocus = panel.contains(root.activeElement)
      panel.hidden = !isOpen
      if (isOpen) {
        settle()
        if (!keepsFocus) (form.hidden ? close : box).focus()
        toEnd()
        look()
      } else if (hadFocus) ctx.launcher.focus()
    },
    markRead: () => markRead(),
    identify: goOn,
    stop() {
      stop()
      panel.remove()
    },
  }
}
