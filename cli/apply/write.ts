import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { Db } from '../../prisma/client.ts'
import {
  eventWords,
  fileSchema,
  type GivenFile,
  monitorWords,
  placeLabel,
  wordFor,
} from './shape.ts'
import { type ProjectState, readProjectState, readState, type WorkspaceState } from './state.ts'

type GivenWorkspace = GivenFile['workspaces'][number]
type GivenProject = NonNullable<GivenWorkspace['projects']>[number]
type GivenChannel = NonNullable<GivenWorkspace['channels']>[number]

const schemaName = 'sightline.schema.json'

/** A field that has its usual value is left out, except lists: an empty one says that there is nothing. */
const unless = <Value>(name: string, value: Value, usual: Value | null) =>
  value === null || value === usual ? {} : { [name]: value }

const listed = (name: string, list: readonly unknown[]) =>
  list.length === 0 ? {} : { [name]: list }

const aliasOf = ({ text, caseSensitive }: { text: string; caseSensitive: boolean | null }) =>
  caseSensitive === null ? text : { text, caseSensitive }

function promptOf({ text, topics, isBranded, intentCategory }: ProjectState['prompts'][number]) {
  return {
    text,
    topics: topics.map(({ topic }) => topic.name),
    branded: isBranded,
    ...(intentCategory && { intent: intentCategory }),
  }
}

/** A place as people write it, where that is the same place again. */
function placeOf({ label, city, region, countryCode }: ProjectState['locations'][number]) {
  const text = [city, region, countryCode].filter((part) => part !== null).join(', ')
  return placeLabel(text) === label ? text : label
}

function projectOf(state: ProjectState): GivenProject {
  const { name, domain, kind, description, industry, status, isActive } = state
  const topics = new Map(state.topics.map((topic) => [topic.id, topic.name]))
  const places = new Map(state.locations.map((location) => [location.id, placeOf(location)]))
  const rivals = new Map(state.competitors.map((rival) => [rival.id, rival.name]))
  const names = (ids: readonly string[], of: ReadonlyMap<string, string>) =>
    ids.flatMap((id) => of.get(id) ?? [])
  return {
    name,
    domain,
    ...unless('kind', kind, 'regular'),
    ...unless('description', description, ''),
    ...unless('industry', industry, ''),
    status: isActive ? status : 'inactive',
    aliases: state.aliases.map(aliasOf),
    ownDomains: state.ownDomains.map((own) => own.domain),
    competitors: state.competitors.map((rival) => ({
      name: rival.name,
      domain: rival.domain,
      aliases: rival.aliases.map(aliasOf),
    })),
    topics: [...topics.values()],
    locations: [...places.values()],
    prompts: state.prompts.map(promptOf),
    schedules: state.schedules.map((each) => ({
      name: each.name,
      cron: each.cron,
      timeZone: each.timeZone,
      spreadMinutes: each.spreadMinutes,
      enabled: each.enabled,
      prompts: names(each.promptIds, state.askedTexts),
      topics: names(each.topicIds, topics),
      keys: each.keys,
      locations: names(each.locationIds, places),
      ...unless('language', each.language, null),
      repetitions: each.repetitions,
      visibility: each.visibility,
    })),
    monitors: state.monitors
      .filter(({ isOwn, isEnabled, weight }) => isOwn || !isEnabled || weight !== null)
      .map((each) => ({
        kind: wordFor(monitorWords, each.kind),
        ...unless('platform', each.platform, null),
        ...unless('topic', topics.get(each.topicId ?? '') ?? null, null),
        ...unless('competitor', rivals.get(each.competitorId ?? '') ?? null, null),
        enabled: each.isEnabled,
        ...unless('weight', each.weight, null),
      })),
  }
}

/** A name for the environment variable of an address. */
const variableOf = (name: string) =>
  `${name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^(?=\d|$)/, 'CHANNEL_')}_URL`

function channelOf(
  channel: WorkspaceState['channels'][number],
  state: WorkspaceState,
): GivenChannel {
  const { name, kind, display, events, projectIds } = channel
  const nameOf = (id: string) => state.projects.find((project) => project.id === id)?.name
  return {
    name,
    kind,
    ...(kind === 'email' ? { address: display } : { addressFrom: variableOf(name) }),
    events: events.map((type) => wordFor(eventWords, type)),
    projects: projectIds.flatMap((id) => nameOf(id) ?? []),
    ...(channel.state === 'paused' && { paused: true }),
    ...listed(
      'digests',
      channel.digests.map(({ projectId, weekday, hour, timeZone }) => ({
        project: nameOf(projectId),
        weekday,
        hour,
        timeZone,
      })),
    ),
    ...listed(
      'reports',
      channel.reportSchedules.map(
        ({ projectId, reportType, every, day, hour, timeZone, linkDays }) => ({
          project: nameOf(projectId),
          every,
          type: reportType,
          day,
          hour,
          timeZone,
          linkDays,
        }),
      ),
    ),
  }
}

/** A workspace as a file, or one project of it. */
async function contentOf(
  db: Db,
  workspaceId: string,
  projectId: string | undefined,
): Promise<GivenFile> {
  const state = await readState(db, workspaceId)
  const ids = state.projects.map(({ id }) => id).filter((id) => !projectId || id === projectId)
  const projects: GivenProject[] = []
  for (const id of ids) projects.push(projectOf(await readProjectState(db, id)))
  const channels = state.channels.map((channel) => channelOf(channel, state))
  const whole = projectId === undefined ? { plan: state.plan, projects, channels } : { projects }
  return { workspaces: [{ name: state.name, ...whole }] }
}

/**
 * Writes a workspace, or one project of it, as a project file, with its JSON Schema beside it for editors.
 * @returns the names of both files
 */
export async function writeProjectFile(
  db: Db,
  {
    workspaceId,
    projectId,
  }: { readonly workspaceId: string; readonly projectId?: string | undefined },
  path: string,
): Promise<string[]> {
  const content = await contentOf(db, workspaceId, projectId)
  const text = `# yaml-language-server: $schema=${schemaName}\n${stringify(content, { lineWidth: 0 })}`
  const schema = join(dirname(path), schemaName)
  await writeFile(schema, `${JSON.stringify(fileSchema(), null, 2)}\n`)
  await writeFile(path, text)
  return [path, schema]
}
