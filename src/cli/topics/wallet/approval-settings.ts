import { type ApprovalLimits, approvalLimits } from '../../../domain/wallet/approval.ts'
import type { ApprovalRules } from '../../../operator/transfers/batch-report.ts'
import type { Config } from '../../../world/config/config.ts'

/** Returns the limits of the setting approvalAbove, or undefined if it is not set. */
export function limitsIn({ settings }: Config): ApprovalLimits | undefined {
  const { approvalAbove } = settings
  return approvalAbove === undefined ? undefined : (approvalLimits(approvalAbove) ?? undefined)
}

/** Returns the rules that currently apply to approvals. */
export function approvalRules(config: Config): ApprovalRules {
  return { limits: limitsIn(config), days: Number(config.settings.approvalDays), now: Date.now() }
}
