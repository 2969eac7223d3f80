import type { Words } from '../messages.ts'

export const words: Words = {
  title: 'Trò chuyện',
  close: 'Đóng',
  hint: 'Nhập tin nhắn',
  send: 'Gửi',
  attach: 'Đính kèm tệp',
  connecting: 'Đang kết nối…',
  offline: 'Bạn đang ngoại tuyến. Tin nhắn sẽ được gửi khi có mạng.',
  notSent: 'Chưa gửi. Thử lại',
  sending: 'Đang gửi…',
  notUploaded: 'Không gửi được tệp',
  earlier: 'Tin nhắn trước',
  you: 'Bạn',
  support: 'Hỗ trợ',
  closed: 'Cuộc trò chuyện đã đóng. Gửi tin để mở lại.',
  uploading: 'Đang tải lên',
  updated: 'Yêu cầu của bạn đã được cập nhật',
  writing: '% đang nhập…',
  newMessage: 'Tin nhắn mới',
  notIdentified: 'Không xác nhận được đăng nhập. Hãy tải lại trang.',
}
