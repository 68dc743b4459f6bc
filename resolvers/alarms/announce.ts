import type { AlarmKind, RuleKind } from '../../core/alarms/kinds/kinds.ts'
import {
  alarmText,
  attributionNews,
  attributions,
  endingTexts,
  listHeadings,
  newLevel,
  promptLine,
  sourceLine,
  type Worded,
} from '../../core/alarms/kinds/words.ts'
import type { Estimate } from '../../core/alarms/series/levels.ts'
import type { EventData, EventType } from '../../core/channels/events.ts'
import { storedAs } from '../../core/stored-json.ts'
import { dayText } from '../../core/text/days.ts'
import type { Db } from '../../prisma/client.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { deliver, pagePath } from '../shared/deliver.ts'
import type { AlarmEvidence } from './week.ts'

/** The events of kinds that have their own; null for an end that nobody needs to hear of. */
const ownEvents: Readonly<
  Partial<Record<string, { readonly opened: EventType; readonly closed: EventType | null }>>
> = {
  'data.degraded': { opened: 'data.degraded', closed: 'data.recovered' },
  'engine.changed': { opened: 'engine.changed', closed: null },
  'prompts.changed': { opened: 'prompts.changed', closed: null },
  'sources.changed': { opened: 'sources.changed', closed: null },
}

const events = {
  opened: 'alarm.opened',
  attributed: 'alarm.attributed',
  closed: 'alarm.closed',
} as const

/** Lines of a list in a message; its page has all. */
const mostLines = 5

type Section = NonNullable<EventData['sections']>[number]

function sectionOf(heading: string, items: NonNullable<Section['items']>): Section[] {
  if (items.length === 0) return []
  const rest = items.length - mostLines
  const more = rest > 0 ? [{ text: `and ${rest} more` }] : []
  return [{ heading, items: [...items.slice(0, mostLines), ...more] }]
}

/** The prompts and sources that an alarm lists, each with a link to its page. */
async function sectionsOf(
  tx: Db,
  { projectId, evidence }: Pick<Alarm, 'projectId' | 'evidence'>,
): Promise<Section[]> {
  const { lost = [], won = [], found = [], gone = [] } = evidence as AlarmEvidence
  const ids = [...lost, ...won].map(({ promptId }) => promptId)
  const prompts = ids.length
    ? await tx.prompt.findMany({ where: { id: { in: ids } }, select: { id: true, text: true } })
    : []
  const textOf = new Map(prompts.map(({ id, text }) => [id, text]))
  const linesOf = (rows: typeof lost) =>
    rows.map(({ promptId, ...counts }) => ({
      text: promptLine(textOf.get(promptId) ?? 'A deleted prompt', counts),
      link: pagePath(projectId, `prompts/${promptId}`),
    }))
  const sourcesOf = (rows: typeof found) =>
    rows.map(({ domain, ...counts }) => ({
      text: sourceLine(domain, counts),
      link: pagePath(projectId, `sources/${encodeURIComponent(domain)}`),
    }))
  return [
    ...sectionOf(listHeadings.lost, linesOf(lost)),
    ...sectionOf(listHeadings.won, linesOf(won)),
    ...sectionOf(listHeadings.found, sourcesOf(found)),
    ...sectionOf(listHeadings.gone, sourcesOf(gone)),
  ]
}

/** What a message says of a change that was found by statistics: whose it is, since when, and how sure its size is. */
function factsOf({ kind, estimate, since, openedOn }: Alarm): EventData['facts'] {
  if (estimate === null) return []
  const found = `found in the answers of ${dayText(openedOn)}`
  const { level, interval } = newLevel(
    kind as Exclude<AlarmKind, RuleKind>,
    storedAs<Estimate>(estimate),
  )
  return [
    { label: 'Since about', value: dayText(since), note: found },
    { label: 'New level', value: level, note: `95% confidence interval ${interval}` },
  ]
}

/** Sends what a look changed to the channels of the workspace, but for monitors that are muted. */
export async function announce(
  tx: Db,
  what: keyof typeof events,
  alarms: readonly Alarm[],
  now: Date,
): Promise<void> {
  const ids = alarms.map(({ monitorId }) => monitorId)
  const muted = await tx.monitor.findMany({
    where: { id: { in: ids }, mutedUntil: { gt: now } },
    select: { id: true },
  })
  for (const alarm of alarms) {
    const type = what === 'attributed' ? events[what] : (ownEvents[alarm.kind] ?? events)[what]
    if (type === null || muted.some(({ id }) => id === alarm.monitorId)) continue
    const title = alarmText({
      kind: alarm.kind as AlarmKind,
      estimate: storedAs<Estimate | null>(alarm.estimate),
      evidence: storedAs<Worded['evidence']>(alarm.evidence),
    })
    const about = { type, projectId: alarm.projectId, page: 'alerts' } as const
    const alarmIds = { alarmId: alarm.id, kind: alarm.kind }
    if (what === 'opened') {
      await deliver(tx, {
        ...about,
        title,
        text: attributions[alarm.attribution as keyof typeof attributions] ?? '',
        facts: factsOf(alarm),
        sections: await sectionsOf(tx, alarm),
        ids: alarmIds,
      })
    } else if (what === 'attributed') {
      const { short, why } = attributionNews[alarm.attribution as keyof typeof attributionNews]
      await deliver(tx, {
        ...about,
        title: `About the alert of ${dayText(alarm.openedOn)}: ${short}`,
        text: `${title} ${why}`,
        ids: alarmIds,
        follows: { type: events.opened, alarmId: alarm.id },
      })
    } else {
      const text = alarm.estimate === null ? '' : endingTexts[alarm.closedReason as Ended]
      await deliver(tx, { ...about, title: `Over: ${title}`, text, ids: alarmIds })
    }
  }
}

type Ended = keyof typeof endingTexts
