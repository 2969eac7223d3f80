import { commandText } from '../../../actions/command-form.ts'
import { amountText, shortId, timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { useTenant } from '../../parties.ts'
import { ActionForm } from '../../parts/action.tsx'
import { Card, Facts, Loaded, Page, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo, select } from '../../route.ts'
import type { PageProps } from '../index.tsx'

const summary = { words: 'summary show', args: ['date'], profileOf: 'tenant' } as const

/** The slips of a day with its summary. */
export function BetsPage({ route }: PageProps) {
  const { code, options } = useTenant(route)
  const date = route.query['date']
  const live = useView('casino.bets', { tenant: code, ...(date === undefined ? {} : { date }) })
  return (
    <Page
      title="Bets by day"
      tools={
        <>
          <Select label="Tenant" name="tenant" value={code} options={options} />
          <label class="select">
            <span>Day</span>
            <input
              type="date"
              value={date ?? live.data?.date ?? ''}
              onChange={(e) => select({ date: e.currentTarget.value || undefined })}
            />
          </label>
        </>
      }
    >
      <Loaded live={live}>
        {(data) => (
          <div class="beside">
            <Card title={`Slips of ${data.date}, ${data.timezone}`}>
              <Table
                label="Slips of the day"
                rows={data.slips}
                more={data.more}
                keyOf={({ slip }) => slip}
                empty={
                  <>
                    No slips were settled on this day. Deal some on the page{' '}
                    <a href={linkTo('casino/rounds')}>Rounds</a>.
                  </>
                }
                columns={[
                  { title: 'Player', show: ({ username }) => username },
                  {
                    title: 'Round',
                    show: ({ round }) => <a href={linkTo(`casino/rounds/${round}`)}>{shortId(round)}</a>,
                  },
                  { title: 'Table', show: ({ table }) => table, isMinor: true },
                  { title: 'Status', show: ({ status }) => <Status code={status} /> },
                  { title: 'Stake', show: ({ stake }) => amountText(stake), isNumber: true },
                  { title: 'Win/loss', show: ({ winLoss }) => amountText(winLoss), isNumber: true },
                  { title: 'Settled', show: ({ settledAt }) => timeText(settledAt), isMinor: true },
                ]}
              />
            </Card>
            <Card title="Summary">
              <Table
                label="Summary of the day"
                rows={data.players}
                keyOf={({ username }) => username}
                empty="No player has a settled slip on this day."
                columns={[
                  { title: 'Player', show: ({ username }) => username },
                  { title: 'Stake', show: ({ stake }) => amountText(stake), isNumber: true },
                  { title: 'Win/loss', show: ({ winLoss }) => amountText(winLoss), isNumber: true },
                ]}
              />
              <p class="command">
                <code>{commandText(summary, { date: data.date, tenant: code })}</code>
              </p>
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Credit, usage and statements. */
export function BillingPage({ route }: PageProps) {
  const { code, options } = useTenant(route)
  const live = useView('casino.billing', { tenant: code })
  return (
    <Page title="Billing" tools={<Select label="Tenant" name="tenant" value={code} options={options} />}>
      <Loaded live={live}>
        {({ account, usage, statements, entries }) => (
          <div class="grid">
            <Card title="Account">
              <Facts
                facts={Object.entries(account)
                  .filter(([, value]) => typeof value !== 'object' && value !== undefined)
                  .map(([name, value]) => [words(name), String(value)])}
              />
            </Card>
            <Card title="Top up">
              <ActionForm
                key={code}
                name="credit.topup"
                given={{ tenant: code }}
                initial={{ amount: '100', ref: `desk-${Date.now().toString(36)}` }}
              />
            </Card>
            <Card title="Entries" class="wide">
              <Table
                label="Credit entries"
                rows={entries}
                keyOf={({ at, ref }) => `${at} ${ref}`}
                empty="No credit has moved yet. Top up above."
                columns={[
                  { title: 'Kind', show: ({ kind }) => words(kind) },
                  { title: 'US dollars', show: ({ amountUsd }) => amountText(amountUsd), isNumber: true },
                  { title: 'Balance', show: ({ balanceUsd }) => amountText(balanceUsd), isNumber: true },
                  { title: 'Reference', show: ({ ref }) => ref, isMinor: true },
                  { title: 'Time', show: ({ at }) => timeText(at) },
                ]}
              />
            </Card>
            <Card title="Usage of 30 days">
              <Table
                label="Usage"
                rows={usage.days.toReversed()}
                keyOf={(day) => day.day}
                empty="No days are charged yet. Advance the clock by a day."
                columns={[
                  { title: 'Day', show: (day) => day.day },
                  { title: 'Tables', show: (day) => day.tableDays, isNumber: true },
                  { title: 'Stream GB', show: (day) => day.streamGb, isNumber: true },
                  { title: 'Table fee', show: (day) => amountText(day.tableFeeUsd), isNumber: true },
                ]}
              />
            </Card>
            <Card title="Statements">
              <Table
                label="Statements"
                rows={statements}
                keyOf={(statement) => statement.period}
                empty="No month has ended yet. Advance the clock to the next month."
                columns={[
                  { title: 'Month', show: (statement) => statement.period },
                  { title: 'Opening', show: (statement) => amountText(statement.openingUsd), isNumber: true },
                  { title: 'Closing', show: (statement) => amountText(statement.closingUsd), isNumber: true },
                ]}
              />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
