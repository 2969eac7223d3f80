// Keeps a hosted payment page up to date (status, amount, QR code, countdown) and copies fields.
;(() => {
  const pay = document.querySelector('[data-state]')
  if (!pay) return
  const open = ['waiting', 'partly', 'seen', 'returning']
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act)
  const said = document.querySelector('[data-said]')
  const days = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'day', unitDisplay: 'long' })
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
      // Offline: the next poll tries again.
    } finally {
      asking = false
    }
  }

  const round = async () => {
    await ask()
    if (open.includes(pay.dataset.phase)) setTimeout(round, 3000)
  }

  each('[data-copy]', (button) => {
    const { copy, copied, selected } = button.dataset
    const name = button.textContent
    // Its accessible name stays; the result is announced separately.
    const say = (text) => {
      button.textContent = text
      said.textContent = text
    }
    button.hidden = false
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
        said.textContent = ''
      }, 2000)
    })
  })
  document.addEventListener('visibilitychange', ask)
  setInterval(tick, 500)
  tick()
  round()
})()
