import { useState } from 'preact/hooks'
import type { ViewData } from '../../../views/index.ts'
import { prettyJson, shortId, timeText } from '../../format.ts'
import { useView } from '../../live.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Card, Code, Facts, HttpStatus, Loaded, Page, Search, Select, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

type Detail = ViewData<'request'>

const services = [
  ['', 'all'],
  ['casino', 'casino'],
  ['gateway', 'gateway'],
  ['chat', 'chat'],
] as const

/** Requests and callbacks as they come. */
export function RequestsPage({ route }: PageProps) {
  const { service = '', status = '', path = '', kind = '' } = route.query
  const query = Object.fromEntries(Object.entries({ service, status, path, kind }).filter(([, value]) => value !== ''))
  const live = useView('requests', query)
  return (
    <Page
      title="Requests"
      tools={
        <>
          <Select label="Service" name="service" value={service} options={services} />
          <Select
            label="Kind"
            name="kind"
            value={kind}
            options={[
              ['', 'all'],
              ['request', 'requests'],
              ['callback', 'callbacks'],
            ]}
          />
          <Select
            label="Status"
            name="status"
            value={status}
            options={[
              ['', 'all'],
              ['2xx', '2xx'],
              ['4xx', '4xx'],
              ['401', '401'],
              ['5xx', '5xx'],
              ['none', 'no response'],
            ]}
          />
          <Search label="Path" name="path" value={path} />
        </>
      }
    >
      <Loaded live={live}>
        {({ requests, more }) => (
          <Table
            label="Requests"
            rows={requests}
            more={more}
            keyOf={({ id }) => id}
            empty={
              <>
                No requests {Object.keys(query).length > 0 ? 'match' : 'yet'}. Send one, for example:{' '}
                <code>countroom players show amy</code>
              </>
            }
            columns={[
              { title: 'Time', show: ({ at }) => <time>{timeText(at).slice(11)}</time> },
              { title: 'Status', show: (row) => <HttpStatus status={row.status} /> },
              { title: 'Method', show: ({ method }) => method, isMinor: true },
              {
                title: 'Path',
                show: ({ id, path: at, kind: of }) => (
                  <a class="path" href={linkTo(`requests/${id}`)}>
                    {of === 'callback' ? '→ ' : ''}
                    {at}
                  </a>
                ),
              },
              { title: 'Code', show: ({ code }) => code ?? '', isMinor: true },
              { title: 'Service', show: (row) => `${row.service ?? ''} ${row.environment ?? ''}`, isMinor: true },
              { title: 'ms', show: ({ ms }) => ms, isNumber: true, isMinor: true },
            ]}
          />
        )}
      </Loaded>
      <p class="note">
        The process that serves the world lists its own requests, and those of commands while it serves. It does not
        list what a command does while nothing serves the world, nor, on PostgreSQL, what a second server of the same
        world gets. The page <a href={linkTo('deliveries')}>Deliveries</a> has the callbacks of all.
      </p>
      <p class="command">
        <code>countroom sim requests list --follow</code>
      </p>
    </Page>
  )
}

export function RequestPage({ route }: PageProps) {
  const id = route.path.at(-1) ?? ''
  const live = useView('request', { request: id })
  return (
    <Page title={`Request ${shortId(id)}`} tools={<a href={linkTo('requests')}>All requests</a>}>
      <Loaded live={live}>{(detail) => <RequestDetail detail={detail} />}</Loaded>
    </Page>
  )
}

/** Everything that is known about a recorded request. */
export function RequestDetail({ detail }: { detail: Detail }) {
  return (
    <div class="grid">
      <Card title={`${detail.method} ${detail.path}`} class="wide">
        <Facts
          facts={[
            ['Status', <HttpStatus key="status" status={detail.status} />],
            ['Outcome', detail.outcome.message],
            ['Time', timeText(detail.at)],
            ['Duration', detail.ms === null ? '–' : `${detail.ms} ms`],
            ['Service', `${detail.service ?? 'none'} ${detail.environment ?? ''}`],
            ['Endpoint', detail.endpoint ?? '–'],
            ['Address', detail.address],
          ]}
        />
      </Card>
      {detail.signature && <Signature signature={detail.signature} />}
      {detail.credentials && (
        <Card title="Credentials" class="wide">
          <p class={detail.credentials.verdict === 'accepted' ? 'good' : 'problem'}>
            {detail.credentials.verdict}: {detail.credentials.reason}
          </p>
        </Card>
      )}
      <Copies detail={detail} />
      <Message title="Request" message={detail.request} />
      {detail.response && <Message title="Response" message={detail.response} />}
    </div>
  )
}

function Signature({ signature }: { signature: NonNullable<Detail['signature']> }) {
  return (
    <Card title="Signature" class="wide">
      <p class={signature.verdict === 'accepted' ? 'good' : 'problem'}>
        {signature.verdict}
        {signature.reason ? `: ${signature.reason}` : ''}
      </p>
      <Facts
        facts={[
          ...signature.lines.map(
            ({ name, value }) =>
              [name === signature.differs ? `≠ ${name}` : name, <code key={name}>{value}</code>] as const,
          ),
          ...(signature.signedValue === null
            ? []
            : [['was signed as', <code key="signed">{signature.signedValue}</code>] as const]),
          ...(signature.skewSeconds === null ? [] : [['clock skew', `${signature.skewSeconds} s`] as const]),
        ]}
      />
    </Card>
  )
}

function Copies({ detail: { copies, kind } }: { detail: Detail }) {
  const forms = [
    ['curl, signed again', copies.curl, copies.notes.curl],
    ['countroom', copies.command, copies.notes.command],
    [kind === 'callback' ? 'Receiver' : 'Typed client', copies.code, copies.notes.code],
  ] as const
  const [at, setAt] = useState(0)
  const [title, text, note] = forms[at] ?? forms[0]
  return (
    <Card title="Run it again" class="wide" tools={text !== null && <CopyButton text={text} label={`Copy ${title}`} />}>
      <fieldset class="tabs" aria-label="Form of the copy">
        {forms.map(([name], index) => (
          <button key={name} type="button" class="quiet" aria-pressed={index === at} onClick={() => setAt(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      {note !== null && <p class="note">{note}.</p>}
      {text !== null && <Code text={text} label={title} />}
    </Card>
  )
}

function Message({ title, message }: { title: string; message: Detail['request'] }) {
  return (
    <Card title={title}>
      <details>
        <summary>Headers</summary>
        <Code
          text={Object.entries(message.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
          label={`Headers of the ${title.toLowerCase()}`}
        />
      </details>
      {message.body === null || message.body === '' ? (
        <p class="note">{message.body === null ? 'The body is not kept.' : 'No body.'}</p>
      ) : (
        <Code text={prettyJson(message.body)} label={`Body of the ${title.toLowerCase()}`} />
      )}
      {message.isCut && <p class="note">The body is longer than what is kept.</p>}
    </Card>
  )
}
