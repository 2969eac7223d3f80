import { prettyJson, shortId, timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Code, Facts, HttpStatus, Loaded, Page, Search, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'
import { RequestDetail } from './requests.tsx'

const channels = [
  ['', 'all'],
  ['tenant-webhook', 'webhooks'],
  ['merchant-ipn', 'IPNs'],
] as const

const states = [
  ['', 'all'],
  ['owed', 'open'],
  ['delivered', 'delivered'],
  ['dead', 'failed'],
] as const

export function DeliveriesPage({ route }: PageProps) {
  const { owner = '', channel = '', state = '' } = route.query
  const query = Object.fromEntries(Object.entries({ owner, channel, state }).filter(([, value]) => value !== ''))
  const live = useView('deliveries', query)
  return (
    <Page
      title="Deliveries"
      tools={
        <>
          <Select label="Channel" name="channel" value={channel} options={channels} />
          <Select label="State" name="state" value={state} options={states} />
          <Search label="Owner" name="owner" value={owner} />
        </>
      }
    >
      <Loaded live={live}>
        {({ deliveries, more }) => (
          <Table
            label="Deliveries"
            rows={deliveries}
            more={more}
            keyOf={({ delivery }) => delivery}
            empty={
              <>
                No deliveries {Object.keys(query).length > 0 ? 'match' : 'yet'}. Set a callback URL on the page{' '}
                <a href={linkTo('receiver')}>Receiver</a> and send a test.
              </>
            }
            columns={[
              {
                title: 'Delivery',
                show: ({ delivery }) => <a href={linkTo(`deliveries/${delivery}`)}>{shortId(delivery)}</a>,
              },
              { title: 'Event', show: ({ event }) => words(event) },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              { title: 'Attempts', show: ({ attempts }) => attempts, isNumber: true },
              { title: 'Last', show: (row) => (row.attempts === 0 ? '' : <HttpStatus status={row.lastStatus} />) },
              { title: 'Owner', show: (row) => row.owner, isMinor: true },
              { title: 'Created', show: ({ createdAt }) => timeText(createdAt), isMinor: true },
              {
                title: 'Actions',
                show: ({ delivery }) => <ActionButton name="delivery.resend" given={{ delivery }} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** A delivery with its attempts, and the bytes that were sent. */
export function DeliveryPage({ route }: PageProps) {
  const delivery = route.path.at(-1) ?? ''
  const live = useView('delivery', { delivery })
  return (
    <Page title={`Delivery ${shortId(delivery)}`} tools={<a href={linkTo('deliveries')}>All deliveries</a>}>
      <Loaded live={live}>
        {(data) => (
          <>
            <div class="grid">
              <Card title={words(data.event)}>
                <Facts
                  facts={[
                    ['Delivery', <code key="id">{data.delivery}</code>],
                    ['Status', <Status key="status" code={data.status} />],
                    ['Owner', data.owner],
                    ['Subject', data.subject],
                    ['URL', <code key="url">{data.url}</code>],
                    ['Next attempt', timeText(data.dueAt)],
                    ['Ended', timeText(data.endedAt)],
                  ]}
                />
              </Card>
              <Card title="Send again">
                <ActionForm name="delivery.resend" given={{ delivery }} />
              </Card>
              <Card title="Attempts" class="wide">
                <Table
                  label="Attempts"
                  rows={data.attempts}
                  keyOf={({ number, at }) => `${number} ${at}`}
                  empty="No attempt was made yet."
                  columns={[
                    { title: 'No.', show: ({ number }) => number, isNumber: true },
                    { title: 'Time', show: ({ at }) => timeText(at) },
                    { title: 'Status', show: ({ status }) => <HttpStatus status={status} /> },
                    { title: 'ms', show: ({ tookMs }) => tookMs, isNumber: true },
                    { title: 'Error', show: ({ error }) => error ?? '' },
                  ]}
                />
              </Card>
              {data.sent.length === 0 && (
                <Card title="Data of the event" class="wide">
                  <Code text={prettyJson(data.body)} label="Data of the event" />
                </Card>
              )}
            </div>
            {data.sent.map((sent, at) => (
              <details key={sent.id} class="sent" open={at === 0}>
                <summary>Bytes sent at {timeText(sent.at)}</summary>
                <RequestDetail detail={sent} />
              </details>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}
