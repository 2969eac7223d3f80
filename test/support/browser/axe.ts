import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { isFirefox } from './chromium.ts'

/** Source of the script that checks a page. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Violations that axe-core finds on the page, the widget's own tree included; of all its rules, or of these. In Firefox it
 * does not run: it crashes the process of a checkout page there.
 */
export async function violations(page: Page, ...rules: readonly string[]): Promise<string[]> {
  if (isFirefox) return []
  // Evaluated by the debugger and not by the page, whose policy would refuse it; once per page, because the script is large.
  const axe = (await page.evaluate("'axe' in window")) ? '' : axeSource
  const only = rules.length === 0 ? '' : `runOnly: ${JSON.stringify(rules)}`
  const result = await page.evaluate(
    `(async () => { ${axe}; const { violations } = await axe.run(document, { resultTypes: ['violations'], ${only} }); return violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ') + ' ' + n.failureSummary).join('; ')) })()`,
  )
  return result as string[]
}
