/** Choices of the player, remembered by the browser where it allows that. */

const names = {
  /** Places bets automatically before betting closes. */
  confirm: 'off',
  sound: 'off',
  /** Minutes between reality checks. */
  check: '60',
  /** Session and playing time of the last answered reality check. */
  checked: '',
} as const
export type Name = keyof typeof names

const key = (name: Name) => `countroom.${name}`

/** In a frame, a browser may refuse its storage: then a choice lasts as long as the page. */
const chosen = new Map<Name, string>()

export function setting(name: Name): string {
  try {
    return localStorage.getItem(key(name)) ?? names[name]
  } catch {
    return chosen.get(name) ?? names[name]
  }
}

export function choose(name: Name, value: string): void {
  chosen.set(name, value)
  try {
    localStorage.setItem(key(name), value)
  } catch {
    // Kept for this page only.
  }
}
