import { timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { useChatTenant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Empty, Facts, Loaded, Page, Search, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

export function TicketsPage({ route }: PageProps) {
  const { code, options } = useChatTenant(route)
  const keyword = route.query['keyword'] ?? ''
  const live = useView('chat.tickets', { tenant: code, ...(keyword === '' ? {} : { keyword }) })
  return (
    <Page
      title="Tickets"
      tools={
        <>
          <Select label="Merchant" name="tenant" value={code} options={options} />
          <Search label="Search" name="keyword" value={keyword} />
          <ActionButton name="ticket.create" given={{ tenant: code }} />
        </>
      }
    >
      <Loaded live={live}>
        {({ items, total }) => (
          <Table
            label="Tickets"
            rows={items}
            more={total > items.length}
            keyOf={({ ticketId }) => ticketId}
            empty={`No tickets ${keyword === '' ? 'yet' : 'match'}. Create one with the button above.`}
            columns={[
              {
                title: 'Ticket',
                show: ({ ticketNumber }) => (
                  <a href={linkTo(`chat/tickets/${ticketNumber}`, { tenant: code })}>{ticketNumber}</a>
                ),
              },
              { title: 'Title', show: ({ title }) => title },
              { title: 'Status', show: ({ status, statusLabel }) => <span title={status}>{statusLabel}</span> },
              { title: 'Customer', show: ({ customerAccount }) => customerAccount ?? '', isMinor: true },
              { title: 'Changed', show: ({ updatedAt }) => timeText(updatedAt), isMinor: true },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** A ticket with the steps of its workflow. */
export function TicketPage({ route }: PageProps) {
  const { code } = useChatTenant(route)
  const ticket = route.path.at(-1) ?? ''
  const given = { tenant: code, ticket }
  const live = useView('chat.ticket', given)
  return (
    <Page title={`Ticket ${ticket}`} tools={<a href={linkTo('chat/tickets', { tenant: code })}>All tickets</a>}>
      <Loaded live={live}>
        {(data) => (
          <div class="beside">
            <Card title={data.title}>
              <p>{data.description || 'No description.'}</p>
              <h3>Comments</h3>
              {data.comments.length === 0 ? (
                <Empty>No comments yet.</Empty>
              ) : (
                <ol class="messages" aria-label="Comments">
                  {data.comments.map((comment) => (
                    <li key={comment.commentId} class={comment.visibility === 'public' ? 'agent' : 'system'}>
                      <span class="note">
                        {comment.authorDisplayName}, {comment.visibility}, {timeText(comment.createdAt)}
                      </span>
                      <p>{comment.content}</p>
                    </li>
                  ))}
                </ol>
              )}
              <ActionForm key={data.comments.length} name="ticket.comment" given={given} />
            </Card>
            <Card title="Workflow">
              <Facts
                facts={[
                  ['Status', <Status key="status" code={data.status} />],
                  ['Form', `${data.formCode}, version ${data.formVersion}`],
                  ['Customer', data.customerAccount ?? '–'],
                  ['Changed', timeText(data.updatedAt)],
                ]}
              />
              {data.next.length === 0 ? (
                <Empty>The workflow has no further step.</Empty>
              ) : (
                data.next.map((status) => (
                  <ActionForm
                    key={`${data.status} ${status}`}
                    name="ticket.status"
                    title={`Move to ${words(status)}`}
                    given={{ ...given, status }}
                  />
                ))
              )}
              <h3>History</h3>
              <ul class="plain">
                {data.history.map((entry) => (
                  <li key={`${entry.at} ${entry.kind}`}>
                    {words(entry.kind)} {entry.from ?? ''} {entry.to ? `to ${entry.to}` : ''}, {timeText(entry.at)}
                  </li>
                ))}
              </ul>
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
