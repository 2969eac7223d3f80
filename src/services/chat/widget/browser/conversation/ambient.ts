/** The browser's clock and randomness. */

export const now = () => performance.timeOrigin + performance.now()
export const chance = () => (crypto.getRandomValues(new Uint8Array(1))[0] || 0) / 256
export const newId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
