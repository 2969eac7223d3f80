// Keeps a hosted payment page up to date (status, amount, QR code, countdown, receipt), copies fields, and searches coins.
;(() => {
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act)
  const language = document.documentElement.lang
  // The server's format (`momentOptions`), in the customer's time zone.
  const clock = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  const localize = () => {
    each('[data-at]', (node) => {
      const text = clock.format(Number(node.dataset.at))
      if (node.textContent !== text) node.textContent = text
    })
  }

  each('[data-search]', (field) => {
    field.addEventListener('input', () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
      let shown = 0
      each('[data-find]', (item) => {
        item.hidden = !words.every((word) => item.dataset.find.includes(word))
        shown += item.hidden ? 0 : 1
      })
      const none = document.querySelector('[data-none]')
      none.textContent = shown === 0 ? none.dataset.text : ''
    })
  })
  localize()

  const pay = document.querySelector('[data-state]')
  if (!pay) return
  const open = ['waiting', 'partly', 'seen', 'returning']
  const said = document.querySelector('[data-said]')
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  // The gateway's clock, not the customer's: a wrong local clock must not end a payment early.
  let ahead = Number(pay.dataset.now) - Date.now()
  let ends = { until: Number(pay.dataset.until), open: Number(pay.dataset.open) }
  let asking = false

  const two = (value) => String(value).padStart(2, '0')
  const left = (end) => {
    const seconds = Math.max(0, Math.floor((end - Date.now() - ahead) / 1000))
    const minutes = Math.floor((seconds % 3600) / 60)
    const hours = Math.floor(seconds / 3600)
    return hours >= 48
      ? days.format(Math.floor(hours / 24))
      : `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
  }
  const tick = () => {
    each('[data-clock]', (clock) => {
      const text = left(ends[clock.dataset.clock])
      if (clock.textContent !== text) clock.textContent = text
    })
  }

  const element = (name, text, children = []) => {
    const node = document.createElement(name)
    node.textContent = text
    node.append(...children)
    return node
  }
  let receipt = ''
  const showReceipt = (lines) => {
    const part = document.querySelector('[data-receipt]')
    const now = JSON.stringify(lines)
    if (now === receipt) return
    receipt = now
    const row = (name, value) => element('div', '', [element('dt', name), element('dd', '', [value])])
    const items = lines.map(({ name, amount, at, hash, url }) => {
      const time = element('time', clock.format(at))
      time.dataset.at = at
      const rows = [row(name, amount), row(part.dataset.date, time)]
      if (hash) {
        const link = element('a', hash)
        link.className = 'mono'
        link.href = url
        link.rel = 'noreferrer noopener'
        rows.push(row(part.dataset.transaction, link))
      }
      return element('li', '', [element('dl', '', rows)])
    })
    part.querySelector('ul').replaceChildren(...items)
    part.hidden = lines.length === 0
  }

  const apply = (state) => {
    ahead = state.now - Date.now()
    ends = { until: state.until, open: state.open }
    pay.dataset.phase = state.phase
    each('[data-field]', (node) => {
      const text = String(state[node.dataset.field] ?? '')
      // Writes only changes, so that screen readers announce them once.
      if (node.textContent !== text) node.textContent = text
    })
    each('[data-show]', (node) => {
      node.hidden = !node.dataset.show.split(' ').includes(state.phase)
    })
    const bar = document.querySelector('progress')
    bar.max = state.needed
    bar.value = state.confirmations
    if (state.qr) {
      const svg = document.querySelector('.qr svg')
      svg.setAttribute('viewBox', `0 0 ${state.qr.size} ${state.qr.size}`)
      svg.firstElementChild.setAttribute('d', state.qr.path)
    }
    each('[data-wallet]', (link) => {
      if (state.uri) link.href = state.uri
    })
    each('[data-rate]', (node) => {
      node.hidden = !state.rate
    })
    each('[data-end]', (node) => {
      node.dataset.at = state[node.dataset.end]
    })
    showReceipt(state.receipt)
    localize()
    document.title = state.heading
    tick()
  }

  const ask = async () => {
    if (asking || document.hidden) return
    asking = true
    try {
      const reply = await fetch(pay.dataset.state, { cache: 'no-store' })
      if (reply.ok) apply(await reply.json())
    } catch {
      // Offline: the next poll retries.
    } finally {
      asking = false
    }
  }

  const round = async () => {
    await ask()
    if (open.includes(pay.dataset.phase)) setTimeout(round, 3000)
  }

  each('[data-print]', (button) => {
    button.addEventListener('click', () => print())
  })
  each('[data-copy]', (button) => {
    const { copy, copied, selected } = button.dataset
    const name = button.textContent
    const label = button.getAttribute('aria-label')
    // Without a label, its accessible name is the visible text; `said` announces the result.
    const say = (text) => {
      button.textContent = text
      button.removeAttribute('aria-label')
      said.textContent = text
    }
    button.addEventListener('click', async () => {
      const from = document.querySelector(`[data-field=${copy}]`)
      try {
        await navigator.clipboard.writeText(from.textContent)
        say(copied)
      } catch {
        getSelection().selectAllChildren(from)
        say(selected)
      }
      setTimeout(() => {
        button.textContent = name
        button.setAttribute('aria-label', label)
        said.textContent = ''
      }, 2000)
    })
  })
  document.addEventListener('visibilitychange', ask)
  setInterval(tick, 500)
  tick()
  round()
})()
