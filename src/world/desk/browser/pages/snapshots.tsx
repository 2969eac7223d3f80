import { useState } from 'preact/hooks'
import type { SnapshotComparison } from '../../actions/snapshots.ts'
import { amountText, counted, timeText } from '../format.ts'
import { useView } from '../live.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded, Page, Table } from '../parts/layout.tsx'

/** Snapshots of the world, and the changes since one of them. */
export function SnapshotsPage() {
  const live = useView('snapshots', {})
  const [comparison, setComparison] = useState<SnapshotComparison>()
  const [warning, setWarning] = useState<string>()
  // The warning stays on the page, because an interrupted load is reported only once.
  const onDone = (result: Record<string, unknown>) => {
    if (typeof result['warning'] === 'string') setWarning(result['warning'])
  }
  return (
    <Page title="Snapshots" tools={<Copyable text="countroom sim snapshot list" name="the command" />}>
      {warning !== undefined && (
        <p class="problem" role="alert">
          {warning}.
        </p>
      )}
      <Loaded live={live}>
        {({ snapshots, unreadable, loaded }) => (
          <>
            <Table
              label="Snapshots"
              rows={snapshots}
              keyOf={({ name }) => name}
              empty="No snapshots. Save one below, and come back to it later."
              columns={[
                { title: 'Name', show: ({ name }) => name },
                { title: 'Saved', show: ({ savedAt }) => timeText(savedAt), isMinor: true },
                { title: 'World time', show: ({ worldTime }) => timeText(worldTime), isMinor: true },
                { title: 'Slips', show: ({ slips }) => slips.toLocaleString('en-US'), isNumber: true },
                { title: 'Players', show: ({ players }) => players.toLocaleString('en-US'), isNumber: true },
                {
                  title: 'Actions',
                  show: ({ name }) => (
                    <span class="actions">
                      <ActionButton
                        name="snapshot.diff"
                        given={{ from: name }}
                        onDone={(result) => {
                          onDone(result)
                          // The result of this action has this form.
                          setComparison(result as unknown as SnapshotComparison)
                        }}
                      />
                      <ActionButton name="snapshot.load" given={{ name }} onDone={onDone} />
                      <ActionButton name="snapshot.delete" given={{ name }} onDone={onDone} />
                    </span>
                  ),
                },
              ]}
            />
            {loaded && (
              <p class="summary">
                The world was last loaded from {loaded.name}, {timeText(new Date(loaded.at).toISOString())}.
              </p>
            )}
            {unreadable.map((name) => (
              <p class="summary" key={name}>
                {name} cannot be read and is not listed.{' '}
                <ActionButton name="snapshot.delete" given={{ name }} onDone={onDone} />
              </p>
            ))}
          </>
        )}
      </Loaded>
      {comparison && <Comparison of={comparison} />}
      <Card title="Save the world">
        <ActionForm name="snapshot.save" onDone={onDone} />
      </Card>
    </Page>
  )
}

function Comparison({ of: { from, to, changed, counts, balances, changes } }: { of: SnapshotComparison }) {
  return (
    <Card title={`From ${from} to ${to}`}>
      <p class="summary" role="status">
        {changed === 0 ? 'Nothing changed.' : `${counted(changed, 'row')} changed.`}
      </p>
      {counts.length > 0 && (
        <Table
          label="Changes by entity"
          rows={counts}
          keyOf={({ entity }) => entity}
          empty=""
          columns={[
            { title: 'Entity', show: ({ entity }) => entity },
            { title: 'Added', show: ({ added }) => added, isNumber: true },
            { title: 'Changed', show: (row) => row.changed, isNumber: true },
            { title: 'Removed', show: ({ removed }) => removed, isNumber: true },
          ]}
        />
      )}
      {balances.length > 0 && (
        <Table
          label="Balances"
          rows={balances}
          keyOf={({ environment, username, currency }) => `${environment} ${username} ${currency}`}
          empty=""
          columns={[
            { title: 'Account', show: ({ username }) => username },
            { title: 'Environment', show: ({ environment }) => environment, isMinor: true },
            { title: 'Currency', show: ({ currency }) => currency },
            { title: 'Before', show: ({ before }) => amountText(before), isNumber: true, isMinor: true },
            { title: 'After', show: ({ after }) => amountText(after), isNumber: true },
            { title: 'Change', show: ({ delta }) => amountText(delta), isNumber: true },
          ]}
        />
      )}
      {changes.length > 0 && (
        <Table
          label="Changed rows"
          rows={changes}
          keyOf={({ entity, id }) => `${entity} ${id}`}
          empty=""
          columns={[
            { title: 'Entity', show: ({ entity }) => entity },
            { title: 'ID', show: ({ id }) => id },
            { title: 'Change', show: ({ change }) => change },
            {
              title: 'Fields',
              show: ({ change, fields }) =>
                change === 'changed' &&
                Object.entries(fields).map(([name, { before, after }]) => (
                  <div key={name}>
                    {name}: {before ?? '(none)'} → {after ?? '(none)'}
                  </div>
                )),
            },
          ]}
        />
      )}
      {changed > changes.length && (
        <p class="note">
          Only {changes.length} of {counted(changed, 'row')} are shown. The command with <code>--json</code> prints all.
        </p>
      )}
    </Card>
  )
}
