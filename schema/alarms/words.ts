import type { Attribution } from '../../core/alarms/attribution.ts'
import type {
  AlarmKind,
  AlarmLevel,
  MonitorKind,
  ownKinds,
  Unit,
} from '../../core/alarms/kinds/kinds.ts'
import type { Problem } from '../../core/alarms/kinds/rules.ts'
import type { MonitorStatus } from '../../resolvers/alarms/monitors.ts'
import { wordsOf } from '../kit/words.ts'

const visibility = {
  'visibility.fell': ['visibility_fell', 'The share of answers that mention the brand fell.'],
  'visibility.rose': ['visibility_rose', 'The share of answers that mention the brand rose.'],
} as const satisfies Record<(typeof ownKinds)[number], readonly [string, string]>

const shared = {
  ...visibility,
  'competitor.gained': [
    'competitor_gained',
    "A competitor's share of voice rose against that of the brand.",
  ],
  'tone.fell': ['sentiment_fell', 'Mentions of the brand became less positive, or more negative.'],
  'citations.fell': ['citations_fell', 'The share of answers that cite own pages fell.'],
  'crawlers.fell': ['crawlers_fell', 'Verified requests of AI crawlers became fewer.'],
  'referrals.fell': ['referrals_fell', 'Sessions that AI platforms sent became fewer.'],
  'prompts.changed': ['prompts_changed', 'Prompts whose answers mention the brand less, or more.'],
  'sources.changed': [
    'sources_changed',
    'Sources that answers cite now and not before, or no longer.',
  ],
  'crawlers.refused': ['crawlers_refused', 'The site refuses AI crawlers.'],
  'data.degraded': ['data_degraded', 'Data is missing, late or incomplete.'],
} as const

export const alarmKind = wordsOf<AlarmKind>('AlarmKind', 'What an alarm is about.', {
  ...shared,
  'engine.changed': [
    'engine_changed',
    'AI platforms mention other brands less. Such an alarm is information, and closed from the start.',
  ],
})

export const monitorKind = wordsOf<MonitorKind>('MonitorKind', 'What a monitor watches.', {
  ...shared,
  'control.moved': [
    'control_moved',
    'The share of answers that mention any competitor: what AI platforms do, whatever the brand does.',
  ],
  'difference.moved': [
    'difference_moved',
    'The visibility of the brand minus the share of answers that mention any competitor.',
  ],
})

export const ownMonitorKind = wordsOf<(typeof ownKinds)[number]>(
  'OwnMonitorKind',
  'What a monitor that somebody adds can watch.',
  visibility,
)

export const alarmLevel = wordsOf<AlarmLevel>('AlarmLevel', 'How much an alarm asks for.', {
  info: 'Information, which asks for nothing.',
  warn: 'Something to look at.',
})

export const alarmEnding = wordsOf<'recovered' | 'settled' | 'again' | 'method' | 'mark'>(
  'AlarmEnding',
  'Why an alarm is closed.',
  {
    recovered: 'The level, or the state, is what it was before.',
    settled:
      'The new level has lasted so long that it is the usual one, or the next week was looked at.',
    again: 'The same monitor opened a newer alarm.',
    method: 'Other prompts are asked, so that days before and after cannot be compared.',
    mark: 'Information has nothing to close.',
  },
)

export const attribution = wordsOf<Attribution>('AlarmAttribution', 'Whose change it is.', {
  you: 'The brand moved, and other brands did not move with it.',
  assistant: 'AI platforms changed: other brands moved too.',
  unknown: 'The data does not show whose change it is.',
})

export const problemKind = wordsOf<Problem>(
  'AlarmProblem',
  'A state of the data or the site that a rule found.',
  {
    tracker_silent: 'No crawler traffic has arrived for a day.',
    schedule_failed: 'A schedule started no run at its last due time.',
    run_failed: 'The newest run failed, or a tenth of its questions did.',
    cap_near: 'Over 80 % of a cap is spent.',
    cap_reached: 'A cap is reached, so that questions wait.',
    connection_refused: 'Google or Bing refuses the data of a connection.',
    key_refused: 'A provider refuses a key that a schedule asks with.',
    backup_old: 'The newest backup is over seven days old.',
    requests_refused:
      'A fifth of at least 50 verified requests of a vendor in 24 hours were answered with 401, 403, 429 or an error.',
    robots_forbid: 'robots.txt forbids the site to AI crawlers, by the newest audit.',
  },
)

export const monitorStatus = wordsOf<MonitorStatus>('MonitorStatus', 'What a monitor does.', {
  watching: 'Each new day is looked at.',
  fewDays: 'There are fewer days with answers than the reference needs.',
  tooSeldom: 'Fewer than three days a week have answers, which is too few for alarms.',
  noData: 'There is nothing to watch yet.',
  disabled: 'Somebody switched it off.',
})

export const monitorUnit = wordsOf<Unit>('MonitorUnit', 'Unit of the levels of a series.', {
  percent: 'Percent of answers.',
  points: 'Percentage points, such as one share of voice minus another.',
  count: 'A number a day.',
})
