import { Fault } from './errors.ts'

/** The limits and features of each plan. A limit of null means unlimited. */

export interface PlanTerms {
  readonly apiKeys: boolean
  readonly prompts: number | null
  readonly auditsPerMonth: number | null
  readonly reportsPerMonth: number | null
  readonly concurrentAudits: number
  readonly auditPagesPerRequest: number
  readonly features: ReadonlySet<Feature>
}

export type Feature = 'shopping' | 'connector' | 'queryFanout' | 'reportSharing' | 'whiteLabel'

export const plans = {
  free: {
    apiKeys: false,
    prompts: 10,
    auditsPerMonth: 1,
    reportsPerMonth: 1,
    concurrentAudits: 1,
    auditPagesPerRequest: 5,
    features: new Set<Feature>(),
  },
  starter: {
    apiKeys: true,
    prompts: 50,
    auditsPerMonth: 10,
    reportsPerMonth: 10,
    concurrentAudits: 1,
    auditPagesPerRequest: 25,
    features: new Set<Feature>(),
  },
  growth: {
    apiKeys: true,
    prompts: 250,
    auditsPerMonth: 50,
    reportsPerMonth: 50,
    concurrentAudits: 2,
    auditPagesPerRequest: 100,
    features: new Set<Feature>(['shopping', 'queryFanout', 'reportSharing']),
  },
  enterprise: {
    apiKeys: true,
    prompts: null,
    auditsPerMonth: null,
    reportsPerMonth: null,
    concurrentAudits: 5,
    auditPagesPerRequest: 500,
    features: new Set<Feature>([
      'shopping',
      'queryFanout',
      'connector',
      'reportSharing',
      'whiteLabel',
    ]),
  },
} as const satisfies Record<string, PlanTerms>

export type PlanName = keyof typeof plans

/** @throws {Fault} `plan_upgrade_required` on a plan without API keys */
export function refuseWithoutKeys(plan: PlanName): void {
  if (plans[plan].apiKeys) return
  const message = `The plan "${plan}" has no API keys.`
  throw new Fault('plan_upgrade_required', message, { extras: { requiresUpgrade: true } })
}
