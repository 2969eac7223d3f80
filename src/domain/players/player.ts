/** Player statuses: `active` may do everything, `locked` may not enter, `no_bet` may enter and watch. */
export const playerStatuses = ['active', 'locked', 'no_bet'] as const
export type PlayerStatus = (typeof playerStatuses)[number]

/** Pattern of a username. Names that differ only in case are one player. */
export const usernamePattern = /^[A-Za-z0-9_.@-]{1,32}$/

/** Returns the normalized username that players are looked up by. */
export function foldUsername(username: string): string {
  return username.toLowerCase()
}

/** Languages of the player's page. */
export const languages = ['CHT', 'CHS', 'ENG', 'JPN', 'KOR', 'THAI', 'VIET', 'HIND', 'PHP'] as const
export type Language = (typeof languages)[number]
