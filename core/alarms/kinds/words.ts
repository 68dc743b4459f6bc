import { counted } from '../../text/counted.ts'
import type { Attribution } from '../attribution.ts'
import type { Counts } from '../discoveries.ts'
import type { Ending, Estimate } from '../series/levels.ts'
import {
  type AlarmKind,
  type DetectorKind,
  inUnit,
  type MonitorKind,
  type RuleKind,
  unitOf,
} from './kinds.ts'
import type { Problem } from './rules.ts'

export interface Worded {
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
  // In place of -0, which a level just below nothing is rounded to.
  const rounded = Number(value.toFixed(1)) || 0
  if (unit === 'percent') return `${rounded}%`
  return `${rounded > 0 ? '+' : ''}${`${rounded}`.replace('-', '−')}`
}

const problemTexts: Readonly<Record<Problem, (name: string, detail: string) => string>> = {
  tracker_silent: () => 'No crawler traffic has arrived for a day.',
  schedule_failed: (name, detail) => `The schedule “${name}” started no run: ${detail}`,
  run_failed: (_name, detail) => `The last run failed in part: ${detail}`,
  cap_near: (name, detail) => `Over 80% of the cap of the ${name} is spent: ${detail}.`,
  cap_reached: (name, detail) => `The cap of the ${name} is reached: ${detail}.`,
  connection_refused: (name, detail) => `No data for ${name}: ${detail}`,
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

/** What was counted, and nothing where nothing was: lost 3 prompts. */
const of = (verb: string, rows: readonly unknown[], noun: string): string[] =>
  rows.length === 0 ? [] : [`${verb} ${counted(rows.length, noun)}`]

/** An alarm in one sentence, with its numbers. */
export function alarmText({ kind, estimate, evidence }: Worded): string {
  const { name = '', problem, detail = '', lost = [], won = [], found = [], gone = [] } = evidence
  if (kind === 'prompts.changed') {
    const changed = [...of('lost', lost, 'prompt'), ...of('won', won, 'prompt')]
    return `The brand ${changed.join(' and ')}.`
  }
  if (kind === 'sources.changed') {
    const changed = [...of('cite', found, 'new source'), ...of('no longer cite', gone, 'source')]
    return `Answers ${changed.join(' and ')}.`
  }
  if (kind === 'crawlers.refused' || kind === 'data.degraded') {
    return problem ? problemTexts[problem](name, detail) : ''
  }
  const [subject, verb] = subjects[kind]
  const whose = { 'competitor.gained': ` of ${name}` }[kind as string] ?? (name && ` (${name})`)
  if (estimate === null) return `${subject}${whose} ${verb}.`
  const watched = watchedBy(kind)
  const [before, after] = [estimate.before, estimate.after].map((it) => levelText(watched, it))
  const unit = unitOf(watched) === 'points' ? ' points' : ''
  return `${subject}${whose} ${verb} from ${before} to ${after}${unit}.`
}

const watchedBy = (kind: Exclude<AlarmKind, RuleKind>): DetectorKind =>
  kind === 'engine.changed' ? 'control.moved' : kind

/** The new level, and where it lies, in words: 43.1%, 38.1% to 47.9%. */
export function newLevel(
  kind: Exclude<AlarmKind, RuleKind>,
  { after, low, high }: Estimate,
): { readonly level: string; readonly interval: string } {
  const watched = watchedBy(kind)
  const unit = unitOf(watched) === 'points' ? ' points' : ''
  const [level, from, to] = [after, low, high].map((it) => levelText(watched, it))
  return { level: `${level}${unit}`, interval: `${from} to ${to}${unit}` }
}

/** What becomes known of whose change it is, with what says so. */
export const attributionNews = {
  you: { short: 'the change is yours', why: 'Other brands did not move with it.' },
  assistant: { short: 'the AI platforms changed', why: 'Other brands moved too.' },
} as const satisfies Partial<Record<Attribution, object>>

/** Whose change it is, in a sentence. */
export const attributions: Readonly<Record<Attribution, string>> = {
  you: 'The change is yours: other brands did not move with it.',
  assistant: 'The AI platforms changed: other brands moved too.',
  unknown: 'Not enough data yet to say whether you or the AI platforms changed.',
}

/** Why an alarm is over, in a sentence. */
export const endingTexts: Readonly<Record<Ending['reason'], string>> = {
  recovered: 'It is back to what it was before.',
  settled: 'The new level has lasted so long that it is the usual one now.',
  again: 'It changed again, which is an alert of its own.',
  method: 'Other prompts are asked now, so that the days before and after cannot be compared.',
}

/** A share of answers in whole percent: a line is one of five that a phone shows. */
const share = (of: number, answers: number) =>
  answers === 0 ? 'no answers' : `${Math.round((100 * of) / answers)}%`

/** A prompt that was lost or won, in one line. */
export const promptLine = (text: string, { before, ofBefore, now, ofNow }: Counts) =>
  `${text} (${share(now, ofNow)} of answers, before ${share(before, ofBefore)})`

/** A source that is new or gone, in one line. */
export function sourceLine(domain: string, { before, ofBefore, now, ofNow }: Counts): string {
  const of = (times: number, answers: number) =>
    `cited in ${times.toLocaleString('en')} of ${counted(answers, 'answer')}`
  return now > 0 ? `${domain}, ${of(now, ofNow)}` : `${domain}, before ${of(before, ofBefore)}`
}

/** Headings of lists of prompts and sources. */
export const listHeadings = {
  lost: 'Prompts lost',
  won: 'Prompts won',
  found: 'New sources',
  gone: 'Sources gone',
} as const

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
