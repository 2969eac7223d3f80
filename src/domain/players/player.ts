/** What a player may do: everything; not enter; enter and watch, but not bet. */
export const playerStatuses = ['active', 'locked', 'no_bet'] as const
export type PlayerStatus = (typeof playerStatuses)[number]

/** The form of a username. Two that differ only in case are one player. */
export const usernamePattern = /^[A-Za-z0-9_.@-]{1,32}$/

/** The one spelling under which a player is looked up. */
export function foldUsername(username: string): string {
  return username.toLowerCase()
}

/** The languages of the player's page. */
export const languages = ['CHT', 'CHS', 'ENG', 'JPN', 'KOR', 'THAI', 'VIET', 'HIND', 'PHP'] as const
export type Language = (typeof languages)[number]
