import { z } from 'zod'
import { type MonitorKind, monitorKinds } from '../../core/alarms/kinds/kinds.ts'
import { type EventType, eventTypes, unasked } from '../../core/channels/events.ts'
import { cronFlaw, isTimeZone } from '../../core/collecting/due.ts'
import { parseLocation } from '../../core/countries.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import { intentCategories, promptText } from '../../core/prompt-input.ts'
import { questionForm } from '../../core/question.ts'
import { reportTypes } from '../../core/reports/input.ts'
import { quoted } from '../../core/rule-text.ts'
import { alias as aliasFields, domain, email, label } from '../../resolvers/shared/inputs.ts'

/** The shape of a project file. What a file leaves out is not changed; a list that it has is the whole list. */

/** The graph's words: `visibility_fell` for `visibility.fell`. */
const wordOf = (kind: string) => kind.replace('.', '_')

/** The kinds of monitors by the words of the graph. */
export const monitorWords = Object.fromEntries(
  monitorKinds.map((kind) => [kind === 'tone.fell' ? 'sentiment_fell' : wordOf(kind), kind]),
) as Readonly<Record<string, MonitorKind>>

/** The events of channels by the words of the graph. */
export const eventWords = Object.fromEntries(
  eventTypes.filter((type) => !unasked.includes(type)).map((type) => [wordOf(type), type]),
) as Readonly<Record<string, EventType>>

/** The word of the graph for a value. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string) =>
  Object.keys(words).find((word) => words[word] === value) ?? value

const oneOf = (words: object) => z.enum(Object.keys(words) as [string, ...string[]])

/** A list in which no two entries are the same. */
function listOf<Entry extends z.ZodType>(
  entry: Entry,
  most: number,
  keyOf: (value: z.output<Entry>) => string,
) {
  return z
    .array(entry)
    .max(most)
    .superRefine((list, context) => {
      const seen = new Set<string>()
      for (const [index, value] of list.entries()) {
        const key = keyOf(value)
        if (seen.has(key)) {
          const message = `is in the list twice: ${quoted(key)}`
          context.addIssue({ code: 'custom', path: [index], message })
        }
        seen.add(key)
      }
    })
}

export const sameName = (text: string) => text.toLowerCase()
const byName = ({ name }: { name: string }) => sameName(name)

const alias = z.union([
  label.transform((text) => ({ text, caseSensitive: null })),
  z.strictObject(aliasFields.shape),
])
const aliases = listOf(alias, 100, ({ text }) => text)
  .optional()
  .describe('Other names. With `caseSensitive` a name counts in any case, or in its own only.')

const place = label
  .refine((text) => parseLocation(text) !== null, 'must name a country, such as "Berlin, Germany"')
  .describe('A place with its country, such as "Berlin, Germany" or DE.')

/** The one spelling of a place. */
export const placeLabel = (text: string) => parseLocation(text)?.label ?? text

const names = listOf(label, 500, sameName)
const timeZone = z
  .string()
  .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
  .describe('IANA name, such as Europe/Berlin. Default: UTC.')
const hour = z.int().min(0).max(23).describe('Hour of the day. Default: 7.')

const prompt = z
  .union([
    promptText.transform((text) => ({ text })),
    z.strictObject({
      text: promptText,
      topics: names.optional().describe('Names of topics.'),
      branded: z.boolean().optional().describe('Whether it names the brand. Default: by its text.'),
      intent: z.enum(intentCategories).optional(),
    }),
  ])
  .transform((given): Prompt => given)

export interface Prompt {
  readonly text: string
  readonly topics?: string[] | undefined
  readonly branded?: boolean | undefined
  readonly intent?: (typeof intentCategories)[number] | undefined
}

const schedule = z.strictObject({
  name: label,
  cron: z
    .string()
    .trim()
    .superRefine((text, context) => {
      const flaw = cronFlaw(text, new Date())
      if (flaw !== null) context.addIssue(flaw)
    })
    .describe('Minute, hour, day of the month, month, day of the week, such as "0 6 * * 1-5".'),
  timeZone: timeZone.optional(),
  spreadMinutes: z.int().min(0).max(60).optional().describe('Minutes. Default: 60.'),
  enabled: z.boolean().optional().describe('Default: true.'),
  prompts: listOf(promptText, 10_000, questionForm)
    .optional()
    .describe('Texts of prompts to ask. Without prompts and topics: all that are tracked.'),
  topics: names.optional().describe('Names of topics whose prompts are asked.'),
  keys: names.optional().describe('Labels of provider keys. Default: all of the workspace.'),
  locations: listOf(place, 500, placeLabel).optional().describe('Places to ask from.'),
  language: label.nullable().optional().describe('Language to answer in, such as de.'),
  repetitions: z.int().min(1).max(20).optional().describe('Times a run asks a prompt. Default: 1.'),
  visibility: z.enum(['whole', 'by_answer']).optional(),
})

export type Schedule = z.output<typeof schedule>

const monitor = z
  .strictObject({
    kind: oneOf(monitorWords),
    platform: label.optional().describe('Id of the AI platform that is watched, such as chatgpt.'),
    topic: label.optional().describe('Name of the topic whose prompts are watched.'),
    competitor: label.optional().describe('Name of the competitor, for competitor_gained.'),
    enabled: z.boolean().optional(),
    weight: z
      .number()
      .gt(0, 'must be more than 0')
      .max(1, 'must be at most 1')
      .nullable()
      .optional()
      .describe('Part of the budget of false alarms; null for that of the kind.'),
  })
  .superRefine(({ kind, platform, topic, competitor }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const isOwn = platform !== undefined || topic !== undefined
    if (isOwn && !kind.startsWith('visibility_')) {
      refuse('kind', 'must be visibility_fell or visibility_rose for a platform or a topic')
    }
    if (platform !== undefined && topic !== undefined) {
      refuse('topic', 'must not be given with a `platform`: make two monitors')
    }
    if ((competitor === undefined) === (kind === 'competitor_gained')) {
      refuse('competitor', 'must be given for competitor_gained, and for no other kind')
    }
  })

export type Monitor = z.output<typeof monitor>

const project = z.strictObject({
  name: label.describe('Name of the brand.'),
  domain: domain.describe("The brand's main domain, such as example.com."),
  kind: z.enum(['regular', 'pitch']).optional().describe('Of a new project. Default: regular.'),
  description: label.nullable().optional(),
  industry: label.nullable().optional(),
  status: z.enum(['active', 'paused', 'archived', 'inactive']).optional(),
  aliases,
  ownDomains: listOf(domain, 500, String).optional().describe('Further domains of the brand.'),
  competitors: listOf(z.strictObject({ name: label, domain, aliases }), 500, byName).optional(),
  topics: names.optional().describe('Names of topics.'),
  locations: listOf(place, 500, placeLabel).optional(),
  prompts: listOf(prompt, 10_000, ({ text }) => questionForm(text))
    .optional()
    .describe('The prompts that are tracked. One that the list lacks is archived.'),
  schedules: listOf(schedule, 100, byName).optional(),
  monitors: listOf(monitor, 200, ({ kind, platform = '', topic = '', competitor = '' }) =>
    [kind, platform, sameName(topic), sameName(competitor)].join(' ').trim(),
  )
    .optional()
    .describe('Monitors to switch or weigh, and those of a platform or a topic.'),
})

export type Project = z.output<typeof project>

const digest = z.strictObject({
  project: label.describe('Name or domain of the project.'),
  weekday: z.int().min(1).max(7).optional().describe('1 is Monday. Default: 1.'),
  hour: hour.optional(),
  timeZone: timeZone.optional(),
})

const report = z.strictObject({
  project: label.describe('Name or domain of the project.'),
  every: z.enum(['week', 'month']).optional().describe('Default: week.'),
  type: z.enum(reportTypes).optional().describe('Default: combined.'),
  day: z.int().min(1).max(28).optional().describe('Day of the week or the month. Default: 1.'),
  hour: hour.optional(),
  timeZone: timeZone.optional(),
  linkDays: z.int().min(1).max(365).nullable().optional().describe('Days a link is open.'),
})

const channel = z
  .strictObject({
    name: label,
    kind: z.enum(['email', 'slack', 'teams', 'webhook']),
    address: email.optional().describe('Of an e-mail channel.'),
    addressFrom: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
      .optional()
      .describe('Environment variable that holds the address, which is a secret.'),
    events: listOf(oneOf(eventWords), 50, String).optional(),
    projects: names
      .optional()
      .describe('Names of the projects whose events are sent. Empty: those of all.'),
    paused: z.boolean().optional(),
    digests: listOf(digest, 500, ({ project }) => sameName(project)).optional(),
    reports: listOf(report, 500, ({ project, every = 'week' }) => `${sameName(project)} ${every}`)
      .optional()
      .describe('Reports that are sent each week or month.'),
  })
  .superRefine(({ kind, address, addressFrom }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (address !== undefined && kind !== 'email') {
      refuse(
        'address',
        'is a secret: put it into an environment variable, and name it in `addressFrom`',
      )
    }
    if ((address === undefined) === (addressFrom === undefined)) {
      refuse(kind === 'email' ? 'address' : 'addressFrom', 'is required, and nothing beside it')
    }
  })

export type Channel = z.output<typeof channel>

const workspace = z.strictObject({
  name: label,
  plan: z
    .enum(Object.keys(plans) as [PlanName, ...PlanName[]])
    .optional()
    .describe('Of a new workspace: enterprise by default.'),
  projects: listOf(project, 1000, byName)
    .optional()
    .describe('Projects to create or change. One that the list lacks is left alone.'),
  channels: listOf(channel, 50, ({ name }) => name).optional(),
})

export type Workspace = z.output<typeof workspace>

export const fileShape = z.strictObject({ workspaces: listOf(workspace, 100, byName) })

export type File = z.output<typeof fileShape>
/** A file as people write it. */
export type GivenFile = z.input<typeof fileShape>

/** The JSON Schema of a project file, by which editors complete and check it. */
export const fileSchema = () => ({
  ...z.toJSONSchema(fileShape, { io: 'input' }),
  title: 'Sightline project file',
})
