import { counted } from '../text/counted.ts'
import type { DetectorKind } from './budget.ts'
import { type AlarmKind, inUnit, type MonitorKind, type RuleKind, unitOf } from './kinds.ts'
import type { Estimate } from './levels.ts'
import type { Problem } from './rules.ts'

interface Worded {
  readonly kind: AlarmKind
  readonly estimate: Estimate | null
  readonly evidence: {
    /** Of a competitor, or of what a monitor is narrowed to. */
    readonly name?: string
    readonly problem?: Problem
    readonly detail?: string
    readonly lost?: readonly unknown[]
    readonly won?: readonly unknown[]
    readonly found?: readonly unknown[]
    readonly gone?: readonly unknown[]
  }
}

/** A level in words: 41.7%, +3.2 points, 120. */
function levelText(kind: DetectorKind, level: number): string {
  const unit = unitOf(kind)
  const value = inUnit(unit, level)
  if (unit === 'count') return value >= 10 ? `${Math.round(value)}` : value.toFixed(1)
  const text = value.toFixed(1).replace(/\.0$/, '')
  if (unit === 'percent') return `${text}%`
  return `${value > 0 ? '+' : ''}${text.replace('-', '−')}`
}

const problemTexts: Readonly<Record<Problem, (name: string, detail: string) => string>> = {
  tracker_silent: () => 'No crawler traffic has arrived for a day.',
  schedule_failed: (name, detail) => `The schedule “${name}” started no run: ${detail}`,
  run_failed: (_name, detail) => `The last run failed in part: ${detail}`,
  cap_near: (name, detail) => `Over 80% of the cap of the ${name} is spent: ${detail}.`,
  cap_reached: (name, detail) => `The cap of the ${name} is reached: ${detail}.`,
  connection_refused: (name, detail) => `No data from Google for ${name}: ${detail}`,
  key_refused: (name, detail) => `The provider refuses the key “${name}”: ${detail}`,
  backup_old: (_name, detail) => `The newest backup is from ${detail}.`,
  requests_refused: (name, detail) =>
    `The site refused crawlers of ${name}: ${detail} in 24 hours.`,
  robots_forbid: (name) => `robots.txt keeps AI crawlers out: ${name}.`,
}

const subjects: Readonly<Record<Exclude<AlarmKind, RuleKind>, readonly [string, string]>> = {
  'visibility.fell': ['Visibility', 'fell'],
  'visibility.rose': ['Visibility', 'rose'],
  'competitor.gained': ['The lead in share of voice', 'grew'],
  'tone.fell': ['Net sentiment', 'fell'],
  'citations.fell': ['The share of answers that cite your pages', 'fell'],
  'crawlers.fell': ['Verified visits of AI crawlers a day', 'fell'],
  'referrals.fell': ['Sessions from AI platforms a day', 'fell'],
  'engine.changed': ['The share of answers that mention competitors', 'fell'],
}

/** An alarm in one sentence, with its numbers. */
export function alarmText({ kind, estimate, evidence }: Worded): string {
  const { name = '', problem, detail = '', lost = [], won = [], found = [], gone = [] } = evidence
  if (kind === 'prompts.changed') {
    return `The brand lost ${counted(lost.length, 'prompt')} and won ${counted(won.length, 'prompt')}.`
  }
  if (kind === 'sources.changed') {
    return `Answers cite ${counted(found.length, 'new source')}, and ${counted(gone.length, 'source')} no longer.`
  }
  if (kind === 'crawlers.refused' || kind === 'data.degraded') {
    return problem ? problemTexts[problem](name, detail) : ''
  }
  const [subject, verb] = subjects[kind]
  const whose = { 'competitor.gained': ` of ${name}` }[kind as string] ?? (name && ` (${name})`)
  if (estimate === null) return `${subject}${whose} ${verb}.`
  const watched = kind === 'engine.changed' ? 'control.moved' : kind
  const [before, after] = [estimate.before, estimate.after].map((it) => levelText(watched, it))
  const unit = unitOf(watched) === 'points' ? ' points' : ''
  return `${subject}${whose} ${verb} from ${before} to ${after}${unit}.`
}

const titles: Readonly<Record<MonitorKind, string>> = {
  'visibility.fell': 'Visibility fell',
  'visibility.rose': 'Visibility rose',
  'competitor.gained': 'Competitor gained',
  'tone.fell': 'Sentiment fell',
  'citations.fell': 'Citations fell',
  'crawlers.fell': 'AI crawler visits fell',
  'referrals.fell': 'AI referrals fell',
  'control.moved': 'AI platforms changed',
  'difference.moved': 'Brand against competitors',
  'prompts.changed': 'Prompts lost and won',
  'sources.changed': 'Sources new and gone',
  'crawlers.refused': 'AI crawlers refused',
  'data.degraded': 'Problems with the data',
}

/** A monitor in a few words, with what it is narrowed to. */
export const monitorTitle = (kind: MonitorKind, name: string | null) =>
  name === null ? titles[kind] : `${titles[kind]}: ${name}`
