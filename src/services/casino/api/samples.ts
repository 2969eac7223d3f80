import { type ApiSamples, fromResponse, unique } from '../../../http/docs/samples/sample.ts'
import { signatureVectors } from './signature-vectors.ts'

const amy = { username: 'amy' } as const
const transfer = { ...amy, amount: '10.00', currency: 'USD' } as const
const transferred = fromResponse('deposit', ['txnId'], 'deposit-7f3a9c21')

/** Code samples of the tenant API. They run in a new demo world. */
export const casinoSamples: ApiSamples = {
  environment: {
    BASE_URL: 'Scheme, host and port of the platform.',
    API_KEY: 'Key ID of the live or the sandbox tenant.',
    SECRET: 'Secret of the key.',
  },
  readyFile: { BASE_URL: 'baseUrl', API_KEY: 'casino.live.apiKey', SECRET: 'casino.live.secret' },
  envelope: 'data',
  endpoints: {
    launch: { body: { ...amy, lang: 'ENG', table: 'BAC-01' } },
    logout: { body: amy },
    player: { query: amy },
    updatePlayer: { body: { ...amy, nickname: 'Amy', status: 'active' } },
    deposit: { body: { ...transfer, txnId: unique('deposit') } },
    withdraw: { body: { ...transfer, txnId: unique('withdrawal') } },
    transfer: {
      first: [{ call: 'deposit', as: 'deposit', body: { ...transfer, txnId: unique('deposit') } }],
      query: { txnId: transferred },
    },
    balance: { query: amy },
    bets: { query: { limit: 100 } },
    summary: { query: { date: '2026-03-01' } },
    round: {
      first: [
        { call: 'bets', as: 'bets', query: { limit: 1 } },
        { unlessEmpty: 'bets', list: 'items', message: 'No bet has been settled yet, so there is no round to show.' },
      ],
      params: { roundId: fromResponse('bets', ['items', 0, 'roundId'], '01J8Z3V5Q8T9X0Y1Z2A3B4C5D6') },
    },
    tables: {},
    enableTable: { body: { tableId: 'DT-02' } },
    disableTable: { body: { tableId: 'DT-02' } },
    account: {},
    usage: { query: { from: '2026-03-01', to: '2026-03-31' } },
    statements: {},
  },
  fields: {
    username: 'amy',
    nickname: 'Amy',
    currency: 'USD',
    txnId: 'deposit-7f3a9c21',
    lang: 'ENG',
    device: 'mobile',
    url: 'https://play.example.com/Launch?t=5fK2mQ8sVx1LrT0bNcWd',
    expiresIn: 60,
    tableId: 'BAC-01',
    table: 'BAC-01',
    variants: ['classic', 'nocomm'],
    variant: 'classic',
    name: { ENG: 'Baccarat 1' },
    betSeconds: 20,
    roundId: '01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    slipId: '01J8Z3V7C4R2M9K6H3F1E0D8B5',
    shoe: '01J8Z3TZ0W6V4T2R8Q5P3N1M7K',
    round: 12,
    rev: 1,
    recSeq: 1042,
    zone: 'B',
    code: 'QD3D4C3SAH--',
    cardInfo: 'QD3D4C3SAH--',
    nextCursor: '202603.1043',
    hasMore: false,
    companyCode: 'DEMO',
    timezone: 'Asia/Taipei',
  },
  vectors: signatureVectors,
}
