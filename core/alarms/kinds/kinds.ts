/** What detectors watch, with its part of the budget. Several monitors of a kind divide it. */
export const budgetOf = {
  'visibility.fell': 0.3,
  'visibility.rose': 0.05,
  'competitor.gained': 0.2,
  'tone.fell': 0.15,
  'citations.fell': 0.15,
  'crawlers.fell': 0.025,
  'referrals.fell': 0.025,
  /** The drift canary: the control brands, and the brand minus them. */
  'control.moved': 0.05,
  'difference.moved': 0.05,
} as const

export type DetectorKind = keyof typeof budgetOf

/** What rules watch, which need no budget: they find states, and prompts and sources at a rate of false discoveries. */
export const ruleKinds = [
  'prompts.changed',
  'sources.changed',
  'crawlers.refused',
  'data.degraded',
] as const
export type RuleKind = (typeof ruleKinds)[number]

export type MonitorKind = DetectorKind | RuleKind

/** Every kind of monitor, in the order of lists. */
export const monitorKinds = [
  ...(Object.keys(budgetOf) as DetectorKind[]),
  ...ruleKinds,
] as const satisfies readonly MonitorKind[]

/** The kinds of the drift canary, which watch the AI platforms and not the brand. */
export const canaryKinds = [
  'control.moved',
  'difference.moved',
] as const satisfies readonly DetectorKind[]

/** The kinds of which people may make monitors, for one AI platform or topic. */
export const ownKinds = [
  'visibility.fell',
  'visibility.rose',
] as const satisfies readonly DetectorKind[]

export const alarmKinds = [
  'visibility.fell',
  'visibility.rose',
  'competitor.gained',
  'tone.fell',
  'citations.fell',
  'crawlers.fell',
  'referrals.fell',
  'engine.changed',
  ...ruleKinds,
] as const
export type AlarmKind = (typeof alarmKinds)[number]

/** Information asks for nothing: it opens and closes by itself. */
export const alarmLevels = ['info', 'warn'] as const
export type AlarmLevel = (typeof alarmLevels)[number]

const quiet: readonly AlarmKind[] = [
  'visibility.rose',
  'engine.changed',
  'prompts.changed',
  'sources.changed',
]
export const levelOf = (kind: AlarmKind): AlarmLevel => (quiet.includes(kind) ? 'info' : 'warn')

/** What the numbers of a series are: a percentage, a difference of percentages, or a number a day, watched by its logarithm. */
export type Unit = 'percent' | 'points' | 'count'

export function unitOf(kind: DetectorKind): Unit {
  if (kind === 'crawlers.fell' || kind === 'referrals.fell') return 'count'
  const isShare =
    kind.startsWith('visibility') || kind === 'citations.fell' || kind === 'control.moved'
  return isShare ? 'percent' : 'points'
}

/** A level of a series in its unit. An estimated share, or the end of its interval, may lie a little outside of 0 to 1. */
export function inUnit(unit: Unit, level: number): number {
  if (unit === 'count') return Math.max(0, Math.expm1(level))
  return unit === 'percent' ? Math.min(100, Math.max(0, 100 * level)) : 100 * level
}
