import type { Migrations } from '../../migrate.ts'
import { store } from '../world/0001-store.ts'
import { bookItself } from './0002-book.ts'
import { bookCallbacks } from './0003-book-callbacks.ts'
import { bookOrders } from './0004-book-orders.ts'
import { bookTickets } from './0005-book-tickets.ts'
import { bookWalletPlans } from './0006-book-wallet-plans.ts'
import { bookBreaks } from './0007-book-breaks.ts'
import { bookClock } from './0008-book-clock.ts'
import { bookRevisions } from './0009-book-revisions.ts'
import { bookGrowth } from './0010-book-growth.ts'
import { bookRepairs } from './0012-book-repairs.ts'
import { bookTableSettings } from './0015-book-table-settings.ts'
import { bookDayRule } from './0016-book-day-rule.ts'
import { bookPeriods } from './0017-book-periods.ts'
import { bookAudit } from './0019-book-audit.ts'
import { bookSnoozedBreaks } from './0020-book-snoozed-breaks.ts'
import { bookApprovers } from './0021-book-approvers.ts'
import { bookDesk } from './0026-book-desk.ts'
import { bookAuditHead } from './0027-book-audit-head.ts'
import { bookHeadless } from './0028-book-headless.ts'

/** Migrations of a book's schema, in order. New ones go at the end; a released one is never edited. */
export const book: Migrations = {
  of: 'book',
  steps: [
    store,
    bookItself,
    bookCallbacks,
    bookOrders,
    bookTickets,
    bookWalletPlans,
    bookBreaks,
    bookClock,
    bookRevisions,
    bookGrowth,
    bookRepairs,
    bookTableSettings,
    bookDayRule,
    bookPeriods,
    bookAudit,
    bookSnoozedBreaks,
    bookApprovers,
    bookDesk,
    bookAuditHead,
    bookHeadless,
  ],
}
