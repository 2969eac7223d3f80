import type { Environment } from '../../../domain/account/state.ts'
import type { Prompts } from '../../terminal/prompts.ts'

/**
 * Asks for what a profile needs and gives it as a document of the ready file's form, so that what is typed goes
 * through the same rules as what is read. Each service may be left out.
 */
export async function askProfile(prompts: Prompts, environment: Environment): Promise<Record<string, unknown>> {
  const flag = '--from FILE|-'
  const text = (message: string, usual?: string) =>
    prompts.text({ message, flag, ...(usual === undefined ? {} : { default: usual }) })
  const secret = (message: string) => prompts.secret({ message, flag })
  const document: Record<string, unknown> = {}

  if (await prompts.confirm({ message: 'Casino platform?', flag })) {
    const baseUrl = await text('Its base URL:')
    const place = { companyCode: await text('Company code:'), timezone: await text('Time zone:', 'Asia/Taipei') }
    const keys = { apiKey: await secret('API key:'), secret: await secret('Secret:') }
    document['casino'] = { baseUrl, ...place, [environment]: keys }
  }
  if (await prompts.confirm({ message: 'Payment gateway?', flag })) {
    const address = environment === 'live' ? 'baseUrl' : 'sandboxBaseUrl'
    const baseUrl = await text('Its base URL:')
    const keys = { apiKey: await secret('API key:'), ipnSecret: await secret('Callback (IPN) secret:') }
    document['gateway'] = { [address]: baseUrl, [environment === 'live' ? 'production' : 'sandbox']: keys }
  }
  if (await prompts.confirm({ message: 'Customer chat?', flag })) {
    document['chat'] = { baseUrl: await text('Its base URL:'), apiKey: await secret('API key:') }
  }
  return document
}
