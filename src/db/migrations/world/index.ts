import type { Migrations } from '../../migrate.ts'
import { store } from './0001-store.ts'
import { casino } from './0002-casino.ts'
import { worldItself } from './0003-world.ts'
import { gateway } from './0010-gateway.ts'
import { chat } from './0020-chat.ts'
import { outbox } from './0030-outbox.ts'
import { live } from './0040-live.ts'
import { casinoStreams } from './0050-casino-streams.ts'
import { gatewayLimits } from './0060-gateway-limits.ts'
import { gatewayMails } from './0070-gateway-mails.ts'
import { faults } from './0080-faults.ts'
import { roundAfterlife } from './0081-round-afterlife.ts'
import { sharedTables } from './0082-shared-tables.ts'
import { siteUrl } from './0083-site-url.ts'
import { gatewayTotp } from './0090-gateway-totp.ts'
import { gatewayUsers } from './0091-gateway-users.ts'
import { gatewayConsole } from './0092-gateway-console.ts'
import { gatewayPages } from './0093-gateway-pages.ts'
import { chatHeld } from './0094-chat-held.ts'
import { chatTickets } from './0095-chat-tickets.ts'
import { casinoViewers } from './0096-casino-viewers.ts'
import { emptyRoundsStay } from './0097-empty-rounds-stay.ts'
import { publicUrl } from './0098-public-url.ts'
import { loginAttempts } from './0099-login-attempts.ts'
import { chatIdentity } from './0100-chat-identity.ts'
import { gatewayPayoutSending } from './0101-gateway-payout-sending.ts'
import { gatewayDeposits } from './0102-gateway-deposits.ts'
import { faultCodes } from './0103-fault-codes.ts'
import { gatewayBillDays } from './0104-gateway-bill-days.ts'
import { deliveryStatus } from './0105-delivery-status.ts'
import { casinoKeyedTables } from './0106-casino-keyed-tables.ts'
import { daySummaries } from './0107-day-summaries.ts'
import { betMinutes } from './0108-bet-minutes.ts'
import { chatBuckets } from './0109-chat-buckets.ts'
import { deskToken } from './0114-desk-token.ts'
import { gatewayRefunds } from './0115-gateway-refunds.ts'
import { gatewayFunds } from './0116-gateway-funds.ts'
import { gatewayEntryTimes } from './0117-gateway-entry-times.ts'
import { timeline } from './0118-timeline.ts'
import { betPartitions } from './0124-bet-partitions.ts'
import { refundLinks } from './0130-refund-links.ts'
import { chatRatings } from './0131-chat-ratings.ts'
import { chatFaces } from './0132-chat-faces.ts'
import { snapshotLoads } from './0140-snapshot-loads.ts'
import { checkMinutes } from './0144-check-minutes.ts'

/** Migrations of a served world's schema, in order. New ones go at the end; a released one is never edited. */
export const world: Migrations = {
  of: 'world',
  steps: [
    store,
    casino,
    worldItself,
    gateway,
    chat,
    outbox,
    live,
    casinoStreams,
    gatewayLimits,
    gatewayMails,
    faults,
    roundAfterlife,
    sharedTables,
    siteUrl,
    gatewayTotp,
    gatewayUsers,
    gatewayConsole,
    gatewayPages,
    chatHeld,
    chatTickets,
    casinoViewers,
    emptyRoundsStay,
    publicUrl,
    loginAttempts,
    chatIdentity,
    gatewayPayoutSending,
    gatewayDeposits,
    faultCodes,
    gatewayBillDays,
    deliveryStatus,
    casinoKeyedTables,
    daySummaries,
    betMinutes,
    chatBuckets,
    deskToken,
    gatewayRefunds,
    gatewayFunds,
    gatewayEntryTimes,
    timeline,
    betPartitions,
    refundLinks,
    chatRatings,
    chatFaces,
    snapshotLoads,
    checkMinutes,
  ],
  async renew(q) {
    await q.updateTable('chat_life').set({ life: crypto.randomUUID() }).execute()
  },
}
