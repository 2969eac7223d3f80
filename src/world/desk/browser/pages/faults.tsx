import { timeText } from '../format.ts'
import { useView } from '../live.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { Card, Loaded, Page, Table } from '../parts/layout.tsx'

/** Injected faults. */
export function FaultsPage() {
  const live = useView('faults', {})
  return (
    <Page title="Faults" tools={<ActionButton name="fault.clear-all" />}>
      <Loaded live={live}>
        {({ faults, areAllowed }) => (
          <>
            {!areAllowed && <p class="problem">Other machines can reach this world, so its faults are inactive.</p>}
            <Table
              label="Faults"
              rows={faults}
              keyOf={({ id }) => String(id)}
              empty="No faults are set. Add one below: it applies from the next request on."
              columns={[
                { title: 'ID', show: ({ id }) => id, isNumber: true },
                { title: 'Kind', show: ({ kind, code }) => `${kind} ${code ?? ''}` },
                { title: 'Service', show: ({ service }) => service ?? 'any' },
                { title: 'Endpoint', show: ({ endpoint }) => endpoint ?? '*' },
                { title: 'Matches', show: ({ met }) => met, isNumber: true, isMinor: true },
                {
                  title: 'Applied',
                  show: ({ hits, times }) => (times === null ? hits : `${hits} of ${times}`),
                  isNumber: true,
                },
                {
                  title: 'Until',
                  show: ({ until, isOver }) =>
                    isOver ? 'over' : until === null ? '' : timeText(new Date(until).toISOString()),
                  isMinor: true,
                },
                {
                  title: 'Actions',
                  show: ({ id }) => <ActionButton name="fault.clear" given={{ fault: String(id) }} />,
                },
              ]}
            />
          </>
        )}
      </Loaded>
      <Card title="Add a fault">
        <ActionForm name="fault.add" title="Add" />
      </Card>
    </Page>
  )
}
