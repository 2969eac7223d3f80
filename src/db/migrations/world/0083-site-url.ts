import type { Migration } from '../../migrate.ts'

/** Where the button on the players' page leads that goes back to the operator's site. */
export const siteUrl: Migration = {
  name: '0083-site-url',
  async up(q) {
    await q.schema.alterTable('casino_tenants').addColumn('site_url', 'text').execute()
  },
}
