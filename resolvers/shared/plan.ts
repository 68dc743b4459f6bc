import { Fault } from '../../core/errors.ts'
import { type Feature, type PlanName, plans } from '../../core/plans.ts'

const namesOf: Record<Feature, string> = {
  shopping: 'shopping analytics',
  connector: 'the connector',
  queryFanout: 'query fanout',
  reportSharing: 'shared reports',
  whiteLabel: 'reports under your own name',
}

/**
 * Call it after checking path and arguments: their faults come before those of the plan.
 * @throws {Fault} `plan_upgrade_required` on a plan without the feature
 */
export function requireFeature(plan: PlanName, feature: Feature): void {
  if (plans[plan].features.has(feature)) return
  const message = `The plan "${plan}" does not include ${namesOf[feature]}.`
  throw new Fault('plan_upgrade_required', message, { extras: { requiresUpgrade: true } })
}
