import type { Words } from '../messages.ts'

export const words: Words = {
  title: 'تحدث معنا',
  close: 'إغلاق',
  hint: 'اكتب رسالة',
  send: 'إرسال',
  attach: 'إرفاق ملف',
  connecting: 'جارٍ الاتصال…',
  offline: 'أنت غير متصل. ستُرسل الرسائل عند عودة الاتصال.',
  notSent: 'لم تُرسل. أعد المحاولة',
  sending: 'جارٍ الإرسال…',
  notUploaded: 'تعذر إرسال الملف',
  earlier: 'رسائل أقدم',
  you: 'أنت',
  support: 'الدعم',
  closed: 'انتهت المحادثة. اكتب لفتحها من جديد.',
  uploading: 'جارٍ الرفع',
  updated: 'تم تحديث طلبك',
  writing: '% يكتب…',
  newMessage: 'رسالة جديدة',
  notIdentified: 'تعذر تأكيد تسجيل دخولك. أعد تحميل الصفحة.',
}
