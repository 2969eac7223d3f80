import type { Words } from '../messages.ts'

export const words: Words = {
  title: '与我们聊天',
  close: '关闭',
  hint: '输入消息',
  send: '发送',
  attach: '添加文件',
  connecting: '正在连接…',
  offline: '您已离线，恢复连接后会自动发送消息。',
  notSent: '未发送，请重试',
  sending: '正在发送…',
  notUploaded: '无法发送文件',
  earlier: '更早的消息',
  you: '您',
  support: '客服',
  closed: '对话已结束，发送消息即可重新打开。',
  uploading: '正在上传',
  updated: '您的请求已更新',
  writing: '%正在输入…',
  newMessage: '新消息',
  notIdentified: '无法确认您的登录身份，请重新加载页面后再试。',
}
