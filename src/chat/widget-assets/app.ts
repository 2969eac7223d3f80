// The part of the widget that is loaded when somebody wants to talk: the conversation itself.

import type { Context, Conversation, Kept, Language, Message, Queued, Room, Words } from './context.ts'

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
  ],
}

const css = `.p{position:fixed;z-index:2147483001;display:flex;flex-direction:column;width:min(370px,calc(100vw - 24px));height:min(560px,calc(100vh - 110px));background:var(--bg);border-radius:16px;overflow:hidden;box-shadow:0 10px 40px #0006}
@media(max-width:480px){.p{inset:0!important;width:100vw;height:100%;border-radius:0}}
.h{display:flex;align-items:center;justify-content:space-between;padding:4px;padding-inline-start:16px;background:var(--p);color:var(--on)}
h2{font:600 16px/1.3 system-ui;margin:0}.s,.y{margin:0;padding:4px 16px;font-size:13px;color:var(--quiet)}.s{border-bottom:1px solid var(--line)}.s:empty{padding:0;border:0}
.y{height:27px;flex:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.g{flex:1;overflow-y:auto;padding:12px 12px 0;display:flex;flex-direction:column}.g:focus-visible{outline-offset:-3px}ul{list-style:none;margin:auto 0 0;padding:0;display:flex;flex-direction:column;gap:8px}
li{max-width:85%;padding:8px 12px;border-radius:14px;border:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}
.m{align-self:flex-end;background:var(--p);color:var(--on);border:0;border-end-end-radius:4px}.t{align-self:flex-start;border-end-start-radius:4px}.e{align-self:center;border:0;color:var(--quiet);font-size:13px;text-align:center}
small{display:block;color:var(--quiet);font-size:12px}.m small{color:inherit}li img{display:block;max-width:100%;max-height:220px;border-radius:8px}a{color:inherit}li button,.o{display:block;text-decoration:underline}
progress{width:100%}.o{color:var(--quiet);flex:none}
.n{display:flex;flex-wrap:wrap;gap:8px;padding:4px 12px 8px}.n:empty{display:none}.c{display:flex;align-items:center;min-height:44px;padding:0 14px;border:1px solid var(--quiet);border-radius:22px;text-decoration:none}
form{display:flex;align-items:flex-end;gap:8px;padding:8px;border-top:1px solid var(--line)}
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

export function start(ctx: Context): Conversation {
  const { make, load, save, key, base, wrap, root } = ctx
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
  ] = texts[language]
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]

  let { token } = load()
  const known = load().roomId
  let room: Room | undefined = known ? { roomId: known } : undefined
  let cursor = ''
  let cut = new AbortController()
  let stopped = false
  let isStreaming = false
  const messages = new Map<string | null | undefined, Message>()
  const queue = [...(load().queue || [])]
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(`cw:${key}`) : undefined

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
  const status = make('p', { className: 's', role: 'status' })
  const writes = make('p', { className: 'y', role: 'status' })
  const menu = make('div', { className: 'n' })
  const box = make('textarea', { rows: 1, ariaLabel: hint, placeholder: hint, maxLength: 4000, dir: 'auto' })
  const file = make('input', { type: 'file', hidden: true })
  const attach = make('button', { type: 'button', className: 'x', ariaLabel: attachText, textContent: '+' })
  const form = make('form', {}, file, attach, box, make('button', { className: 'b', textContent: sendText }))
  const close = make('button', { type: 'button', className: 'x', ariaLabel: closeText, textContent: '×' })
  const panel = make(
    'div',
    { className: 'p', role: 'dialog', ariaLabel: title, hidden: true, lang: ctx.tongue() },
    make('div', { className: 'h' }, make('h2', { textContent: title }), close),
    status,
    log,
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
  const say = (text: string) => put(status, text)
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
        const picture = make('img', { src: each.downloadUrl, alt: '', onerror: () => picture.remove() })
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
        if (greeting && !sorted.length) sorted.push({ senderType: 'bot', text: greeting })
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
        if (below - log.clientHeight < 80) log.scrollTop = log.scrollHeight
        else if (isOlder) log.scrollTop = log.scrollHeight - below
        isOlder = false
      })
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
      if (load().token === used) save({ token: undefined, roomId: undefined })
      adopt()
      lineIsBack()
    }
    throw Object.assign(new Error(code), {
      code,
      status: response.status,
      details: error?.details,
      retryMs: Number(response.headers.get('retry-after')) * 1000,
    })
  }
  /** Goes where the browser's other tabs are: into another room, into the same by a newer token, or out. */
  const adopt = () => {
    const kept = load()
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
  const keepToken = ({ roomToken, roomTokenExpiresAt }: Answer, more?: Kept) => {
    token = roomToken
    save({ token, until: roomTokenExpiresAt, ...more })
  }
  const oneByOne = (name: string, work: () => Promise<void>, more = {}): Promise<void> =>
    navigator.locks ? navigator.locks.request(name, more, work) : work()
  let opening: Promise<void> | undefined
  const enter = () => {
    opening =
      opening ||
      // One tab after the other, so that all of them come to be in one room.
      oneByOne(`cw+${key}`, async () => {
        adopt()
        if (token) return
        const opened = await call('POST', '/rooms', {
          tenantKey: key,
          customerDisplayName: [...(ctx.data['customerName'] || '')].slice(0, 100).join(''),
          customerLanguage: ctx.tongue(),
          inboxCategoryCode: ctx.data['inboxCategoryCode'],
          pageUrl: location.href.split(/[?#]/)[0],
        })
        keepToken(opened, { roomId: opened.roomId })
        adopt()
        channel?.postMessage({ at: opened.roomId })
      }).finally(() => {
        opening = undefined
      })
    return opening
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
    room = { ...room, ...state }
    ctx.showUnread(room.customerUnreadCount || 0)
    look()
  }
  const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80
  /** What is seen is read; what arrives below while somebody reads what was earlier is not, and the launcher counts it. */
  const look = () => {
    if (ctx.isOpen && document.visibilityState === 'visible' && room?.customerUnreadCount && isAtEnd()) markRead()
  }
  log.onscroll = look
  let isMarking = false
  const markRead = async () => {
    if (isMarking) return
    isMarking = true
    // What comes while one is on its way is read with the next.
    for (let seq = 0; room?.lastSeq && room.lastSeq !== seq && !stopped; )
      try {
        const upTo = room.lastSeq
        const { customerUnreadCount } = await inRoom('POST', '/read', { seq: upTo })
        seq = upTo
        if (room?.lastSeq === seq) ctx.showUnread(customerUnreadCount)
      } catch (caught) {
        const { retryMs } = caught as Failure
        if (!retryMs) break
        await nap(retryMs)
      }
    isMarking = false
  }
  // Told again before the six seconds are over that it counts for; and never makes a room.
  let told = 0
  const tellWriting = (typing: boolean) => {
    if (!token || (typing ? now() - told < 4_000 : !told)) return
    told = typing ? now() : 0
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
        if (!token) await enter()
        upsert(await inRoom('POST', '/messages', { text, clientMessageId }))
        pause = 500
      } catch (caught) {
        const { status: code = 0, retryMs } = caught as Failure
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
    log.scrollTop = log.scrollHeight
    told = 0
    if (navigator.onLine) say('')
    flush()
  }

  /** Does it, and again while the line or the server is away; the second time it is told that it is one. */
  const steadily = async (work: (isAgain: boolean) => Promise<Answer>): Promise<Answer> => {
    for (let tries = 0, isAgain = false; ; isAgain = true)
      try {
        if (!token) await enter()
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
    if (event === 'message.created') {
      upsert(data.message)
      if (data.message.senderType !== 'customer') {
        showWriting('')
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
  // Streams that were opened and brought nothing: something on the way holds them back, and polling gets through.
  let misses = 0
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
            misses = 0
            clearTimeout(late)
            lineIsBack()
          }
          if (event === 'goodbye') await nap(data.retryAfterMs)
          else share(event, data, field('id'))
        }
      }
    } finally {
      clearTimeout(dog)
      clearTimeout(late)
      // Whatever ended it, the connection is let go of.
      line.abort()
      if (isOpen && !isReady) misses++
    }
  }
  const poll = async () => {
    const page = await inRoom('GET', `/events/poll?waitMs=25000&after=${encodeURIComponent(cursor)}`)
    lineIsBack()
    for (const { event, data, id } of page.events) share(event, data, id)
    cursor = page.eventCursor
  }
  const keepListening = async () => {
    let pause = 500
    let polls = 0
    while (!stopped && token) {
      let isGood = false
      const isPolling = misses >= 3
      try {
        if (!isLoaded) await reload()
        if (isPolling) await poll()
        isGood = isPolling || (await stream())
      } catch {}
      if (stopped || !token) break
      if (isGood) pause = 500
      else say(navigator.onLine ? connecting : offline)
      // Now and then a stream is tried again: the way may be free by now.
      if (isPolling && ++polls % 20 === 0) misses = 2
      if (!(isGood && isPolling)) await nap(chance() * pause)
      pause = Math.min(pause * 2, 30_000)
    }
  }
  const gone = new AbortController()
  // Of several tabs one holds the stream and tells the others; when it goes, the next takes over where it was.
  const listen = async () => {
    if (isStreaming || !token) return
    isStreaming = true
    for (let pause = 500; token && !stopped && !isLoaded; pause = Math.min(pause * 2, 30_000))
      try {
        await reload()
        // A customer who comes back within the month keeps the conversation for another.
        if (!(Date.parse(load().until || '') - now() > 6048e5)) keepToken(await inRoom('POST', '/token'))
      } catch {
        if (!token) break
        say(navigator.onLine ? connecting : offline)
        await nap(chance() * pause)
      }
    await (channel ? oneByOne(`cw:${key}`, keepListening, { signal: gone.signal }) : keepListening()).catch(() => {})
    isStreaming = false
    // Into another room meanwhile.
    if (token && !stopped) listen()
  }
  if (channel)
    channel.onmessage = ({ data: { event, data, id, at } }) => {
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
  form.onsubmit = (event) => {
    event.preventDefault()
    const text = box.value.trim()
    if (text) send(text)
    box.value = ''
    keepDraft()
    box.focus()
  }
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
    form.requestSubmit()
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
    const { upload: limits, menu: entries = [] } = ctx.config
    file.accept = (limits?.contentTypes || []).join()
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
  if (token) listen()
  if (queue.length) flush()
  if (!navigator.onLine) say(offline)
  configure()

  return {
    configure,
    show(isOpen) {
      const hadFocus = panel.contains(root.activeElement)
      panel.hidden = !isOpen
      if (isOpen) {
        settle()
        box.focus()
        log.scrollTop = log.scrollHeight
        look()
      } else if (hadFocus) ctx.launcher.focus()
    },
    markRead,
    stop() {
      stopped = true
      cut.abort()
      gone.abort()
      wake()
      channel?.close()
      removeEventListener('online', online)
      removeEventListener('offline', away)
      removeEventListener('resize', settle)
      document.removeEventListener('visibilitychange', seen)
    },
  }
}
