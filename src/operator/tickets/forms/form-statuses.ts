import type { Form } from '../../../services/chat/api/schemas.ts'

/** Returns the active statuses of a form, each with the statuses that can follow it. */
export function statusesOfForm({ workflow: { statuses, transitions } }: Pick<Form, 'workflow'>) {
  const active = statuses.filter((status) => status.active)
  const isAllowed = (from: string, to: string) =>
    transitions === null || transitions.some((step) => step.to === to && [from, '*'].includes(step.from))
  return active.map(({ code, label, category }) => ({
    code,
    label,
    category,
    next: active.map((status) => status.code).filter((to) => to !== code && isAllowed(code, to)),
  }))
}
