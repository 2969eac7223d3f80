import { testGuide } from '../support/program/guide.ts'

testGuide('docs/payments.md', {
  values: async ({ gateway }) => ({ TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa: gateway.sandbox.whitelisted.usdttrc20 }),
  captures: {
    '5000000191': /^payout +batch .*\n\d+ +(\d+) /m,
    '5000000201': /^payment +(\d+)\n.*\nprice +40$/m,
    '5000000202': /^payment +(\d+)\n.*\nprice +60$/m,
  },
})
