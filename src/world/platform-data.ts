import type { TableRow } from '../db/schema/casino.ts'
import { gameNames, type TableSettings } from '../domain/games/game.ts'
import { insertLimitProfiles, limitProfilesCount } from '../services/casino/queries/limits.ts'
import { insertTables, tablesOf } from '../services/casino/queries/tables.ts'
import type { Casino } from '../services/casino/service.ts'

/** Initial data of the platform: its tables, and a template of bet limits per game and currency. */

interface PlatformTable {
  readonly id: string
  readonly game: TableRow['game']
  readonly variants: readonly string[]
  readonly names: Readonly<Record<string, string>>
  readonly settings?: TableSettings
}

const tables: readonly PlatformTable[] = [
  {
    id: 'BAC-01',
    game: 'baccarat',
    variants: ['classic', 'nocomm'],
    names: named('Baccarat 1', '百家樂 1', '百家乐 1'),
  },
  {
    id: 'DT-01',
    game: 'dragontiger',
    variants: ['standard'],
    names: named('Dragon Tiger 1', '龍虎 1', '龙虎 1'),
    settings: { sideBets: true },
  },
  { id: 'DT-02', game: 'dragontiger', variants: ['standard'], names: named('Dragon Tiger 2', '龍虎 2', '龙虎 2') },
  { id: 'HE-01', game: 'holdem', variants: ['casino'], names: named("Casino Hold'em", '賭場德州撲克', '赌场德州扑克') },
  {
    id: 'HE-02',
    game: 'holdem',
    variants: ['thbp'],
    names: named("Hold'em Bonus Poker", '德州撲克紅利', '德州扑克红利'),
  },
  {
    id: 'HE-03',
    game: 'holdem',
    variants: ['nlhe'],
    names: named("No-limit Hold'em", '無限注德州撲克', '无限注德州扑克'),
  },
  { id: 'NN-01', game: 'niuniu', variants: ['standard'], names: named('Niu Niu 1', '牛牛 1', '牛牛 1') },
  {
    id: 'NN-02',
    game: 'niuniu',
    variants: ['standard'],
    names: named('Niu Niu 2', '牛牛 2', '牛牛 2'),
    settings: { specialHands: true },
  },
]

function named(english: string, traditional: string, simplified: string): Record<string, string> {
  return { ENG: english, CHT: traditional, CHS: simplified }
}

/** The default betting time of a platform table. */
const betSeconds = 20

/** Minimum and maximum bet of the templates by currency: about USD 1 to 5,000. */
const templates: Readonly<Record<string, readonly [min: string, max: string]>> = {
  USD: ['1', '5000'],
  EUR: ['1', '5000'],
  USDT: ['1', '5000'],
  TWD: ['30', '150000'],
  CNY: ['7', '35000'],
  HKD: ['8', '39000'],
  THB: ['35', '175000'],
  VND: ['25000', '125000000'],
  PHP: ['56', '280000'],
  MYR: ['5', '23500'],
  JPY: ['150', '750000'],
  KRW: ['1350', '6750000'],
}

/** Creates the platform's data in a database without it. */
export async function ensurePlatform(app: Casino): Promise<void> {
  const isThere = await app.store.read(async (reader) => (await limitProfilesCount(reader)) > 0)
  if (isThere) return
  await app.store.write(async (tx) => {
    if ((await limitProfilesCount(tx)) > 0) return
    for (const environment of ['live', 'sandbox'] as const) {
      if ((await tablesOf(tx, environment)).length > 0) continue
      await insertTables(
        tx,
        tables.map((table, position) => ({
          environment,
          table_id: table.id,
          game: table.game,
          variants: JSON.stringify(table.variants),
          names: JSON.stringify(table.names),
          status: 'open',
          bet_seconds: betSeconds,
          settings: JSON.stringify(table.settings ?? {}),
          provider: null,
          position,
          owner: null,
          shared_with: null,
          share_approved: null,
        })),
      )
    }
    const profiles = gameNames.flatMap((game) =>
      Object.entries(templates).map(([currency, [min, max]]) => {
        return { tenant: null, name: `${game} ${currency}`, game, currency, min_bet: min, max_bet: max }
      }),
    )
    await insertLimitProfiles(tx, profiles)
  })
}
