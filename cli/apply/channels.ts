import {
  addChannel,
  changeChannel,
  removeChannel,
  switchChannel,
} from '../../resolvers/channels/channels.ts'
import { removeDigest, setDigest } from '../../resolvers/channels/digests.ts'
import { removeReportSchedule, setReportSchedule } from '../../resolvers/reports/schedules.ts'
import { differing, idsOf, make, named, type Place, type Work } from './changes.ts'
import type { Path } from './file.ts'
import { projectNamed } from './project.ts'
import { type Channel, eventWords, wordFor } from './shape.ts'
import type { ChannelState, WorkspaceState } from './state.ts'

interface Parts {
  readonly state: WorkspaceState
  readonly place: Place
  readonly path: Path
}

/** Makes the channels of a workspace what the file says. The projects of `state` are those after the change. */
export async function applyChannels(
  work: Work,
  state: WorkspaceState,
  wanted: readonly Channel[] | undefined,
  path: Path,
): Promise<void> {
  if (wanted === undefined) return
  const { tx, actor } = work
  const place: Place = { workspace: state.name, project: null }
  const remove = ({ id: channelId, name }: ChannelState, at: Path) =>
    make(work, { ...place, path: at, action: 'remove', what: named('channel', name) }, () =>
      removeChannel(tx, actor, { workspaceId: state.id, channelId }),
    )
  for (const known of state.channels) {
    if (!wanted.some(({ name }) => name === known.name)) await remove(known, path)
  }
  for (const [index, channel] of wanted.entries()) {
    const at = [...path, index]
    const parts: Parts = { state, place, path: at }
    const address = channel.address ?? work.env[channel.addressFrom ?? '']?.trim()
    const known = state.channels.find(({ name }) => name === channel.name)
    // Neither the kind nor the address of a channel can be changed.
    const isOther = known && (known.kind !== channel.kind || isElsewhere(known, address))
    if (isOther) await remove(known, at)
    const before = isOther ? undefined : known
    const id = before
      ? await update(work, before, channel, parts)
      : await add(work, channel, address, parts)
    await applyDigests(work, before, id, channel, parts)
    await applyReports(work, before, id, channel, parts)
  }
}

/** Whether a channel sends to another address. Of a secret one only the host and the end are known. */
function isElsewhere({ kind, display }: ChannelState, address: string | undefined): boolean {
  if (address === undefined || address === '') return false
  if (kind === 'email') return display !== address
  const url = URL.parse(address)
  if (!url) return true
  const isWhole = !display.includes('/…')
  return isWhole ? display !== url.origin : display !== `${url.origin}/…${url.href.slice(-4)}`
}

const projectIdsOf = (work: Work, { state, path }: Parts, names: Channel['projects']) =>
  idsOf(
    work,
    [...path, 'projects'],
    'project',
    names,
    (name) => projectNamed(state.projects, name)?.id,
  )?.toSorted()

const eventsOf = ({ events }: Channel) => events?.map((word) => eventWords[word] ?? 'alarm.opened')

async function add(
  work: Work,
  channel: Channel,
  address: string | undefined,
  parts: Parts,
): Promise<string> {
  const { state, place, path } = parts
  const { kind, name, addressFrom = '', paused } = channel
  if (!address) {
    throw work.file.wrong(
      [...path, 'addressFrom'],
      `names ${addressFrom}, which is not set in the environment`,
    )
  }
  const input = {
    kind,
    address,
    name,
    events: eventsOf(channel),
    projectIds: projectIdsOf(work, parts, channel.projects),
  }
  const what = named('channel', name)
  const fields = [{ name: 'kind', before: null, after: kind }]
  const { row, secret } = await make(work, { ...place, path, action: 'add', what, fields }, () =>
    addChannel(work.tx, work.actor, state.id, input, work),
  )
  if (secret !== null) work.secrets.push({ channel: name, secret })
  if (paused)
    await switchChannel(work.tx, work.actor, { workspaceId: state.id, channelId: row.id }, 'paused')
  return row.id
}

async function update(
  work: Work,
  before: ChannelState,
  channel: Channel,
  parts: Parts,
): Promise<string> {
  const { state, place, path } = parts
  const { tx, actor } = work
  const { id: channelId, name } = before
  const target = { workspaceId: state.id, channelId }
  const events = eventsOf(channel)
  const projectIds = projectIdsOf(work, parts, channel.projects)
  const nameOf = (id: string) => state.projects.find((project) => project.id === id)?.name ?? id
  const fields = differing(
    {
      events: before.events.map((type) => wordFor(eventWords, type)).toSorted(),
      projects: before.projectIds.map(nameOf).toSorted(),
    },
    { events: channel.events?.toSorted(), projects: projectIds?.map(nameOf).toSorted() },
  )
  const what = named('channel', name)
  if (fields.length > 0) {
    await make(work, { ...place, path, action: 'change', what, fields }, () =>
      changeChannel(tx, actor, target, {
        ...(events && { events }),
        ...(projectIds && { projectIds }),
      }),
    )
  }
  const isPaused = before.state === 'paused'
  if (channel.paused === undefined || channel.paused === isPaused) return channelId
  const asked = { name: 'paused', before: isPaused, after: channel.paused }
  await make(
    work,
    { ...place, path: [...path, 'paused'], action: 'change', what, fields: [asked] },
    () => switchChannel(tx, actor, target, channel.paused ? 'paused' : 'on'),
  )
  return channelId
}

/** The project of a digest or a report. @throws {CliError} */
function projectOf(work: Work, { state }: Parts, path: Path, name: string) {
  const found = projectNamed(state.projects, name)
  if (found) return found
  throw work.file.wrong([...path, 'project'], 'names no project of the workspace')
}

const usual = { hour: 7, timeZone: 'UTC' }

async function applyDigests(
  work: Work,
  before: ChannelState | undefined,
  channelId: string,
  { name, digests: wanted }: Channel,
  parts: Parts,
) {
  if (wanted === undefined) return
  const { tx, actor } = work
  const { state, place } = parts
  const path = [...parts.path, 'digests']
  const known = before?.digests ?? []
  const found = wanted.map((digest, index) => ({
    digest,
    project: projectOf(work, parts, [...path, index], digest.project),
  }))
  const what = (project: string) => `${named('digest', project)} to "${name}"`
  for (const { id, projectId } of known) {
    if (found.some(({ project }) => project.id === projectId)) continue
    const project = state.projects.find((each) => each.id === projectId)?.name ?? projectId
    await make(work, { ...place, path, action: 'remove', what: what(project) }, () =>
      removeDigest(tx, actor, state.id, id),
    )
  }
  for (const [index, { digest, project }] of found.entries()) {
    const is = known.find(({ projectId }) => projectId === project.id)
    const { project: _name, ...given } = digest
    const terms = { weekday: 1, ...usual, ...pick(is, ['weekday', 'hour', 'timeZone']), ...given }
    const fields = is ? differing({ ...is }, terms) : []
    if (is && fields.length === 0) continue
    const action = is ? 'change' : 'add'
    await make(
      work,
      { ...place, path: [...path, index], action, what: what(project.name), fields },
      () => setDigest(tx, actor, state.id, { channelId, projectId: project.id, ...terms }),
    )
  }
}

async function applyReports(
  work: Work,
  before: ChannelState | undefined,
  channelId: string,
  { name, reports: wanted }: Channel,
  parts: Parts,
) {
  if (wanted === undefined) return
  const { tx, actor } = work
  const { state, place } = parts
  const path = [...parts.path, 'reports']
  const known = before?.reportSchedules ?? []
  const found = wanted.map(({ every = 'week', ...report }, index) => ({
    report,
    every,
    project: projectOf(work, parts, [...path, index], report.project),
  }))
  const what = (project: string, every: string) =>
    `${named('report', project)} each ${every} to "${name}"`
  for (const { id, projectId, every } of known) {
    if (found.some((each) => each.project.id === projectId && each.every === every)) continue
    const project = state.projects.find((each) => each.id === projectId)?.name ?? projectId
    await make(work, { ...place, path, action: 'remove', what: what(project, every) }, () =>
      removeReportSchedule(tx, actor, state.id, id),
    )
  }
  for (const [index, { report, every, project }] of found.entries()) {
    const is = known.find((each) => each.projectId === project.id && each.every === every)
    const { project: _name, type, ...given } = report
    const terms = {
      reportType: 'combined' as const,
      day: 1,
      ...usual,
      linkDays: 30,
      ...pick(is, ['reportType', 'day', 'hour', 'timeZone', 'linkDays']),
      ...(type && { reportType: type }),
      ...given,
    }
    const fields = is ? differing({ ...is }, terms) : []
    if (is && fields.length === 0) continue
    const action = is ? 'change' : 'add'
    const asked = {
      ...place,
      path: [...path, index],
      action,
      what: what(project.name, every),
      fields,
    } as const
    await make(work, asked, () =>
      setReportSchedule(tx, actor, state.id, { channelId, projectId: project.id, every, ...terms }),
    )
  }
}

function pick<Row extends object, Name extends keyof Row>(
  row: Row | undefined,
  names: readonly Name[],
): Partial<Pick<Row, Name>> {
  if (!row) return {}
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}
