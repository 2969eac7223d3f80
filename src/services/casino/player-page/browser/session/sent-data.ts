/** Returns data that came with the page. It is shown once: later visits show a newer state. */
export function sent<T>(name: string): T | undefined {
  const { [name]: text } = document.body.dataset
  delete document.body.dataset[name]
  return text === undefined ? undefined : JSON.parse(text)
}

/** Returns when the page began to arrive, on the clock of `performance`: the times in its data are of that moment. */
export function sentAt(): number {
  const [page] = performance.getEntriesByType('navigation')
  return page instanceof PerformanceNavigationTiming ? page.responseStart : performance.now()
}
