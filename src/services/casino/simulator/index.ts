/** Makes the world of the tables move: one exact round from a file, many rounds with betting players, or what becomes of one round later. */

export { changeRound, disputeRound } from './corrections.ts'
export {
  dealExactly,
  type ExactResult,
  type ExactRound,
  type ExactSlip,
  type PlayedRevision,
} from './exact.ts'
export { type Play, type Played, play, rehearsePlay } from './play.ts'
