import type { SocialChannel } from '../context.ts'
import type { Core } from '../conversation/core.ts'

/** Creates the links to the merchant's other contact channels. */
export function socialLinks({ ctx }: Core): HTMLElement[] {
  const { socialChannels = [] } = ctx.config
  return socialChannels.slice(0, 10).map((each) => socialLink(ctx.make, each))
}

function socialLink(make: Core['ctx']['make'], { kind, label, url }: SocialChannel): HTMLElement {
  const sign = kind === 'email' ? '@' : kind === 'phone' ? '☎' : [...label][0] || ''
  // Mail and phone links must not open an empty tab.
  const target = /^http/.test(url) ? '_blank' : ''
  const icon = make('b', { ariaHidden: 'true', textContent: sign })
  return make('a', { className: 'c', href: url, target, rel: 'noopener' }, icon, label)
}
