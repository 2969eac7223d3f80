import pg from 'pg'
import { inject } from 'vitest'
import { postgresUrl } from '../support/databases/postgres.ts'
import { testGuide } from '../support/program/guide.ts'

testGuide('docs/postgresql.md', {
  async values() {
    const url = new URL(await postgresUrl(inject('postgresDoor')))
    const shown = 'postgres://countroom:change-me@db.internal'
    const names = ['countroom_world', 'countroom_book']
    const client = new pg.Client(url.href)
    await client.connect()
    const own = Object.fromEntries(names.map((name) => [name, `${name}_${process.pid}`]))
    for (const name of Object.values(own)) await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return Object.fromEntries(
      names.map((name) => {
        url.pathname = own[name] ?? ''
        return [`${shown}/${name}`, url.href]
      }),
    )
  },
})
