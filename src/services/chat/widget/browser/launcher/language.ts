import type { Language } from '../context.ts'

/** The name of a launcher without a label. */
export const chat: Readonly<Record<Language, string>> = {
  'zh-hans': '聊天',
  'zh-hant': '聊天',
  ja: 'チャット',
  ko: '채팅',
  th: 'แชท',
  vi: 'Trò chuyện',
  ar: 'الدردشة',
  en: 'Chat',
}

/** Text after the number of unread messages. */
export const unreadMessages: Readonly<Record<Language, string>> = {
  'zh-hans': '条未读消息',
  'zh-hant': '則未讀訊息',
  ja: '件の未読メッセージ',
  ko: '개의 읽지 않은 메시지',
  th: 'ข้อความที่ยังไม่ได้อ่าน',
  vi: 'tin nhắn chưa đọc',
  ar: 'رسائل غير مقروءة',
  en: 'unread messages',
}

/** Text of the launcher when the conversation could not be loaded. */
export const offline: Readonly<Record<Language, string>> = {
  'zh-hans': '离线',
  'zh-hant': '離線',
  ja: 'オフライン',
  ko: '오프라인',
  th: 'ออฟไลน์',
  vi: 'Ngoại tuyến',
  ar: 'غير متصل',
  en: 'Offline',
}

/** The page's language tag. Pages write what is no tag, such as en_US; what cannot be read as one is passed over. */
export function browserLanguage(): string {
  for (const tag of [document.documentElement.lang, navigator.language])
    try {
      return new Intl.Locale(tag.replaceAll('_', '-')).baseName
    } catch {}
  return 'en'
}

/** The language in which the widget speaks on this page. */
export function language(): Language {
  const { language, script } = new Intl.Locale(browserLanguage()).maximize()
  const code = (language === 'zh' ? `zh-${script}` : language).toLowerCase() as Language
  return chat[code] ? code : 'en'
}
