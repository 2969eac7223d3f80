import type { ViewData } from '../../views/index.ts'
import { worldNow } from '../clock.tsx'
import { counted, distanceText, timeText } from '../format.ts'
import { useView } from '../live.ts'
import { ActionForm } from '../parts/action.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Empty, Facts, Loaded, Page, Table } from '../parts/layout.tsx'
import { linkTo } from '../route.ts'

type Overview = ViewData<'overview'>

const serviceTitles = { casino: 'Casino platform', gateway: 'Payment gateway', chat: 'Customer chat' } as const
const serviceLinks = { casino: 'casino/players', gateway: 'gateway/payments', chat: 'chat/rooms' } as const

/** Overview of the served world: its address, clock and keys, and its background work. */
export function OverviewPage() {
  const live = useView('overview', {})
  return (
    <Page title="Overview">
      <Loaded live={live}>
        {(data) => (
          <div class="grid">
            <Services data={data} />
            <ClockCard data={data} />
            <Addresses data={data} />
            <Faults data={data} />
            <Background data={data} />
            <Keys data={data} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Services({ data }: { data: Overview }) {
  return (
    <Card title="Services" class="wide">
      <ul class="services">
        {data.services.map(({ name, requests, callbacks, failed }) => (
          <li key={name}>
            <a href={linkTo(serviceLinks[name])}>{serviceTitles[name]}</a>
            <a class="quiet" href={linkTo('requests', { service: name })}>
              {counted(requests, 'request')}, {counted(callbacks, 'callback')}
              {failed > 0 ? `, ${failed} refused or failed` : ''} in 5 minutes
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ClockCard({ data }: { data: Overview }) {
  const [next] = data.next
  return (
    <Card title="Clock">
      <Facts
        facts={[
          [
            'Next due',
            next ? (
              <>
                {next.job}, {distanceText(next.at, worldNow())}
              </>
            ) : (
              'nothing'
            ),
          ],
        ]}
      />
      <ActionForm name="clock.advance" title="Advance" />
      <ActionForm name="clock.set" title="Set" />
    </Card>
  )
}

function Addresses({ data: { ready } }: { data: Overview }) {
  return (
    <Card title="Addresses">
      <Facts
        facts={[
          ['Base URL', <Copyable key="base" text={ready.baseUrl} name="the base URL" />],
          ['Sandbox', <Copyable key="sandbox" text={ready.sandboxBaseUrl} name="the sandbox URL" />],
          ...(ready.publicUrl === ready.baseUrl
            ? []
            : [['Public URL', <Copyable key="public" text={ready.publicUrl} name="the public URL" />] as const]),
          ['Database', <code key="db">{ready.db}</code>],
          ['Process', ready.pid],
          [
            'Reference',
            <a key="docs" href="/docs" target="_blank" rel="noreferrer">
              /docs
            </a>,
          ],
        ]}
      />
    </Card>
  )
}

function Faults({ data }: { data: Overview }) {
  return (
    <Card title="Injected faults" tools={<a href={linkTo('faults')}>Manage</a>}>
      {data.faults.length === 0 ? (
        <Empty>No faults are set. Every request is answered as the API documents say.</Empty>
      ) : (
        <ul class="plain">
          {data.faults.map(({ id, kind, service, endpoint, hits }) => (
            <li key={id}>
              <strong>{kind}</strong> {service ?? 'any service'} {endpoint ?? ''} — applied {counted(hits, 'time')}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Background({ data }: { data: Overview }) {
  const open = data.deliveries.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card
      title="Background work"
      class="wide"
      tools={<a href={linkTo('deliveries')}>{counted(open, 'open delivery', 'open deliveries')}</a>}
    >
      <Jobs
        data={data}
        rows={data.jobs.filter(({ items, failures, name }) => items + failures > 0 || nextOf(data, name))}
      />
      <details>
        <summary>All {data.jobs.length} jobs</summary>
        <Jobs data={data} rows={data.jobs} />
      </details>
    </Card>
  )
}

const nextOf = (data: Overview, name: string) => data.next.find(({ job }) => job === name)?.at

function Jobs({ data, rows }: { data: Overview; rows: Overview['jobs'] }) {
  return (
    <Table
      label={rows === data.jobs ? 'All periodic jobs' : 'Periodic jobs'}
      rows={rows}
      keyOf={({ name }) => name}
      empty="No job is due, and none had work yet."
      columns={[
        { title: 'Job', show: ({ name }) => name },
        { title: 'Next', show: ({ name }) => timeText(nextOf(data, name)) },
        { title: 'Items', show: ({ items }) => items, isNumber: true },
        { title: 'Failures', show: ({ failures }) => failures, isNumber: true, isMinor: true },
      ]}
    />
  )
}

function Keys({ data: { ready } }: { data: Overview }) {
  const sections = [
    ['Casino', ready.casino],
    ['Gateway', ready.gateway],
    ['Chat', ready.chat],
  ] as const
  return (
    <Card title="Keys of the demo" class="wide">
      {sections.every(([, section]) => section === undefined) && (
        <Empty>
          This world has no demo data. Create tenants with: <code>countroom console tenants create CODE</code>
        </Empty>
      )}
      <div class="keys">
        {sections.map(([title, section]) =>
          section === undefined ? null : (
            <details key={title} open={title === 'Casino'}>
              <summary>{title}</summary>
              <Facts
                facts={flat(section).map(([name, value]) => [
                  name,
                  <Copyable key={name} text={value} name={`${title} ${name}`} />,
                ])}
              />
            </details>
          ),
        )}
      </div>
    </Card>
  )
}

/** Returns the texts of a section of the ready file, each with the path of its name. */
function flat(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'object' && each !== null
      ? flat(each, `${path}${name} `)
      : [[`${path}${name}`, String(each)] as [string, string]],
  )
}
