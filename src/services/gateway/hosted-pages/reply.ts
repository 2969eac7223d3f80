import { sendUncached } from '../../../http/server/packed-text.ts'
import type { RouteReply, RouteRequest } from '../../../http/server/routes.ts'
import { policy } from './css.ts'
import { nothingPage } from './html.ts'
import { languageFrom, languageOf, type PageLanguage } from './language.ts'

/** Parts that the routes of all hosted pages share: the language of a request, and the headers of a response. */

/** Language of a page, and whether its link set it: links to other pages keep such a language. */
export interface RequestLanguage {
  readonly language: PageLanguage
  readonly isInQuery: boolean
  readonly request: RouteRequest
}

export function requestLanguageOf(request: RouteRequest): RequestLanguage {
  const { query, headers } = request
  const requested = query['lang']
  const isInQuery = typeof requested === 'string' && languageFrom(requested) !== undefined
  return { language: languageOf(requested, headers['accept-language']), isInQuery, request }
}

export function withLanguage(path: string, { language, isInQuery }: RequestLanguage): string {
  return isInQuery ? `${path}${path.includes('?') ? '&' : '?'}lang=${language}` : path
}

/** Returns the secret part of a page's link. */
export const tokenOf = ({ params }: RouteRequest): string => params['token'] ?? ''

/** Path prefixes of a page's links: `root` of the public URL, `pages` of the environment's pages below it. */
export interface Site {
  readonly root: string
  readonly pages: string
}

/** Sends the page for an unknown link. */
export const nothing = (reply: RouteReply, requestLanguage: RequestLanguage) =>
  sendHtml(reply, requestLanguage, 404, nothingPage(requestLanguage.language))

export function sendHtml(
  reply: RouteReply,
  { language, request }: RequestLanguage,
  status: number,
  text: string,
): Promise<void> {
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-language', language)
    .header('vary', 'Accept-Language, Accept-Encoding')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
  return sendUncached(request, reply, text)
}
