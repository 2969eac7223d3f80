import { DuckDBInstance } from '@duckdb/node-api'

/**
 * The figures of a day, player by player, computed with DuckDB from the CSV files of `bets sync`: the highest revision
 * of each slip that was first settled on the day. One thread, which takes the least CPU time. It compares nothing with
 * the platform. A process of its own: `node duckdb-day.ts FOLDER DATE`.
 */
const [folder = '', date = ''] = process.argv.slice(2)
const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
const connection = await instance.connect()
const from = Date.parse(`${date}T00:00:00+08:00`)
const moment = (at: number) => `'${new Date(at).toISOString()}'`
const amounts = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake']
const read = await connection.runAndReadAll(`
  with slips as (
    select slipId, min(settledAt) as first_at, arg_max(username, rev::int) as username, arg_max(currency, rev::int) as currency,
      arg_max(status, rev::int) as status, ${amounts.map((name) => `arg_max("${name}"::decimal(19, 4), rev::int) as "${name}"`).join(', ')}
    from read_csv('${folder}/*.csv', all_varchar = true)
    where onsite is distinct from 'true'
    group by slipId
  )
  select username, currency, count(*) as slips, ${amounts.map((name) => `sum("${name}") as "${name}"`).join(', ')}
  from slips where first_at >= ${moment(from)} and first_at < ${moment(from + 86_400_000)}
  group by username, currency order by username`)
process.stdout.write(JSON.stringify({ players: read.currentRowCount, first: read.getRowObjectsJson()[0] }))
connection.closeSync()
instance.closeSync()
