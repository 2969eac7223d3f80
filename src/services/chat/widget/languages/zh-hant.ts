import type { Words } from '../messages.ts'

export const words: Words = {
  title: '與我們聊天',
  close: '關閉',
  hint: '輸入訊息',
  send: '傳送',
  attach: '附加檔案',
  connecting: '連線中…',
  offline: '您已離線，恢復連線後會自動傳送訊息。',
  notSent: '未傳送，請重試',
  sending: '傳送中…',
  notUploaded: '無法傳送檔案',
  earlier: '較早的訊息',
  you: '您',
  support: '客服',
  closed: '對話已結束，傳送訊息即可重新開啟。',
  uploading: '上傳中',
  updated: '您的請求已更新',
  writing: '%正在輸入…',
  newMessage: '新訊息',
  notIdentified: '無法確認您的登入身分，請重新載入頁面後再試。',
}
