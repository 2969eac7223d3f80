import type { Words } from '../messages.ts'

export const words: Words = {
  title: 'Chat with us',
  close: 'Close',
  hint: 'Write a message',
  send: 'Send',
  attach: 'Attach a file',
  connecting: 'Connecting…',
  offline: 'You are offline. Messages will be sent when you are back online.',
  notSent: 'Not sent. Try again',
  sending: 'Sending…',
  notUploaded: 'The file could not be sent',
  earlier: 'Earlier messages',
  you: 'You',
  support: 'Support',
  closed: 'This conversation is closed. Send a message to reopen it.',
  uploading: 'Uploading',
  updated: 'Your request was updated',
  writing: '% is writing…',
  newMessage: 'New message',
  notIdentified: 'We could not confirm your sign-in. Reload the page to chat.',
}
