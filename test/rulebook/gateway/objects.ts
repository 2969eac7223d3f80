/** Objects on the wire. Source: 2-payment-gateway-api, "Resources and their fields", and gateway compatibility, sections 5 to 10. */

/** "Payment": the fields of the create response that the document lists, with types. */
export const createdPayment = {
  payment_id: 'integer',
  payment_status: 'string',
  pay_address: 'string',
  price_amount: 'number',
  price_currency: 'string',
  pay_amount: 'number',
  pay_currency: 'string',
  order_id: 'string',
  order_description: 'string',
  network: 'string',
  expiration_estimate_date: 'iso',
  gw_payment_url: 'string',
} as const

/** "Payment": the fields of the IPN body, which is the status lookup. */
export const ipnFields = [
  ...[
    'actually_paid',
    'actually_paid_at_fiat',
    'invoice_id',
    'order_description',
    'order_id',
    'outcome_amount',
    'outcome_currency',
  ],
  ...['parent_payment_id', 'pay_address', 'pay_amount', 'pay_currency', 'payment_id', 'payment_status', 'price_amount'],
  ...['price_currency', 'purchase_id', 'updated_at'],
] as const

/** "Invoice": the fields of the create response. */
export const invoice = {
  id: 'digits',
  order_id: 'string',
  price_amount: 'decimal text',
  price_currency: 'string',
  pay_currency: 'string or null',
  invoice_url: 'string',
  success_url: 'string',
  cancel_url: 'string',
  created_at: 'iso',
} as const

/** Compatibility, section 1, 9: 201 for these, 200 for every other success. */
export const created = ['POST /payment', 'POST /invoice', 'POST /invoice-payment'] as const

/** Compatibility, section 7: a payout item. */
export const payoutItem = [
  ...[
    'is_request_payouts',
    'id',
    'address',
    'currency',
    'amount',
    'batch_withdrawal_id',
    'status',
    'error',
    'extra_id',
    'hash',
  ],
  ...['ipn_callback_url', 'payout_description', 'unique_external_id', 'created_at', 'requested_at', 'updated_at'],
] as const

/** Compatibility, sections 8 to 10. */
export const conversion = [
  'id',
  'status',
  'from_currency',
  'to_currency',
  'from_amount',
  'to_amount',
  'created_at',
  'updated_at',
] as const
export const subAccount = ['id', 'name', 'created_at', 'updated_at'] as const
export const subTransfer = [
  'id',
  'from_sub_id',
  'to_sub_id',
  'status',
  'created_at',
  'updated_at',
  'amount',
  'currency',
] as const
export const plan = [
  'id',
  'title',
  'interval_day',
  'ipn_callback_url',
  'success_url',
  'cancel_url',
  'partially_paid_url',
  'amount',
  'currency',
  'created_at',
  'updated_at',
] as const
export const subscription = [
  'id',
  'subscription_plan_id',
  'is_active',
  'status',
  'expire_date',
  'subscriber',
  'created_at',
  'updated_at',
] as const

/** Compatibility, section 5: the payment list, its page size and its sort fields. */
export const paymentList = {
  fields: ['data', 'limit', 'page', 'pagesCount', 'total'],
  limit: { least: 1, most: 500 },
  sortBy: [
    ...[
      'created_at',
      'payment_id',
      'payment_status',
      'pay_address',
      'price_amount',
      'price_currency',
      'pay_amount',
      'actually_paid',
    ],
    ...[
      'pay_currency',
      'order_id',
      'order_description',
      'purchase_id',
      'outcome_amount',
      'outcome_currency',
      'updated_at',
    ],
  ],
  orderBy: ['asc', 'desc'],
} as const

/** Compatibility, section 9: a sub-account's name is at most 30 characters, unique, and no email. */
export const subAccountName = { longest: 30 } as const

/**
 * "Events" and compatibility, section 11: callbacks by the field that identifies their kind, with the fields of each;
 * `path` is that of the look-up of the same object. A subscription's is flat, so its subscriber is next to the other
 * fields.
 */
export const callbacks = [
  { kind: 'payment', by: 'payment_id', fields: ipnFields, path: '/payment/' },
  {
    kind: 'payout',
    by: 'batch_withdrawal_id',
    fields: [
      ...['id', 'batch_withdrawal_id', 'status', 'error', 'currency', 'amount', 'address', 'fee', 'extra_id', 'hash'],
      ...['ipn_callback_url', 'created_at', 'requested_at', 'updated_at'],
    ],
    path: '/payout/',
  },
  { kind: 'conversion', by: 'from_currency', fields: conversion, path: '/conversion/' },
  { kind: 'transfer', by: 'from_sub_id', fields: subTransfer, path: '/sub-partner/transfer/' },
  {
    kind: 'subscription',
    by: 'subscription_plan_id',
    fields: ['id', 'status', 'currency', 'amount', 'ipn_callback_url', 'created_at', 'updated_at', 'sub_partner_id'],
    path: null,
  },
] as const
