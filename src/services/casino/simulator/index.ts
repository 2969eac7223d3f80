/**
 * Simulation of the tables: an exact round from a file, many rounds with betting players, or later changes of a round.
 */

export { changeRound, disputeRound } from './corrections.ts'
export {
  dealExactly,
  type ExactResult,
  type ExactRound,
  type ExactSlip,
  type PlayedRevision,
} from './exact.ts'
export { type Play, type Played, play, rehearsePlay } from './play.ts'
