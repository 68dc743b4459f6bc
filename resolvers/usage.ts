import { type PlanTerms, plans } from '../core/plans.ts'
import type { Used } from './shared/quotas.ts'
import type { ProjectScope } from './shared/scope.ts'

export interface Quota {
  readonly current: number
  /** Null: no limit. */
  readonly limit: number | null
  /** Null where nothing but the user frees it. */
  readonly resetsAt: Date | null
}

function nextUtcMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
}

/** What the workspace of a project has used, and what its plan allows. */
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
