// Search, copy buttons and the choice of a language for the reference. Everything can be read without this script.
;(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
  const make = (name, fields, ...children) => {
    const element = Object.assign(document.createElement(name), fields)
    element.append(...children)
    return element
  }
  const status = document.querySelector('[data-status]')

  // The choice is remembered; where storage is blocked it lasts for the page.
  const remembered = {
    get: () => {
      try {
        return localStorage.getItem('docs-language')
      } catch {
        return null
      }
    },
    set: (value) => {
      try {
        localStorage.setItem('docs-language', value)
      } catch {}
    },
  }
  const radios = all('input[name="language"]')
  const choose = (id) => {
    const radio = radios.find(({ value }) => value === id)
    if (!radio) return
    radio.checked = true
    for (const button of all('[data-choose]')) button.setAttribute('aria-pressed', String(button.dataset.choose === id))
  }
  for (const samples of all('.samples')) {
    const buttons = radios.map(({ value, labels }) => {
      const button = make('button', { type: 'button', textContent: labels[0].textContent })
      button.dataset.choose = value
      button.addEventListener('click', () => {
        // The block stays where it is on the screen although others above it change their height.
        const before = button.getBoundingClientRect().top
        choose(value)
        remembered.set(value)
        window.scrollBy(0, button.getBoundingClientRect().top - before)
      })
      return button
    })
    samples.prepend(make('div', { className: 'languages' }, ...buttons))
  }
  for (const radio of radios)
    radio.addEventListener('change', () => {
      choose(radio.value)
      remembered.set(radio.value)
    })
  choose(remembered.get() ?? radios.find(({ checked }) => checked)?.value)

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Pages that are not served over HTTPS or from this machine have no clipboard.
      const area = make('textarea', { value: text, className: 'away' })
      document.body.append(area)
      area.select()
      const done = document.execCommand('copy')
      area.remove()
      return done
    }
  }
  for (const pre of all('figure pre')) {
    const caption = pre.closest('figure').querySelector('figcaption')
    const button = make('button', { type: 'button', textContent: 'Copy' })
    button.setAttribute('aria-label', `Copy: ${caption.textContent}`)
    button.addEventListener('click', async () => {
      const done = await copy(pre.textContent)
      button.textContent = done ? 'Copied' : 'Not copied'
      status.textContent = done ? 'Copied to the clipboard' : 'Could not copy: select the text and copy it'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    caption.append(button)
  }

  const contents = document.querySelector('details.contents')
  if (contents && matchMedia('(min-width: 60rem)').matches) contents.open = true

  const search = document.querySelector('[data-search]')
  if (!search) return
  search.hidden = false
  const input = search.querySelector('input')
  const entries = all('[data-entry]').map((entry) => ({ entry, text: entry.textContent.toLowerCase() }))
  const links = new Map(all('nav li a').map((link) => [link.hash.slice(1), link.parentElement]))
  const sections = all('main section').filter((section) => section.querySelector('[data-entry]'))
  const count = search.querySelector('output')
  const filter = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const { entry, text } of entries) {
      const matches = terms.every((term) => text.includes(term))
      entry.hidden = !matches
      const link = links.get(entry.id)
      if (link) link.hidden = !matches
      if (matches) shown += 1
    }
    for (const section of sections) section.hidden = !section.querySelector('[data-entry]:not([hidden])')
    // Sections without endpoints, such as the errors, are not results: neither they nor their links are shown.
    for (const section of all('main > section'))
      if (!sections.includes(section)) {
        section.hidden = terms.length > 0
        const link = links.get(section.id)
        if (link) link.hidden = section.hidden
      }
    for (const list of all('nav ul'))
      list.hidden = list.previousElementSibling.hidden = !list.querySelector('li:not([hidden])')
    count.textContent = terms.length === 0 ? '' : `${shown} of ${entries.length} endpoints`
    if (terms.length > 0 && contents) contents.open = true
  }
  input.addEventListener('input', filter)
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? '')
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape' && event.target === input) {
      input.value = ''
      filter()
    }
  })
  if (input.value) filter()
})()
