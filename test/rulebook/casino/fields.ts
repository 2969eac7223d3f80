/** Shared types, enumerations and record fields. Source: 1-tenant-api, "Resources and their fields". */

const long = (count: number, of = 'a') => of.repeat(count)

/** "Shared types": texts that each pattern accepts and refuses, at its limits. */
export const patterns = {
  username: {
    accepts: ['a', 'Z', '0', '_', '.', '@', '-', 'a.b_c@d-e', long(31), long(32), '@'.repeat(32)],
    refuses: ['', long(33), 'a b', ' a', 'a ', 'a\n', 'é', 'a:b', 'a/b', 'a+b', 'a,b', '全', 'a\u0000', 'a|b'],
  },
  txnId: {
    accepts: ['t', 'A', '9', '_', '.', ':', '-', 'a.b_c:d-e', long(63), long(64), ':'.repeat(64)],
    refuses: ['', long(65), 't 1', ' t', 't ', 't\n', 't@1', 't/1', 't+1', 'é', '全', 't\u0000'],
  },
  positiveAmount: {
    accepts: [
      '1',
      '0.0001',
      '0.1',
      '01',
      '1.0',
      '1.0000',
      '123456789012345',
      '999999999999999.9999',
      '000000000000001',
    ],
    refuses: [
      ...[
        '0',
        '0.0',
        '0.0000',
        '-1',
        '-0.0001',
        '+1',
        '',
        ' ',
        ' 1',
        '1 ',
        '1\n',
        '.5',
        '5.',
        '1.00001',
        '0.00001',
        '1,5',
        '1,000',
      ],
      ...['1e3', '1E3', '0x10', 'Infinity', 'NaN', '1234567890123456', '0000000000000001', '1.2.3', '１'],
    ],
  },
  currency: {
    accepts: ['USD', 'usd', 'UsD', 'USDT', 'usdt', 'ABCDE'],
    refuses: ['', 'US', 'ABCDEF', 'U5D', 'US-', ' USD', 'USD ', 'USD\n', 'ＵＳＤ'],
  },
  date: {
    accepts: ['2026-03-10', '2026-02-28', '2024-02-29', '2026-12-31', '2026-01-01'],
    refuses: [
      '',
      '2026-3-10',
      '2026-03-1',
      '26-03-10',
      '2026/03/10',
      '20260310',
      '2026-03-10T00:00:00Z',
      ' 2026-03-10',
      '2026-03-10 ',
    ],
    unreal: ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-04-31', '2026-03-00', '2026-03-32'],
  },
  cursor: {
    accepts: ['202603.0', '202603.1', '202603.99'],
    refuses: [
      '',
      '202603',
      '202603.',
      '.1',
      '20260.1',
      '2026031.1',
      '202603.a',
      '202603.-1',
      '202603,1',
      ' 202603.1',
      '202603.1 ',
      '202613.1',
      '202600.1',
    ],
  },
  roundId: {
    accepts: ['0'.repeat(26), 'Z'.repeat(26), '01JZZZZZZZZZZZZZZZZZZZZZZZ'],
    refuses: [
      '0'.repeat(25),
      '0'.repeat(27),
      'z'.repeat(26),
      '01jzzzzzzzzzzzzzzzzzzzzzzz',
      '01JZZZZZZZZZZZZZZZZZZZZZZ-',
      '01JZZZZZZZZZZZZZZZZZZZZZZ.',
    ],
  },
  timestamp: {
    accepts: ['9 to 11 digits'],
    refuses: [
      '',
      '1',
      '12345678',
      '123456789012',
      '-1773144000',
      '+1773144000',
      '1773144000.0',
      ' 1773144000',
      '1773144000 ',
      '0x69b00000',
      '1.7e9',
    ],
  },
  nonce: {
    accepts: [long(16), long(17), long(63), long(64), 'ABCDEFGHIJKLMNOP', '0123456789012345', 'aB3'.repeat(6)],
    refuses: [
      '',
      'a',
      long(15),
      long(65),
      `${long(15)}-`,
      `${long(15)}_`,
      `${long(15)} ${long(3)}`,
      `${long(15)}.`,
      `${long(15)}é`,
    ],
  },
} as const

/** "Shared types": the languages, in any case. */
export const languages = ['CHT', 'CHS', 'ENG', 'JPN', 'KOR', 'THAI', 'VIET', 'HIND', 'PHP'] as const
export const notLanguages = ['', 'EN', 'en-US', 'CH', 'THA', 'VIE', 'HIN', 'zh-TW', 'FRA', 'ENGL'] as const

export const games = ['baccarat', 'dragontiger', 'holdem', 'niuniu'] as const
export const playerStatuses = ['active', 'locked', 'no_bet'] as const
export const notPlayerStatuses = [
  '',
  'Active',
  'ACTIVE',
  'LOCKED',
  'no-bet',
  'nobet',
  'blocked',
  'banned',
  'closed',
] as const
export const tableStatuses = ['open', 'maintenance'] as const
export const roundStatuses = ['settled', 'void', 'disputed'] as const
export const slipStatuses = ['settled', 'recalculated', 'void'] as const
export const transferDirections = ['in', 'out', 'adjust'] as const
export const accountStates = ['FREE', 'PAID', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED'] as const
export const accountPlans = ['free', 'paid'] as const
export const streamSources = ['cdn', 'client', 'estimate'] as const

/** "Shared types", Variant values. */
export const variants = {
  baccarat: ['classic', 'nocomm'],
  holdem: ['casino', 'thbp', 'nlhe'],
  niuniu: ['standard'],
} as const

/** "Shared types", LimitProfileId: an integer from 1, or null. The profile must exist as well. */
export const limitProfileIds = { refuses: [0, -1, 1.5, '1', '', true, 999_999_999] } as const

/** Endpoints, player/update: password length 6 to 64. */
export const passwords = { accepts: [6, 7, 63, 64], refuses: [0, 5, 65] } as const

/** Endpoints, player/launch: `lobbyUrl` begins with http:// or https://. */
export const lobbyUrls = {
  accepts: ['https://casino.example/lobby', 'http://casino.example/'],
  refuses: [
    '',
    'casino.example',
    'ftp://casino.example',
    'javascript:alert(1)',
    '//casino.example',
    ' https://casino.example',
  ],
} as const

/** Endpoints, player/launch: the values of `device`; any other text means the desktop layout and is no error. */
export const devices = ['pc', 'mobile', 'tablet', ''] as const

/** "Launch result". */
export const launchResult = { fields: ['url', 'expiresIn'], path: '/Launch', parameter: 't', expiresIn: 60 } as const

/** The fields of each resource, in the document's order. */
export const fieldsOf = {
  player: ['username', 'nickname', 'status', 'currency', 'balance', 'online', 'createdAt', 'lastLoginAt'],
  transferResult: ['txnId', 'status', 'balance', 'duplicate'],
  transferRecord: ['txnId', 'username', 'dir', 'amount', 'status', 'balance', 'at'],
  balance: ['balance', 'currency'],
  table: ['tableId', 'game', 'variants', 'name', 'status', 'betSeconds', 'enabled'],
  round: [
    'roundId',
    'tableId',
    'shoe',
    'round',
    'status',
    'code',
    'cardInfo',
    'result',
    'complete',
    'rev',
    'openedAt',
    'settledAt',
  ],
  betRecord: [
    ...[
      'recSeq',
      'slipId',
      'rev',
      'status',
      'username',
      'currency',
      'tableId',
      'game',
      'variant',
      'roundId',
      'shoe',
      'round',
    ],
    ...['bets', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta', 'result', 'placedAt', 'settledAt'],
  ],
  betRecordOfNiuNiu: ['hold'],
  betRecordOfHoldem: ['rake', 'onsite', 'hand'],
  hand: ['handId', 'no', 'outcome', 'cards'],
  summaryItem: ['username', 'slips', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'],
  account: [
    'plan',
    'state',
    'balanceUsd',
    'tablesUsed',
    'tablesQuota',
    'streamGbMonth',
    'avgDailyUsd7d',
    'daysLeft',
    'graceUntil',
  ],
  usageDay: ['day', 'tableDays', 'streamGb', 'streamSource', 'tableFeeUsd', 'streamFeeUsd'],
  statement: ['period', 'openingUsd', 'chargesUsd', 'paymentsUsd', 'closingUsd'],
  bets: ['items', 'nextCursor', 'hasMore'],
  summary: ['date', 'timezone', 'players'],
  toggled: ['tableId', 'enabled', 'used', 'quota'],
} as const

/** "General rules" 5: key prefixes. */
export const keyPrefixes = { live: 'ek_l_', sandbox: 'ek_s_' } as const

/** "General rules" 4: times are UTC with milliseconds. */
export const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
