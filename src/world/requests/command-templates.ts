/** The countroom commands that send the requests of the services, with where each field goes. */

/** A field that sets a flag without a value: present for `on`, absent for `off`. */
interface Switch {
  readonly field: string
  readonly on: string
  readonly off?: string
  /** Value that the service uses if the request has none. */
  readonly absent?: string
}

/** Words and flags of a command that sends the request of an endpoint. */
export interface CommandTemplate {
  readonly words: string
  /** Fields that are arguments, in their order. */
  readonly args?: readonly string[]
  /** Field that is a further argument if it is given. */
  readonly optionalArg?: string
  /** Fields that are values of flags, by flag. */
  readonly flags?: Readonly<Record<string, string>>
  /** Flags without a value. */
  readonly switches?: Readonly<Record<string, Switch>>
  /** Flags that the command needs if any of these fields is given. */
  readonly needs?: Readonly<Record<string, readonly string[]>>
  /** Fields of an object that are values `NAME=VALUE` of a flag, by flag. */
  readonly pairs?: Readonly<Record<string, string>>
  /** Words for null, by field; a flag without a value is written `--flag`. */
  readonly nulls?: Readonly<Record<string, string>>
  /** Values that the command always sends, with those that the service uses where the request has none. */
  readonly sends?: Readonly<Record<string, { readonly value: string; readonly absent?: string }>>
  /** Field with the number of results of a list, and the service's default. */
  readonly limit?: { readonly field: string; readonly absent: number; readonly most?: number }
  /** Fields that the command fills in by itself, such as a one-time code. */
  readonly own?: readonly string[]
  /** Texts that the command reads in another way: from a file, from stdin, as a macro. */
  readonly notLiteral?: Readonly<Record<string, RegExp>>
}

/** Name of the header with the idempotency key among the values of a request. */
export const keyHeader = 'idempotency-key'

const key = { key: keyHeader }
const onOff = (field: string): Switch => ({ field, on: 'true', off: 'false', absent: 'false' })
const rateFlags = { 'fixed-rate': onOff('is_fixed_rate'), 'fee-by-user': onOff('is_fee_paid_by_user') }
const firstPage = { page: { value: '0', absent: '0' } }
const noOffset = { offset: { value: '0', absent: '0' } }
const limit = { field: 'limit', absent: 10, most: 500 }
const ascending = (field: string) => ({ asc: { field, on: 'asc', off: 'desc', absent: 'asc' } })
const planFlags = {
  callback: 'ipn_callback_url',
  success: 'success_url',
  cancel: 'cancel_url',
  'partly-paid': 'partially_paid_url',
}
const room = 'roomId'
const ticket = 'ticketId'
/** Texts of tickets: `@` names a macro, `-` is stdin. */
const macros = /^@|^-$/
const stdin = /^-$/

const transfer = { args: ['username', 'amount', 'currency'], flags: { txn: 'txnId' } }

const casino: Readonly<Record<string, CommandTemplate>> = {
  launch: {
    words: 'launch',
    args: ['username'],
    flags: {
      ...{ table: 'table', lang: 'lang', device: 'device', variant: 'variant', 'lobby-url': 'lobbyUrl' },
      ...{ 'limit-profile': 'limitProfileId', currency: 'currency', nickname: 'nickname' },
    },
    needs: { create: ['currency', 'nickname'] },
    nulls: { limitProfileId: 'default' },
  },
  logout: { words: 'players kick', args: ['username'] },
  player: { words: 'players show', args: ['username'] },
  updatePlayer: {
    words: 'players update',
    args: ['username'],
    flags: { status: 'status', nickname: 'nickname', 'limit-profile': 'limitProfileId' },
    nulls: { nickname: '--clear-nickname', limitProfileId: 'default' },
  },
  deposit: { words: 'wallet deposit', ...transfer },
  withdraw: { words: 'wallet withdraw', ...transfer },
  transfer: { words: 'wallet transfer', args: ['txnId'], flags: { user: 'username' } },
  balance: { words: 'wallet balance', args: ['username'] },
  summary: { words: 'summary show', args: ['date'] },
  round: { words: 'rounds show', args: ['roundId'] },
  tables: { words: 'tables list' },
  enableTable: { words: 'tables enable', args: ['tableId'] },
  disableTable: { words: 'tables disable', args: ['tableId'] },
  account: { words: 'account show' },
  usage: { words: 'account usage', flags: { from: 'from', to: 'to' } },
  statements: { words: 'statements list' },
}

const gateway: Readonly<Record<string, CommandTemplate>> = {
  fullCurrencies: { words: 'coins list' },
  merchantCoins: { words: 'coins list' },
  currency: { words: 'coins show', args: ['code'] },
  balance: { words: 'coins balance' },
  estimate: { words: 'payments estimate', args: ['amount', 'currency_from', 'currency_to'] },
  minAmount: {
    words: 'payments minimum',
    args: ['currency_from'],
    flags: { to: 'currency_to', fiat: 'fiat_equivalent' },
  },
  createPayment: {
    words: 'payments create',
    args: ['price_amount', 'price_currency', 'pay_currency'],
    flags: {
      ...{ order: 'order_id', description: 'order_description', callback: 'ipn_callback_url' },
      ...{ 'outcome-currency': 'payout_currency', email: 'customer_email', case: 'case', ...key },
    },
    switches: rateFlags,
  },
  payments: {
    words: 'payments list',
    flags: {
      ...{ status: 'status', order: 'orderId', from: 'dateFrom', to: 'dateTo', invoice: 'invoiceId', sort: 'sortBy' },
    },
    switches: ascending('orderBy'),
    sends: firstPage,
    limit,
  },
  payment: { words: 'payments show', args: ['payment_id'] },
  updateEstimate: { words: 'payments requote', args: ['payment_id'] },
  createInvoice: {
    words: 'invoices create',
    args: ['price_amount', 'price_currency'],
    flags: {
      ...{ coin: 'pay_currency', order: 'order_id', description: 'order_description', callback: 'ipn_callback_url' },
      ...{ success: 'success_url', cancel: 'cancel_url', 'partly-paid': 'partially_paid_url' },
      ...{ email: 'customer_email', ...key },
    },
    switches: rateFlags,
  },
  invoices: {
    words: 'invoices list',
    flags: { order: 'orderId', from: 'dateFrom', to: 'dateTo' },
    switches: ascending('orderBy'),
    sends: firstPage,
    limit,
  },
  invoice: { words: 'invoices show', args: ['id'] },
  createInvoicePayment: {
    words: 'invoices pay',
    args: ['iid', 'pay_currency'],
    flags: { description: 'order_description', email: 'customer_email', ...key },
  },
  validateAddress: { words: 'payouts check', args: ['address', 'currency'] },
  createPayouts: {
    words: 'payouts create',
    args: ['withdrawals.address', 'withdrawals.amount', 'withdrawals.currency'],
    flags: {
      ...{ description: 'payout_description', 'external-id': 'withdrawals.unique_external_id' },
      ...{ 'execute-at': 'execute_at', callback: 'ipn_callback_url', ...key },
    },
  },
  verifyPayouts: { words: 'payouts verify', args: ['id'], own: ['verification_code'] },
  payout: { words: 'payouts show', args: ['id'] },
  payouts: {
    words: 'payouts list',
    flags: { batch: 'batch_id', status: 'status', from: 'date_from', to: 'date_to' },
    switches: ascending('order'),
    sends: { ...firstPage, order_by: { value: 'dateCreated', absent: 'dateCreated' } },
    limit,
  },
  payoutFee: { words: 'payouts fee', args: ['amount', 'currency'] },
  cancelPayout: { words: 'payouts cancel', args: ['id'] },
  cancelBatch: { words: 'payouts cancel', args: ['id'] },
  createConversion: { words: 'conversions create', args: ['amount', 'from_currency', 'to_currency'], flags: key },
  conversion: { words: 'conversions show', args: ['id'] },
  conversions: {
    words: 'conversions list',
    flags: {
      ...{ 'from-currency': 'from_currency', 'to-currency': 'to_currency' },
      ...{ from: 'created_at_from', to: 'created_at_to' },
    },
    switches: ascending('order'),
    sends: noOffset,
    limit,
  },
  createSubaccount: { words: 'subaccounts create', args: ['name'], flags: key },
  subBalance: { words: 'subaccounts balance', args: ['id'] },
  subaccounts: {
    words: 'subaccounts list',
    switches: { desc: { field: 'order', on: 'desc', off: 'asc', absent: 'asc' } },
    sends: noOffset,
    limit,
  },
  subTransfers: { words: 'subaccounts transfers', switches: ascending('order'), sends: noOffset, limit },
  subTransfer: { words: 'subaccounts transfers', args: ['id'] },
  createSubTransfer: {
    words: 'subaccounts transfer',
    args: ['from_id', 'to_id', 'amount', 'currency'],
    flags: key,
  },
  depositToSub: { words: 'subaccounts deposit', args: ['sub_partner_id', 'amount', 'currency'], flags: key },
  writeOffSub: { words: 'subaccounts withdraw', args: ['sub_partner_id', 'amount', 'currency'], flags: key },
  createSubPayment: {
    words: 'subaccounts pay',
    args: ['sub_partner_id', 'amount', 'currency'],
    flags: { callback: 'ipn_callback_url', ...key },
    switches: rateFlags,
  },
  subPayments: {
    words: 'subaccounts payments',
    optionalArg: 'sub_partner_id',
    flags: { status: 'status' },
    sends: { ...firstPage, orderBy: { value: 'desc', absent: 'asc' } },
    limit,
  },
  createPlan: {
    words: 'subscriptions plans create',
    args: ['title', 'amount', 'currency'],
    flags: { days: 'interval_day', ...planFlags, ...key },
  },
  updatePlan: {
    words: 'subscriptions plans update',
    args: ['id'],
    flags: { title: 'title', amount: 'amount', currency: 'currency', days: 'interval_day', ...planFlags },
  },
  plan: { words: 'subscriptions plans show', args: ['id'] },
  plans: { words: 'subscriptions plans list', sends: noOffset, limit },
  createSubscription: {
    words: 'subscriptions create',
    args: ['subscription_plan_id'],
    flags: { subaccount: 'sub_partner_id', email: 'email', ...key },
  },
  subscriptions: {
    words: 'subscriptions list',
    flags: { plan: 'subscription_plan_id', status: 'status' },
    sends: noOffset,
    limit,
  },
  subscription: { words: 'subscriptions show', args: ['id'] },
  cancelSubscription: { words: 'subscriptions cancel', args: ['id'] },
}

const chat: Readonly<Record<string, CommandTemplate>> = {
  openRoom: {
    words: 'rooms open',
    args: ['customerAccount'],
    flags: {
      ...{ name: 'customerDisplayName', language: 'customerLanguage', channel: 'channel' },
      ...{ inbox: 'inboxCategoryCode', message: 'initialMessage' },
    },
  },
  sendCustomerText: { words: 'rooms say', args: [room, 'text'], flags: { 'client-id': 'clientMessageId' } },
  messages: { words: 'rooms messages', args: [room], flags: { page: 'page' } },
  tickets: {
    words: 'tickets list',
    flags: { status: 'status', form: 'formCode', account: 'customerAccount', keyword: 'keyword' },
    sends: { page: { value: '1', absent: '1' } },
    limit: { field: 'pageSize', absent: 20, most: 100 },
  },
  ticket: { words: 'tickets show', args: [ticket] },
  createTicket: {
    words: 'tickets create',
    args: ['title'],
    flags: {
      ...{ description: 'description', form: 'formCode', account: 'customerAccount', name: 'customerDisplayName' },
      ...{ language: 'customerLanguage', priority: 'priority', ...key },
    },
    pairs: { field: 'fieldValues' },
    notLiteral: { description: stdin },
  },
  comment: {
    words: 'tickets comment',
    args: [ticket, 'content'],
    flags: { author: 'authorDisplayName', key: 'clientCommentId' },
    switches: { public: { field: 'visibility', on: 'public', off: 'internal', absent: 'internal' } },
    notLiteral: { content: macros },
  },
  setStatus: {
    words: 'tickets status',
    args: [ticket, 'status'],
    flags: { actor: 'actorDisplayName', comment: 'comment.content' },
    switches: { public: { field: 'comment.visibility', on: 'public', off: 'internal', absent: 'internal' } },
    own: ['expectedVersion', 'comment.clientCommentId'],
    notLiteral: { 'comment.content': macros },
  },
  forms: { words: 'forms list' },
}

/** The agents' API. Ticket commands use the other API, so its ticket endpoints have no command here. */
const agent: Readonly<Record<string, CommandTemplate>> = {
  rooms: {
    words: 'rooms list',
    flags: { status: 'status', assignee: 'assignee', inbox: 'inboxCategoryCode', keyword: 'keyword' },
    switches: { unread: onOff('unread') },
    sends: { page: { value: '1', absent: '1' } },
    limit: { field: 'pageSize', absent: 20, most: 100 },
  },
  room: { words: 'rooms show', args: [room] },
  reply: {
    words: 'rooms reply',
    args: [room, 'text'],
    flags: { 'client-id': 'clientMessageId', 'after-seq': 'expectedLastSeq' },
  },
  read: { words: 'rooms read', args: [room], flags: { seq: 'seq' } },
  unread: { words: 'rooms read', args: [room], flags: { 'unread-from': 'seq' } },
  assign: { words: 'rooms assign', args: [room, 'agentId'], nulls: { agentId: 'none' }, own: ['expectedAssignee'] },
  close: { words: 'rooms close', args: [room] },
  reopen: { words: 'rooms close --reopen', args: [room] },
}

/** Forms by API and endpoint. */
export const commandTemplates: Readonly<Record<string, Readonly<Record<string, CommandTemplate>>>> = {
  casino,
  gateway,
  chat,
  agent,
}

/** Commands that are near to a request that none sends. */
export const nearCommands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  casino: { bets: '"countroom bets sync" reads the bets page by page, from its own cursor' },
  chat: { form: '"countroom forms show" reads GET /forms' },
  gateway: {
    auth: 'Commands log in by themselves',
    currencies: '"countroom coins list" reads GET /full-currencies',
    payoutMinimum: '"countroom payouts fee AMOUNT COIN" reads it together with the fee',
  },
  agent: {
    messages: '"countroom rooms show" reads the last messages',
    tickets: '"countroom tickets list" uses the public API',
    ticket: '"countroom tickets show" uses the public API',
    createTicket: '"countroom tickets create" uses the public API',
    comment: '"countroom tickets comment" uses the public API',
    setStatus: '"countroom tickets status" uses the public API',
    forms: '"countroom forms list" uses the public API',
    form: '"countroom forms show" uses the public API',
    changeTicket: '"countroom tickets bulk --filter …" sets the assignee, the priority and the snooze time',
  },
}
