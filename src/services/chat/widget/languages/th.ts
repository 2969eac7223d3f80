import type { Words } from '../messages.ts'

export const words: Words = {
  title: 'แชทกับเรา',
  close: 'ปิด',
  hint: 'พิมพ์ข้อความ',
  send: 'ส่ง',
  attach: 'แนบไฟล์',
  connecting: 'กำลังเชื่อมต่อ…',
  offline: 'คุณออฟไลน์ ข้อความจะถูกส่งเมื่อกลับมาออนไลน์',
  notSent: 'ส่งไม่สำเร็จ ลองอีกครั้ง',
  sending: 'กำลังส่ง…',
  notUploaded: 'ส่งไฟล์ไม่ได้',
  earlier: 'ข้อความก่อนหน้า',
  you: 'คุณ',
  support: 'ฝ่ายบริการ',
  closed: 'การสนทนาสิ้นสุดแล้ว ส่งข้อความเพื่อเปิดอีกครั้ง',
  uploading: 'กำลังอัปโหลด',
  updated: 'คำขอของคุณได้รับการอัปเดต',
  writing: '% กำลังพิมพ์…',
  newMessage: 'ข้อความใหม่',
  notIdentified: 'ยืนยันการเข้าสู่ระบบไม่ได้ โปรดโหลดหน้านี้ใหม่',
}
