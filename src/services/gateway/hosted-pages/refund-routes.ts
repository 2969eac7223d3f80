import type { PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { type RouteReply, type RouteRequest, type Routes, readFormOf } from '../../../http/server/routes.ts'
import { isProblem } from '../../../kit/problem.ts'
import { theMerchant } from '../admin/platform.ts'
import { nameRefundAddress, refundAddress, refundOfLink } from '../payments/approved-refunds.ts'
import { paymentByToken } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { type RefundFault, type RefundPage, refundPage } from './refund-html.ts'
import {
  nothing,
  type RequestLanguage,
  requestLanguageOf,
  type Site,
  sendHtml,
  tokenOf,
  withLanguage,
} from './reply.ts'

/** Adds the page under a payment's link on which the customer names the address of an approved refund. */
export function addRefundRoutes(
  app: Gateway,
  table: Parameters<Routes>[0],
  environment: GatewayEnvironment,
  base: string,
  siteOf: (request: RouteRequest) => Site,
): void {
  const path = `${base}/pay/:token/refund/:secret`
  table.get(path, async (request, reply) => {
    const found = await lookUp(app, environment, request)
    if (!found) return nothing(reply, requestLanguageOf(request))
    return answer(app, siteOf(request), request, reply, { ...found, status: 200 })
  })
  table.post(path, async (request, reply) => {
    const found = await lookUp(app, environment, request)
    if (!found) return nothing(reply, requestLanguageOf(request))
    const site = siteOf(request)
    const form = await readFormOf(request, 1024)
    const typed = String(form['address'] ?? '')
    try {
      if (form['confirm'] === 'yes') {
        await app.store.write((tx) => nameRefundAddress(app, tx, found.refund.id, typed))
        return reply.code(303).header('location', ownPath(site, request)).send()
      }
      const address = await app.store.read((reader) => refundAddress(reader, found.refund, typed))
      return answer(app, site, request, reply, { ...found, status: 200, typed: { address, fault: null } })
    } catch (error) {
      if (!isProblem(error) || !(error.code in faults)) throw error
      const fault = faults[error.code] ?? 'later'
      const status = fault === 'invalid' ? 422 : 409
      return answer(app, site, request, reply, { ...found, status, typed: { address: typed.trim(), fault } })
    }
  })
}

/** Reasons shown to the customer, by error code. The sanctions list is not mentioned. */
const faults: Readonly<Record<string, RefundFault>> = {
  INVALID_ADDRESS: 'invalid',
  POLICY_REJECTED: 'refused',
  INSUFFICIENT_BALANCE: 'later',
  FROZEN: 'later',
  FORBIDDEN: 'later',
  CONFLICT: 'later',
}

interface RefundLookup {
  readonly payment: PaymentRow
  readonly refund: RefundRow
}

/** Returns the refund of a link; undefined unless both secrets in it are right. */
function lookUp(
  app: Gateway,
  environment: GatewayEnvironment,
  request: RouteRequest,
): Promise<RefundLookup | undefined> {
  return app.store.read(async (reader) => {
    const payment = await paymentByToken(reader, environment, tokenOf(request))
    const refund = payment && (await refundOfLink(reader, payment, request.params['secret'] ?? ''))
    return payment && refund && { payment, refund }
  })
}

function ownPath(site: Site, request: RouteRequest): string {
  return withLanguage(
    `${site.pages}/pay/${tokenOf(request)}/refund/${request.params['secret'] ?? ''}`,
    requestLanguageOf(request),
  )
}

async function answer(
  app: Gateway,
  site: Site,
  request: RouteRequest,
  reply: RouteReply,
  { payment, refund, status, typed }: RefundLookup & Pick<RefundPage, 'typed'> & { readonly status: number },
): Promise<void> {
  const requestLanguage: RequestLanguage = requestLanguageOf(request)
  const merchant = await app.store.read((reader) => theMerchant(reader, payment.merchant))
  const text = refundPage({
    language: requestLanguage.language,
    shop: { name: merchant.name, isSandbox: merchant.environment === 'sandbox' },
    payment,
    refund,
    path: ownPath(site, request),
    paymentPath: withLanguage(`${site.pages}/pay/${payment.page_token}`, requestLanguage),
    ...(typed === undefined ? {} : { typed }),
  })
  return sendHtml(reply, requestLanguage, status, text)
}
