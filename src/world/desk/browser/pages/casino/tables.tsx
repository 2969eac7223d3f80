import { useView } from '../../live.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Loaded, Page, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

export const environments = [
  ['live', 'live'],
  ['sandbox', 'sandbox'],
] as const

/** Tables, and whether they deal automatically. */
export function TablesPage({ route }: PageProps) {
  const environment = route.query['environment'] === 'sandbox' ? 'sandbox' : 'live'
  const live = useView('casino.tables', { environment })
  const status = useView('status', {})
  return (
    <Page
      title="Tables"
      tools={<Select label="Environment" name="environment" value={environment} options={environments} />}
    >
      <Loaded live={status}>
        {({ isLive }) => (
          <Card title={isLive ? 'Tables deal automatically' : 'Tables do not deal on their own'}>
            <ActionForm key={String(isLive)} name={isLive ? 'live.off' : 'live.on'} />
          </Card>
        )}
      </Loaded>
      <Loaded live={live}>
        {({ tables }) => (
          <Table
            label="Tables"
            rows={tables}
            keyOf={({ table }) => table}
            empty="There are no tables."
            columns={[
              {
                title: 'Table',
                show: ({ table }) => <a href={linkTo('casino/rounds', { environment, table })}>{table}</a>,
              },
              { title: 'Name', show: ({ name }) => name, isMinor: true },
              { title: 'Game', show: ({ game, variants }) => `${game} ${variants.join(', ')}` },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              { title: 'Phase', show: ({ phase }) => phase },
              {
                title: 'Actions',
                show: ({ table, status }) => (
                  <ActionButton
                    name={status === 'open' ? 'table.maintenance' : 'table.open'}
                    given={{ table, environment }}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}
