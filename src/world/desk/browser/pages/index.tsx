import type { ComponentType } from 'preact'
import type { Route } from '../route.ts'
import { BetsPage, BillingPage } from './casino/days.tsx'
import { PhonePage } from './casino/phone.tsx'
import { PlayerPage, PlayersPage } from './casino/players.tsx'
import { RoundPage, RoundsPage } from './casino/rounds.tsx'
import { TablesPage } from './casino/tables.tsx'
import { RoomPage, RoomsPage } from './chat/rooms.tsx'
import { TicketPage, TicketsPage } from './chat/tickets.tsx'
import { WidgetPage } from './chat/widget.tsx'
import { FaultsPage } from './faults.tsx'
import { BalancesPage, RatesPage } from './gateway/money.tsx'
import { PaymentPage, PaymentsPage } from './gateway/payments.tsx'
import { PayoutsPage } from './gateway/payouts.tsx'
import { MailsPage } from './mails.tsx'
import { OverviewPage } from './overview.tsx'
import { ClinicPage } from './requests/clinic.tsx'
import { DeliveriesPage, DeliveryPage } from './requests/deliveries.tsx'
import { ReceiverPage } from './requests/receiver.tsx'
import { RequestPage, RequestsPage } from './requests/requests.tsx'
import { SnapshotsPage } from './snapshots.tsx'

/** All pages of the desk. */

export interface PageProps {
  readonly route: Route
}

type Show = ComponentType<PageProps>

interface PageEntry {
  readonly path: string
  readonly title: string
  readonly Show: Show
}

/** The navigation: parts with their pages. */
export const sections: readonly {
  readonly title: string
  readonly pages: readonly (readonly [string, string, Show])[]
}[] = [
  {
    title: 'World',
    pages: [
      ['', 'Overview', OverviewPage],
      ['snapshots', 'Snapshots', SnapshotsPage],
    ],
  },
  {
    title: 'Casino',
    pages: [
      ['casino/players', 'Players', PlayersPage],
      ['casino/tables', 'Tables', TablesPage],
      ['casino/rounds', 'Rounds', RoundsPage],
      ['casino/bets', 'Bets by day', BetsPage],
      ['casino/billing', 'Billing', BillingPage],
    ],
  },
  {
    title: 'Gateway',
    pages: [
      ['gateway/payments', 'Payments', PaymentsPage],
      ['gateway/payouts', 'Payouts', PayoutsPage],
      ['gateway/balances', 'Balances', BalancesPage],
      ['gateway/rates', 'Rates', RatesPage],
    ],
  },
  {
    title: 'Chat',
    pages: [
      ['chat/rooms', 'Rooms', RoomsPage],
      ['chat/tickets', 'Tickets', TicketsPage],
      ['chat/widget', 'Widget', WidgetPage],
    ],
  },
  {
    title: 'Traffic',
    pages: [
      ['requests', 'Requests', RequestsPage],
      ['clinic', 'Signature clinic', ClinicPage],
      ['deliveries', 'Deliveries', DeliveriesPage],
      ['receiver', 'Receiver', ReceiverPage],
      ['faults', 'Faults', FaultsPage],
      ['mails', 'Mails', MailsPage],
    ],
  },
]

/** Pages of one thing, below the list that names it. */
const details: Readonly<Record<string, Show>> = {
  'casino/players': PlayerPage,
  'casino/rounds': RoundPage,
  'gateway/payments': PaymentPage,
  'chat/rooms': RoomPage,
  'chat/tickets': TicketPage,
  deliveries: DeliveryPage,
  requests: RequestPage,
  'casino/phone': PhonePage,
}

const listed: readonly PageEntry[] = sections.flatMap(({ pages }) =>
  pages.map(([path, title, Show]) => ({ path, title, Show })),
)

/** Returns the page at a path; the overview for an unknown one. */
export function pageOf(path: readonly string[]): PageEntry {
  const whole = path.join('/')
  const list = listed.find((page) => page.path === whole)
  if (list) return list
  const above = path.slice(0, -1).join('/')
  const Show = details[above]
  const parent = listed.find((page) => page.path === above)
  if (Show) return { path: parent?.path ?? 'casino/players', title: path.at(-1) ?? '', Show }
  return { path: '', title: 'Overview', Show: OverviewPage }
}
