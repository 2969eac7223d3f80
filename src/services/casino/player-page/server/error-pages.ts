import type { SessionRow } from '../../../../db/schema/casino.ts'
import type { Language } from '../../../../domain/players/player.ts'
import { html } from '../../../../kit/html.ts'
import type { EntryRefusal } from '../../players/sessions.ts'
import { strings as chs } from '../browser/languages/chs.ts'
import { strings as cht } from '../browser/languages/cht.ts'
import { strings as eng } from '../browser/languages/eng.ts'
import { strings as hind } from '../browser/languages/hind.ts'
import { strings as jpn } from '../browser/languages/jpn.ts'
import { strings as kor } from '../browser/languages/kor.ts'
import { strings as php } from '../browser/languages/php.ts'
import { strings as thai } from '../browser/languages/thai.ts'
import { strings as viet } from '../browser/languages/viet.ts'
import type { Strings } from '../browser/messages.ts'
import { page } from './page.ts'

/** Error pages of the game: an expired link, a refused entry, an ended session. */

/** HTML language tags of the players' languages. */
export const tags: Readonly<Record<Language, string>> = {
  CHT: 'zh-Hant',
  CHS: 'zh-Hans',
  ENG: 'en',
  JPN: 'ja',
  KOR: 'ko',
  THAI: 'th',
  VIET: 'vi',
  HIND: 'hi',
  PHP: 'fil',
}

/** Texts of the game itself; these pages use those about the end of a session. */
const gameStrings: Readonly<Record<Language, Strings>> = {
  CHT: cht,
  CHS: chs,
  ENG: eng,
  JPN: jpn,
  KOR: kor,
  THAI: thai,
  VIET: viet,
  HIND: hind,
  PHP: php,
}

type ErrorText = readonly [title: string, text: string]

interface ErrorTexts extends Readonly<Record<EntryRefusal, string>> {
  readonly expired: ErrorText
  readonly refused: string
}

const texts: Readonly<Record<Language, ErrorTexts>> = {
  CHT: {
    expired: ['連結已失效', '連結只能使用一次，有效時間為 60 秒。請返回網站重新開啟遊戲。'],
    refused: '目前無法進入',
    locked: '您目前無法進行遊戲，請洽詢網站。',
    suspended: '遊戲目前無法使用，請洽詢網站。',
    full: '目前人數已滿，請稍後再試。',
  },
  CHS: {
    expired: ['链接已失效', '链接只能使用一次，有效时间为 60 秒。请返回网站重新打开游戏。'],
    refused: '目前无法进入',
    locked: '您目前无法进行游戏，请咨询网站。',
    suspended: '游戏目前无法使用，请咨询网站。',
    full: '目前人数已满，请稍后再试。',
  },
  ENG: {
    expired: ['This link has expired', 'It works once within 60 seconds. Go back to the site and open the game again.'],
    refused: 'You cannot enter the game',
    locked: 'The game is not available to you at the moment. Please contact the site.',
    suspended: 'The game is not available at the moment. Please contact the site.',
    full: 'The maximum number of players has been reached. Please try again later.',
  },
  JPN: {
    expired: [
      'リンクの期限が切れました',
      'リンクは一度だけ、60秒間有効です。サイトに戻ってゲームを開き直してください。',
    ],
    refused: '現在入場できません',
    locked: '現在ゲームをご利用いただけません。サイトにお問い合わせください。',
    suspended: '現在ゲームは利用できません。サイトにお問い合わせください。',
    full: '現在満員です。しばらくしてからもう一度お試しください。',
  },
  KOR: {
    expired: [
      '링크가 만료되었습니다',
      '링크는 60초 동안 한 번만 사용할 수 있습니다. 사이트로 돌아가 게임을 다시 열어 주세요.',
    ],
    refused: '지금은 입장할 수 없습니다',
    locked: '현재 게임을 이용하실 수 없습니다. 사이트에 문의해 주세요.',
    suspended: '현재 게임을 이용할 수 없습니다. 사이트에 문의해 주세요.',
    full: '현재 정원이 찼습니다. 잠시 후 다시 시도해 주세요.',
  },
  THAI: {
    expired: ['ลิงก์หมดอายุแล้ว', 'ลิงก์ใช้ได้ครั้งเดียวภายใน 60 วินาที กรุณากลับไปที่เว็บไซต์แล้วเปิดเกมอีกครั้ง'],
    refused: 'ขณะนี้เข้าไม่ได้',
    locked: 'ขณะนี้คุณไม่สามารถเล่นเกมได้ กรุณาติดต่อเว็บไซต์',
    suspended: 'ขณะนี้เกมไม่พร้อมให้บริการ กรุณาติดต่อเว็บไซต์',
    full: 'ขณะนี้ผู้เล่นเต็มแล้ว กรุณาลองใหม่อีกสักครู่',
  },
  VIET: {
    expired: [
      'Liên kết đã hết hạn',
      'Liên kết chỉ dùng được một lần trong 60 giây. Hãy quay lại trang web và mở lại trò chơi.',
    ],
    refused: 'Hiện không thể vào',
    locked: 'Hiện bạn không thể chơi. Vui lòng liên hệ trang web.',
    suspended: 'Trò chơi hiện không khả dụng. Vui lòng liên hệ trang web.',
    full: 'Hiện đã đủ người chơi. Vui lòng thử lại sau ít phút.',
  },
  HIND: {
    expired: [
      'इस लिंक की अवधि समाप्त हो गई है',
      'लिंक केवल एक बार और 60 सेकंड तक काम करता है। साइट पर वापस जाकर गेम फिर से खोलें।',
    ],
    refused: 'आप अभी गेम में प्रवेश नहीं कर सकते',
    locked: 'गेम अभी आपके लिए उपलब्ध नहीं है। कृपया साइट से संपर्क करें।',
    suspended: 'गेम अभी उपलब्ध नहीं है। कृपया साइट से संपर्क करें।',
    full: 'खिलाड़ियों की अधिकतम संख्या पूरी हो चुकी है। कृपया थोड़ी देर बाद फिर कोशिश करें।',
  },
  PHP: {
    expired: [
      'Nag-expire na ang link',
      'Isang beses lang itong magagamit, sa loob ng 60 segundo. Bumalik sa site at buksan muli ang laro.',
    ],
    refused: 'Hindi ka makakapasok sa laro ngayon',
    locked: 'Hindi mo magagamit ang laro sa ngayon. Makipag-ugnayan sa site.',
    suspended: 'Hindi magagamit ang laro sa ngayon. Makipag-ugnayan sa site.',
    full: 'Naabot na ang maximum na bilang ng manlalaro. Subukan muli mamaya.',
  },
}

/** Returns the page for a link that was used or has expired. */
export function expiredPage(language: Language): string {
  const [title, text] = texts[language].expired
  return errorPage(language, title, text)
}

/** Returns the page for a player who may not enter. */
export function refusedEntryPage(reason: EntryRefusal, language: Language): string {
  return errorPage(language, texts[language].refused, texts[language][reason])
}

type EndReason = NonNullable<SessionRow['end_reason']>

/** Returns the page for an ended session. */
export function signedOutPage(reason: EndReason, language: Language): string {
  const { endedTitle, ended } = gameStrings[language]
  return errorPage(language, endedTitle, ended[reason] ?? '', reason)
}

function errorPage(language: Language, title: string, text: string, reason: string | null = null): string {
  return page(
    title,
    html`<h1>${title}</h1><p${reason !== null && html` data-reason="${reason}"`}>${text}</p>`,
    tags[language],
  )
}
