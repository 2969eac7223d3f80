/** Path prefix of the page's server; empty for the root. */
export const base = document.body.dataset['base'] ?? ''
