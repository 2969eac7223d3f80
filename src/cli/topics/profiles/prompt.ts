import type { Environment } from '../../../domain/account/state.ts'
import type { Prompts } from '../../terminal/prompts.ts'

/**
 * Asks for the fields of a profile and returns them in the form of the ready file, so that typed values pass the same
 * validation as a file. Each service can be skipped.
 */
export async function askProfile(prompts: Prompts, environment: Environment): Promise<Record<string, unknown>> {
  const flag = '--from ready.json'
  const text = (message: string, defaultValue?: string) =>
    prompts.text({ message, flag, ...(defaultValue === undefined ? {} : { default: defaultValue }) })
  const secret = (message: string) => prompts.secret({ message, flag })
  const document: Record<string, unknown> = {}

  if (await prompts.confirm({ message: 'Add the casino platform?', flag })) {
    const baseUrl = await text('Base URL:')
    const tenant = { companyCode: await text('Company code:'), timezone: await text('Time zone:', 'Asia/Taipei') }
    const keys = { apiKey: await secret('API key:'), secret: await secret('Secret:') }
    document['casino'] = { baseUrl, ...tenant, [environment]: keys }
  }
  if (await prompts.confirm({ message: 'Add the payment gateway?', flag })) {
    const address = environment === 'live' ? 'baseUrl' : 'sandboxBaseUrl'
    const baseUrl = await text('Base URL:')
    const keys = { apiKey: await secret('API key:'), ipnSecret: await secret('IPN secret:') }
    document['gateway'] = { [address]: baseUrl, [environment === 'live' ? 'production' : 'sandbox']: keys }
  }
  if (await prompts.confirm({ message: 'Add the customer chat?', flag })) {
    document['chat'] = { baseUrl: await text('Base URL:'), apiKey: await secret('API key:') }
  }
  return document
}
