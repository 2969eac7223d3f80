import type { Words } from '../messages.ts'

export const words: Words = {
  title: '채팅',
  close: '닫기',
  hint: '메시지 입력',
  send: '보내기',
  attach: '파일 첨부',
  connecting: '연결 중…',
  offline: '오프라인입니다. 연결되면 전송됩니다.',
  notSent: '전송 실패. 다시 시도',
  sending: '전송 중…',
  notUploaded: '파일을 보낼 수 없습니다',
  earlier: '이전 메시지',
  you: '나',
  support: '상담원',
  closed: '대화가 종료되었습니다. 메시지를 보내면 다시 열립니다.',
  uploading: '업로드 중',
  updated: '문의가 업데이트되었습니다',
  writing: '%님이 입력 중…',
  newMessage: '새 메시지',
  notIdentified: '로그인을 확인할 수 없습니다. 페이지를 새로고침해 주세요.',
}
