import { z } from 'zod'
import { oneLine } from '../mail/template.ts'

/** The events that a channel can get, each with what it means to a person. */
export const eventWords = {
  'alarm.opened': 'An alert opens',
  'alarm.attributed': 'Whose change an alert is becomes known',
  'alarm.closed': 'An alert closes',
  'engine.changed': 'AI platforms changed, whatever you did',
  'prompts.changed': 'Prompts are lost or won',
  'sources.changed': 'Sources are new or gone',
  'digest.ready': 'The weekly digest',
  'run.completed': 'A run is done',
  'run.failed': 'A run fails',
  'report.completed': 'A report is done',
  'report.ready': 'A report on a schedule',
  'audit.completed': 'A site audit is done',
  'data.degraded': 'Something is wrong with the data',
  'data.recovered': 'A problem with the data is over',
  'connection.created': 'A data source is connected',
  'test.ping': 'A test',
} as const

export type EventType = keyof typeof eventWords

export const eventTypes = Object.keys(eventWords) as EventType[]

/** Events that are no choice: somebody asked for each, or it adds to one that the channel got. */
export const unasked: readonly EventType[] = [
  'alarm.attributed',
  'digest.ready',
  'report.ready',
  'test.ping',
]

const fact = z.object({
  label: z.string().describe('Name of the number.'),
  value: z.string().describe('The number, with its unit, as people read it.'),
  note: z.string().optional().describe('What is said of the number, such as its interval.'),
})

const item = z.object({
  text: z.string().describe('One line.'),
  link: z.string().optional().describe('Address of its page.'),
})

const section = z.object({
  heading: z.string().describe('Title of the section.'),
  facts: z.array(fact).optional().describe('Numbers of the section.'),
  items: z.array(item).optional().describe('Lines of the section.'),
})

export const eventData = z.looseObject({
  workspaceId: z.string().describe('UUID of the workspace.'),
  project: z
    .object({ id: z.string(), name: z.string(), domain: z.string() })
    .nullable()
    .describe('The project; null for an event of the whole workspace.'),
  title: z.string().describe('What happened, in a sentence without markup.'),
  text: z.string().describe('More about it, in plain text; may be empty.'),
  facts: z.array(fact).describe('The numbers of the event.'),
  sections: z.array(section).optional().describe('Parts of a digest.'),
  link: z.string().describe('Page of the dashboard about it.'),
})

export type EventData = z.infer<typeof eventData>

const ofAlarm = {
  alarmId: 'UUID of the alarm; absent where a channel was disabled.',
  kind: 'Kind of the alarm, such as `visibility.fell`.',
}

/** The ids that an event has beside its project, with what they are of. */
export const eventIds: Readonly<Partial<Record<EventType, Readonly<Record<string, string>>>>> = {
  'run.completed': { runId: 'UUID of the run.' },
  'run.failed': { runId: 'UUID of the run.' },
  'report.completed': { reportId: 'UUID of the report.' },
  'report.ready': { reportId: 'UUID of the report.' },
  'audit.completed': { auditId: 'UUID of the site audit.' },
  'connection.created': { connectionId: 'UUID of the connection.' },
  'alarm.opened': ofAlarm,
  'alarm.attributed': ofAlarm,
  'alarm.closed': ofAlarm,
  'engine.changed': ofAlarm,
  'prompts.changed': ofAlarm,
  'sources.changed': ofAlarm,
  'data.degraded': ofAlarm,
  'data.recovered': ofAlarm,
}

/** The schema of each payload. */
export const eventSchema = z.object({
  type: z.enum(eventTypes).describe('What happened.'),
  timestamp: z.string().describe('Time of the event, in ISO 8601.'),
  data: eventData.describe('About what happened, with the ids of the event.'),
})

/** What the button of a message says. */
export const linkLabelOf = ({ type }: Pick<ChannelEvent, 'type'>) =>
  type === 'report.ready' ? 'Open the report' : 'Open in Sightline'

/** What a channel gets. `link` and the links of items are paths until the event is sent. */
export interface ChannelEvent {
  readonly type: EventType
  readonly timestamp: string
  readonly data: EventData
}

/** Bytes of a payload that every receiver of Standard Webhooks takes. */
export const mostBodyBytes = 20_000

const longest = { title: 300, text: 2000, name: 200 }

/** The event as it is stored: each text is one line of bounded length, and the whole fits into a payload. */
export function boundedEvent({ type, timestamp, data }: ChannelEvent): ChannelEvent {
  const cut = (text: string, most = longest.name) => oneLine(text, most)
  const project = data.project && {
    ...data.project,
    name: cut(data.project.name),
    domain: cut(data.project.domain),
  }
  const facts = data.facts.slice(0, 20).map((each) => ({
    label: cut(each.label),
    value: cut(each.value),
    ...(each.note !== undefined && { note: cut(each.note) }),
  }))
  const bounded = {
    ...data,
    project,
    title: cut(data.title, longest.title),
    text: cut(data.text, longest.text),
    facts,
  }
  const event = { type, timestamp, data: bounded }
  // Room for the links, which become addresses.
  if (Buffer.byteLength(JSON.stringify(event)) <= mostBodyBytes - 4000) return event
  const { sections: _, ...rest } = bounded
  const text = cut(data.text, longest.name)
  return { type, timestamp, data: { ...rest, text, facts: facts.slice(0, 5) } as EventData }
}

/** The event with addresses in place of paths. */
export function withAddresses({ data, ...event }: ChannelEvent, baseUrl: string): ChannelEvent {
  const full = (path: string) => (path.startsWith('/') ? baseUrl + path : path)
  const sections = data.sections?.map((each) => ({
    ...each,
    ...(each.items && {
      items: each.items.map(({ text, link }) => ({
        text,
        ...(link !== undefined && { link: full(link) }),
      })),
    }),
  }))
  return { ...event, data: { ...data, link: full(data.link), ...(sections && { sections }) } }
}
