import { timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { useChatTenant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Empty, Facts, Loaded, Page, Search, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

export function RoomsPage({ route }: PageProps) {
  const { code, options } = useChatTenant(route)
  const keyword = route.query['keyword'] ?? ''
  const live = useView('chat.rooms', { tenant: code, ...(keyword === '' ? {} : { keyword }) })
  return (
    <Page
      title="Rooms"
      tools={
        <>
          <Select label="Merchant" name="tenant" value={code} options={options} />
          <Search label="Search" name="keyword" value={keyword} />
          <ActionButton name="room.open" given={{ tenant: code }} />
        </>
      }
    >
      <Loaded live={live}>
        {({ rooms, total }) => (
          <Table
            label="Rooms"
            rows={rooms}
            more={total > rooms.length}
            keyOf={({ room }) => room}
            empty={
              <>
                No rooms {keyword === '' ? 'yet' : 'match'}. A customer opens one in the widget: try it on the page{' '}
                <a href={linkTo('chat/widget', { tenant: code })}>Widget</a>.
              </>
            }
            columns={[
              {
                title: 'Customer',
                show: ({ room, account, name }) => (
                  <a href={linkTo(`chat/rooms/${room}`, { tenant: code })}>{name ?? account}</a>
                ),
              },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              { title: 'Unread', show: ({ unread }) => unread || '', isNumber: true },
              { title: 'Latest message', show: ({ preview }) => <span class="preview">{preview ?? ''}</span> },
              { title: 'Waits since', show: ({ waitingSince }) => timeText(waitingSince), isMinor: true },
              { title: 'Time', show: ({ at }) => timeText(at), isMinor: true },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** A conversation with a reply box: the developer is the agent. */
export function RoomPage({ route }: PageProps) {
  const { code } = useChatTenant(route)
  const room = route.path.at(-1) ?? ''
  const given = { tenant: code, room }
  const live = useView('chat.room', given)
  return (
    <Page title="Conversation" tools={<a href={linkTo('chat/rooms', { tenant: code })}>All rooms</a>}>
      <Loaded live={live}>
        {(data) => (
          <div class="beside">
            <Card title={data.name ?? data.account}>
              {data.messages.length === 0 ? (
                <Empty>Nobody has written yet.</Empty>
              ) : (
                <ol class="messages" aria-label="Messages">
                  {data.messages.map((message) => (
                    <li key={message.seq} class={message.from}>
                      <span class="note">
                        {message.name ?? words(message.from)}, {timeText(message.at)}
                      </span>
                      <p>{message.text || words(message.type)}</p>
                    </li>
                  ))}
                </ol>
              )}
              {data.agent === null ? (
                <Empty>
                  The merchant has no agents. Create one:{' '}
                  <code>countroom console chat agents create {code} "Desk 1"</code>
                </Empty>
              ) : (
                <ActionForm
                  key={data.messages.filter(({ from }) => from === 'agent').length}
                  name="room.reply"
                  title={`Reply as ${data.agent}`}
                  given={given}
                />
              )}
            </Card>
            <Card title="Room">
              <Facts
                facts={[
                  ['Account', data.account],
                  ['Room', <code key="room">{data.room}</code>],
                  ['Status', <Status key="status" code={data.status} />],
                  ['Language', data.language ?? '–'],
                  ['Waits since', timeText(data.waitingSince)],
                ]}
              />
              <ActionForm
                key={data.messages.filter(({ from }) => from === 'customer').length}
                name="room.say"
                given={given}
              />
              <ActionForm
                key={data.status}
                name={data.status === 'open' ? 'room.close' : 'room.reopen'}
                given={given}
              />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
