import type { Words } from '../messages.ts'

export const words: Words = {
  title: 'チャット',
  close: '閉じる',
  hint: 'メッセージを入力',
  send: '送信',
  attach: 'ファイルを添付',
  connecting: '接続中…',
  offline: 'オフラインです。復帰後に送信します。',
  notSent: '未送信。再試行',
  sending: '送信中…',
  notUploaded: 'ファイルを送信できません',
  earlier: '以前のメッセージ',
  you: 'あなた',
  support: 'サポート',
  closed: '会話は終了しました。送信すると再開します。',
  uploading: 'アップロード中',
  updated: 'お問い合わせが更新されました',
  writing: '%が入力中…',
  newMessage: '新着メッセージ',
  notIdentified: 'ログイン状態を確認できませんでした。ページを再読み込みしてください。',
}
