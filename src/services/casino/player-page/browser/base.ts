/** The path below which the page's server is reached; empty when it is the root. */
export const base = document.body.dataset['base'] ?? ''
