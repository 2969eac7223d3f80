import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ViewData, ViewName, ViewQuery } from '../views/index.ts'
import { deskFetch, errorOf } from './api.ts'

/** Live views: one stream for all views that the page shows, opened again when they change. */

/** A view as far as it is known. */
export interface Live<Data> {
  readonly data: Data | undefined
  readonly error: string | undefined
}

interface Subscription {
  readonly view: string
  readonly query: object
  readonly take: (news: { readonly data?: unknown; readonly error?: { readonly message: string } }) => void
}

const subscriptions = new Set<Subscription>()
const stateListeners = new Set<(isConnected: boolean) => void>()
let stream: AbortController | undefined
let isQueued = false

/** Time until a lost stream is opened again. */
const retryMs = 1_000

/** Returns a view as far as it is known, and renders again when it changes. */
export function useView<Name extends ViewName>(view: Name, query: ViewQuery<Name>): Live<ViewData<Name>> {
  const key = JSON.stringify(query)
  const [state, setState] = useState<Live<ViewData<Name>> & { readonly key: string }>({
    key: '',
    data: undefined,
    error: undefined,
  })
  useEffect(() => {
    const subscription: Subscription = {
      view,
      query: JSON.parse(key),
      take: ({ data, error }) =>
        // The server sends the result of the view's own function.
        setState({ key: `${view} ${key}`, data: data as ViewData<Name> | undefined, error: error?.message }),
    }
    subscriptions.add(subscription)
    reopenSoon()
    return () => {
      subscriptions.delete(subscription)
      reopenSoon()
    }
  }, [view, key])
  const isOwn = state.key === `${view} ${key}`
  return useMemo(() => (isOwn ? state : { data: undefined, error: undefined }), [isOwn, state])
}

/** Returns whether the stream is open. */
export function useConnection(): boolean {
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    stateListeners.add(setConnected)
    return () => void stateListeners.delete(setConnected)
  }, [])
  return isConnected
}

/** Reopens the stream once for all views that change at the same time. */
function reopenSoon(): void {
  if (isQueued) return
  isQueued = true
  queueMicrotask(() => {
    isQueued = false
    stream?.abort()
    stream = undefined
    if (subscriptions.size > 0 && !document.hidden) void follow()
  })
}

// A browser allows few connections to a host, so a hidden tab closes its stream.
document.addEventListener('visibilitychange', reopenSoon)

async function follow(): Promise<void> {
  const own = new AbortController()
  stream = own
  const open = [...subscriptions]
  const views = JSON.stringify(open.map(({ view, query }) => ({ view, query })))
  while (!own.signal.aborted) {
    try {
      const response = await deskFetch(`/desk/api/views?views=${encodeURIComponent(views)}`, { signal: own.signal })
      if (!response.ok || !response.body) throw await errorOf(response)
      notifyState(true)
      await readEvents(response.body, (text) => {
        const { at, ...news } = JSON.parse(text)
        open[at]?.take(news)
      })
    } catch (error) {
      if (own.signal.aborted) return
      notifyState(false)
      const isSubscribed = open.some((each) => subscriptions.has(each))
      if (isSubscribed && error instanceof Error && error.message.includes('another token'))
        for (const { take } of open) take({ error })
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

function notifyState(isConnected: boolean): void {
  for (const listener of stateListeners) listener(isConnected)
}

/** Reads server-sent events; each has one line of data. */
async function readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>, take: (data: string) => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = part.split('\n').find((each) => each.startsWith('data: '))
      if (line) take(line.slice('data: '.length))
    }
  }
}
