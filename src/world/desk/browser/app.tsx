import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Clock } from './clock.tsx'
import { useConnection, useView } from './live.ts'
import { pageOf, sections } from './pages/index.tsx'
import { PartiesContext } from './parties.ts'
import { Toasts } from './parts/toasts.tsx'
import { linkTo, useRoute } from './route.ts'

/** The desk: the bar with the clock, the navigation, and the page that the address names. */
function Desk() {
  const route = useRoute()
  const status = useView('status', {})
  const parties = useView('parties', {})
  const isConnected = useConnection()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const menu = useRef<HTMLButtonElement>(null)
  // Before the browser paints: the next key may already be Escape.
  useLayoutEffect(() => {
    if (!isMenuOpen) return
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setMenuOpen(false)
      menu.current?.focus()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isMenuOpen])
  const path = route.path.join('/')
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    setMenuOpen(false)
    // A new page starts at its top, also for the keyboard.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [path])
  const page = pageOf(route.path)
  useEffect(() => {
    document.title = `${page.title} · Desk · countroom`
  }, [page.title])
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header class="bar">
        <button
          ref={menu}
          type="button"
          class="menu"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <a class="brand" href={linkTo('')}>
          countroom
        </a>
        {status.data && <Clock status={status.data} />}
        {status.data && status.data.faults > 0 && (
          <a class="status bad" href={linkTo('faults')}>
            {status.data.faults === 1 ? '1 fault' : `${status.data.faults} faults`}
          </a>
        )}
        {!isConnected && (
          <span class="status bad" role="alert">
            disconnected
          </span>
        )}
      </header>
      <nav id="navigation" class={isMenuOpen ? 'open' : ''} aria-label="Desk">
        {sections.map((section) => (
          <div key={section.title}>
            {section.pages.map(([to, title]) => (
              <a key={to} href={linkTo(to)} aria-current={page.path === to ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </div>
        ))}
      </nav>
      <main ref={main} id="main" tabIndex={-1}>
        {parties.data && (
          <PartiesContext.Provider value={parties.data}>
            <page.Show route={route} />
          </PartiesContext.Provider>
        )}
        {parties.error && (
          <p class="problem" role="alert">
            {parties.error}
          </p>
        )}
      </main>
      <Toasts />
    </>
  )
}

// The link's token must not stay in the history or in text copied from the address bar.
if (location.search !== '') history.replaceState(null, '', `/desk${location.hash}`)

const root = document.querySelector('#desk')
if (root) {
  root.textContent = ''
  render(<Desk />, root)
}
