import type { Migration } from '../../migrate.ts'

/** Target of the button on the players' page that leads back to the operator's site. */
export const siteUrl: Migration = {
  name: '0083-site-url',
  async up(q) {
    await q.schema.alterTable('casino_tenants').addColumn('site_url', 'text').execute()
  },
}
