import { Type } from 'typebox'
import { Problem } from '../../../kit/problem.ts'
import { logIntoConsole } from '../../../services/casino/account/demo-idle.ts'
import { theTenant } from '../../../services/casino/account/tenants.ts'
import { adjust, setTableStatus, topUp } from '../../../services/casino/admin/index.ts'
import { kickPlayer } from '../../../services/casino/admin/kick.ts'
import { setLive } from '../../../services/casino/live/switches.ts'
import { launch } from '../../../services/casino/players/launches.ts'
import { updatePlayer } from '../../../services/casino/players/players.ts'
import type { Tenant } from '../../../services/casino/service.ts'
import {
  changeRound,
  dealExactly,
  disputeRound,
  type PlayedRevision,
  play,
} from '../../../services/casino/simulator/index.ts'
import { exactRoundFrom } from '../../exact-round.ts'
import type { World } from '../../world.ts'
import { type ActionDependencies, action, settled } from './action.ts'
import { amount, casinoEnvironment, count, maybeChoice, maybeText, tenant, text, user } from './fields.ts'

/** Returns a tenant as a caller of its own API. */
async function callerFor({ casino }: World, code: string): Promise<Tenant> {
  return { ...(await casino.store.read((reader) => theTenant(reader, code))), keyId: '' }
}

/** Sets the status of a player, as the tenant does it over its API. */
function statusAction(title: string, summary: string, words: string, status: 'active' | 'locked' | 'no_bet') {
  return action({
    title,
    summary,
    input: Type.Object({ tenant, user }),
    commands: [{ words, args: ['user'], profileOf: 'tenant' }],
    ...(status === 'locked' ? { isDangerous: true } : {}),
    run: async ({ world }, input) =>
      settled(
        world,
        await updatePlayer(world.casino, await callerFor(world, input.tenant), { username: input.user, status }),
      ),
  })
}

const table = text('Table', { maxLength: 32 })
const round = text('Round', { maxLength: 40 })

function tableAction(title: string, summary: string, words: string, status: 'open' | 'maintenance') {
  return action({
    title,
    summary,
    input: Type.Object({ table, environment: casinoEnvironment }),
    commands: [{ words, args: ['table'], flags: { environment: 'environment' } }],
    run: async ({ world }, input) =>
      settled(world, await setTableStatus(world.casino, input.environment, input.table, status)),
  })
}

function liveAction(isOn: boolean) {
  return action({
    title: isOn ? 'Deal automatically' : 'Stop dealing',
    summary: isOn
      ? 'Tables open betting, deal and settle on their own.'
      : 'Finishes the rounds that are open and opens no further ones.',
    input: Type.Object({}),
    commands: [{ words: `console live ${isOn ? 'on' : 'off'}` }],
    run: async ({ world }) => settled(world, await setLive(world.casino, isOn)),
  })
}

export const casinoActions = {
  'player.launch': action({
    title: 'Play as',
    summary: 'Creates a one-time link that logs in as the player. It ends the open sessions of the player.',
    input: Type.Object({
      tenant,
      user,
      table: maybeText('Table', { maxLength: 32 }),
      device: maybeChoice('Device', ['pc', 'mobile']),
    }),
    commands: [{ words: 'launch', args: ['user'], flags: { table: 'table', device: 'device' }, profileOf: 'tenant' }],
    async run({ world }, { tenant: code, user: username, table: at, device }) {
      const body = {
        username,
        ...(at === undefined ? {} : { table: at }),
        ...(device === undefined ? {} : { device }),
      }
      return settled(world, await launch(world.casino, await callerFor(world, code), body))
    },
  }),
  'player.adjust': action({
    title: 'Adjust balance',
    summary: 'Changes the balance once per transfer ID, but never below 0.',
    input: Type.Object({
      tenant,
      user,
      amount: amount('Change', { examples: ['25', '-12.5'] }),
      txn: text('Transfer ID', { maxLength: 100 }),
    }),
    commands: [{ words: 'console adjust', args: ['tenant', 'user', 'amount'], flags: { txn: 'txn' } }],
    async run({ world }, input) {
      await logIntoConsole(world.casino, input.tenant)
      return settled(world, await adjust(world.casino, input.tenant, input.user, input.amount, input.txn))
    },
  }),
  'player.lock': statusAction(
    'Lock',
    'Ends the sessions of the player, who cannot play any more.',
    'players lock',
    'locked',
  ),
  'player.unlock': statusAction('Unlock', 'Allows the player to play and bet again.', 'players unlock', 'active'),
  'player.no-bet': statusAction('Block betting', 'The player can watch but not bet.', 'players no-bet', 'no_bet'),
  'player.kick': action({
    title: 'Kick',
    summary: 'Ends the sessions of the player and notifies the tenant.',
    input: Type.Object({ tenant, user }),
    commands: [{ words: 'console players kick', args: ['tenant', 'user'] }],
    isDangerous: true,
    async run({ world }, input) {
      await logIntoConsole(world.casino, input.tenant)
      return settled(world, await kickPlayer(world.casino, input.tenant, input.user))
    },
  }),
  'table.maintenance': tableAction(
    'Maintenance',
    'No round opens there. A round that accepts bets is voided.',
    'console tables maintenance',
    'maintenance',
  ),
  'table.open': tableAction('Open', 'Ends the maintenance of the table.', 'console tables open', 'open'),
  'live.on': liveAction(true),
  'live.off': liveAction(false),
  'round.deal': action({
    title: 'Deal exactly',
    summary: 'Plays one exact round from JSON: table, cards, slips, and later changes.',
    input: Type.Object({
      tenant,
      round: Type.String({ title: 'Round as JSON', minLength: 2, maxLength: 20_000 }),
    }),
    commands: [{ words: 'sim deal', stdin: { field: 'round' }, flags: { tenant: 'tenant' } }],
    async run({ world }, input) {
      await logIntoConsole(world.casino, input.tenant)
      return settled(world, await dealExactly(world.casino, input.tenant, exactRoundFrom(jsonOf(input.round))))
    },
  }),
  'round.play': action({
    title: 'Deal rounds',
    summary: 'Deals whole rounds in which players bet, as fast as possible.',
    input: Type.Object({
      tenant,
      rounds: count('Rounds', 1, 1_000, 20),
      players: count('Players', 1, 50, 4),
      days: count('Past days', 0, 60, 0),
    }),
    commands: [
      {
        words: 'sim play',
        flags: { rounds: 'rounds', players: 'players', days: 'days', tenant: 'tenant' },
      },
    ],
    run: playRounds,
  }),
  'round.correct': action({
    title: 'Correct',
    summary: 'Changes the cards of a dealt round and settles it again.',
    input: Type.Object({ round, cardInfo: text('Cards', { examples: ['5H4S3C5D----'], maxLength: 200 }) }),
    commands: [{ words: 'sim correct', args: ['round'], flags: { 'card-info': 'cardInfo' } }],
    run: async ({ world }, input) =>
      settled(world, changed(await changeRound(world.casino, input.round, { correct: { cardInfo: input.cardInfo } }))),
  }),
  'round.void': action({
    title: 'Void',
    summary: 'Voids the round and returns all stakes.',
    input: Type.Object({ round }),
    commands: [{ words: 'sim void', args: ['round'] }],
    isDangerous: true,
    run: async ({ world }, input) =>
      settled(world, changed(await changeRound(world.casino, input.round, { void: true }))),
  }),
  'round.dispute': action({
    title: 'Dispute',
    summary: 'Marks a settled round as disputed; its result and amounts stand.',
    input: Type.Object({ round }),
    commands: [{ words: 'sim dispute', args: ['round'] }],
    run: async ({ world }, input) => settled(world, await disputeRound(world.casino, input.round)),
  }),
  'credit.topup': action({
    title: 'Top up credit',
    summary: 'Credits a payment of the tenant, once per reference.',
    input: Type.Object({ tenant, amount: amount('US dollars'), ref: text('Reference', { maxLength: 100 }) }),
    commands: [{ words: 'console topup', args: ['tenant', 'amount'], flags: { ref: 'ref' } }],
    async run({ world }, input) {
      await logIntoConsole(world.casino, input.tenant)
      return settled(world, await topUp(world.casino, input.tenant, input.amount, input.ref))
    },
  }),
}

/** Refuses a change of a round that changed nothing, so that the page does not show it as done. */
function changed(played: PlayedRevision): PlayedRevision {
  if (!played.isUnchanged) return played
  throw new Problem('CONFLICT', `Round ${played.round.roundId} was not changed: ${played.disputed}`)
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch (error) {
    throw new Problem('INVALID_FILE', `The round is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

async function playRounds(
  { world }: ActionDependencies,
  input: { tenant: string; rounds: number; players: number; days: number },
): Promise<object> {
  await logIntoConsole(world.casino, input.tenant)
  let played = { rounds: 0, slips: 0 }
  const options = { ...input, tables: [], corrected: 0, voided: 0 }
  for await (const totals of play(world.casino, options)) played = totals
  return settled(world, { tenant: input.tenant, rounds: played.rounds, slips: played.slips })
}
