import { type PlanTerms, plans } from '../core/plans.ts'
import type { Used } from './shared/quotas.ts'
import type { ProjectScope } from './shared/scope.ts'

export interface Quota {
  readonly current: number
  /** Null for no limit. */
  readonly limit: number | null
  /** Null when the quota never resets by itself. */
  readonly resetsAt: Date | null
}

function nextUtcMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
}

/** The use and the limits of the plan of a project's workspace. */
export function usage(scope: ProjectScope, used: Used) {
  const { plan } = scope.project
  const terms: PlanTerms = plans[plan]
  const resetsAt = nextUtcMonth(scope.now)
  const quotas: Record<keyof Used, Quota> = {
    prompts: { current: used.prompts, limit: terms.prompts, resetsAt: null },
    audits: { current: used.audits, limit: terms.auditsPerMonth, resetsAt },
    reports: { current: used.reports, limit: terms.reportsPerMonth, resetsAt },
  }
  return { scope, plan, quotas, auditPagesPerRequest: terms.auditPagesPerRequest }
}
