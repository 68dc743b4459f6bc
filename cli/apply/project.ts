import {
  addCompetitor,
  addCompetitorAlias,
  removeCompetitor,
  removeCompetitorAlias,
  updateCompetitor,
} from '../../resolvers/competitors/change.ts'
import { addLocation, removeLocation } from '../../resolvers/locations.ts'
import { addBrandAlias, removeBrandAlias } from '../../resolvers/projects/aliases.ts'
import { setProjectStatus, updateProject } from '../../resolvers/projects/change.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { addOwnDomain, removeOwnDomain } from '../../resolvers/projects/own-domains.ts'
import { firstSentimentMethod } from '../../resolvers/sentiment/method.ts'
import type { ProjectChangeResult } from '../../resolvers/shared/change.ts'
import { addTopic, removeTopic } from '../../resolvers/topics/topics.ts'
import { type Asked, differing, type Ids, make, named, type Place, type Work } from './changes.ts'
import type { Path } from './file.ts'
import { applyMonitors } from './monitors.ts'
import { applyPrompts } from './prompts.ts'
import { applySchedules } from './schedules.ts'
import { type Project, placeLabel, sameName } from './shape.ts'
import { type ProjectState, readProjectState, type WorkspaceState } from './state.ts'

/** The project of a workspace that a name or a domain means. */
export const projectNamed = (projects: WorkspaceState['projects'], text: string) =>
  projects.find(({ name }) => sameName(name) === sameName(text)) ??
  projects.find(({ domain }) => domain === sameName(text))

/** Makes a project what the file says. @returns its id */
export async function applyProject(
  work: Work,
  { id: workspaceId, name: workspace, projects }: WorkspaceState,
  wanted: Project,
  path: Path,
): Promise<string> {
  const { name, domain, kind, description, industry } = wanted
  const known = projectNamed(projects, name) ?? projectNamed(projects, domain)
  const place: Place = { workspace, project: name }
  if (known === undefined) {
    const input = {
      workspaceId,
      name,
      domain,
      ...(kind && { kind }),
      ...(description && { description }),
      ...(industry && { industry }),
    }
    const { id } = await make(
      work,
      {
        ...place,
        path,
        action: 'add',
        what: named('project', name),
        fields: [{ name: 'domain', before: null, after: domain }],
      },
      () =>
        createProject(work.tx, input, work.signingSecret, {
          actor: work.actor,
          firstMethod: firstSentimentMethod,
        }),
    )
    await applyParts(work, await readProjectState(work.tx, id), wanted, place, path)
    // It has no answers yet.
    work.recount.delete(id)
    return id
  }
  const state = await readProjectState(work.tx, known.id)
  if (kind !== undefined && kind !== state.kind) {
    throw work.file.wrong([...path, 'kind'], `is ${state.kind}, and cannot be changed`)
  }
  const facts = { name, domain, description, industry }
  const fields = differing(state, facts)
  if (fields.length > 0) {
    await change(
      work,
      known.id,
      { ...place, path, action: 'change', what: named('project', state.name), fields },
      () => updateProject(work.tx, work.actor, known.id, facts),
    )
  }
  await applyParts(work, state, wanted, place, path)
  return known.id
}

/** A change that may leave stored answers without a name. */
async function change(
  work: Work,
  projectId: string,
  asked: Asked,
  run: () => Promise<ProjectChangeResult>,
): Promise<string> {
  const { subjectId, needsReanalysis } = await make(work, asked, run)
  if (needsReanalysis) work.recount.add(projectId)
  return subjectId
}

async function applyParts(
  work: Work,
  state: ProjectState,
  wanted: Project,
  place: Place,
  path: Path,
): Promise<void> {
  await applyStatus(work, state, wanted, place, path)
  await applyAliases(work, state, state.aliases, wanted.aliases, {
    place,
    path: [...path, 'aliases'],
    noun: 'alias',
    add: (alias) => addBrandAlias(work.tx, work.actor, state.id, alias),
    remove: (alias) => removeBrandAlias(work.tx, work.actor, state.id, alias),
  })
  await applyCompetitors(work, state, wanted, place, [...path, 'competitors'])
  await applyOwnDomains(work, state, wanted, place, [...path, 'ownDomains'])
  const { tx, actor } = work
  const topics = await applyNamed(work, state.id, {
    place,
    path: [...path, 'topics'],
    noun: 'topic',
    known: state.topics.map(({ id, name: text }) => ({ id, text })),
    wanted: wanted.topics,
    keyOf: sameName,
    add: (name) => addTopic(tx, actor, state.id, { name }),
    remove: (id) => removeTopic(tx, actor, state.id, id),
  })
  const locations = await applyNamed(work, state.id, {
    place,
    path: [...path, 'locations'],
    noun: 'location',
    known: state.locations.map(({ id, label: text }) => ({ id, text })),
    wanted: wanted.locations,
    keyOf: placeLabel,
    add: (text) => addLocation(tx, actor, state.id, { place: text }),
    remove: (id) => removeLocation(tx, actor, state.id, id),
  })
  await applyPrompts(work, state, wanted.prompts, { topics, place, path: [...path, 'prompts'] })
  await applySchedules(work, state, wanted.schedules, {
    topics,
    locations,
    place,
    path: [...path, 'schedules'],
  })
  await applyMonitors(work, state, wanted.monitors, { topics, place, path: [...path, 'monitors'] })
}

async function applyStatus(
  work: Work,
  { id, name, status, isActive }: ProjectState,
  { status: wanted }: Project,
  place: Place,
  path: Path,
) {
  const is = isActive ? status : 'inactive'
  if (wanted === undefined || wanted === is) return
  const fields = [{ name: 'status', before: is, after: wanted }]
  const asked: Asked = {
    ...place,
    path: [...path, 'status'],
    action: 'change',
    what: named('project', name),
    fields,
  }
  await make(work, asked, async () => {
    // Only an active project is paused or archived.
    if (!isActive) await setProjectStatus(work.tx, work.actor, id, 'active')
    await setProjectStatus(work.tx, work.actor, id, wanted)
  })
}

interface Alias {
  readonly text: string
  readonly caseSensitive: boolean | null
}

async function applyAliases(
  work: Work,
  { id }: Pick<ProjectState, 'id'>,
  known: readonly Alias[],
  wanted: readonly Alias[] | undefined,
  how: {
    readonly place: Place
    readonly path: Path
    readonly noun: string
    readonly add: (alias: Alias) => Promise<ProjectChangeResult>
    readonly remove: (alias: Alias) => Promise<ProjectChangeResult>
  },
) {
  if (wanted === undefined) return
  const { place, path, noun } = how
  for (const alias of known) {
    if (wanted.some(({ text }) => text === alias.text)) continue
    const asked: Asked = { ...place, path, action: 'remove', what: named(noun, alias.text) }
    await change(work, id, asked, () => how.remove(alias))
  }
  for (const [index, alias] of wanted.entries()) {
    const before = known.find(({ text }) => text === alias.text)
    const fields = before ? differing({ ...before }, { ...alias }) : []
    if (before && fields.length === 0) continue
    const action = before ? 'change' : 'add'
    const asked: Asked = {
      ...place,
      path: [...path, index],
      action,
      what: named(noun, alias.text),
      fields,
    }
    await change(work, id, asked, () => how.add(alias))
  }
}

async function applyCompetitors(
  work: Work,
  { id, competitors }: ProjectState,
  { competitors: wanted }: Project,
  place: Place,
  path: Path,
) {
  if (wanted === undefined) return
  const { tx, actor } = work
  const matches = wanted.map(({ name, domain }) => ({
    byName: competitors.find((each) => sameName(each.name) === sameName(name)),
    byDomain: competitors.find((each) => each.domain === domain),
  }))
  // A competitor that another entry means by its name is not renamed to this one.
  const taken = new Set(matches.map(({ byName }) => byName?.id))
  const found = matches.map(
    ({ byName, byDomain }) =>
      byName ?? (byDomain && !taken.has(byDomain.id) ? byDomain : undefined),
  )
  for (const { id: rival, name } of competitors) {
    if (found.some((each) => each?.id === rival)) continue
    const asked: Asked = { ...place, path, action: 'remove', what: named('competitor', name) }
    await change(work, id, asked, () => removeCompetitor(tx, actor, id, rival))
  }
  for (const [index, { aliases, ...facts }] of wanted.entries()) {
    const at = [...path, index]
    const before = found[index]
    const what = named('competitor', before?.name ?? facts.name)
    let rival = before?.id ?? ''
    const fields = before
      ? differing({ ...before }, facts)
      : [{ name: 'domain', before: null, after: facts.domain }]
    if (!before) {
      rival = await change(work, id, { ...place, path: at, action: 'add', what, fields }, () =>
        addCompetitor(tx, actor, id, facts),
      )
    } else if (fields.length > 0) {
      await change(work, id, { ...place, path: at, action: 'change', what, fields }, () =>
        updateCompetitor(tx, actor, id, rival, facts),
      )
    }
    await applyAliases(work, { id }, before?.aliases ?? [], aliases, {
      place,
      path: [...at, 'aliases'],
      noun: `${what}, alias`,
      add: (alias) => addCompetitorAlias(tx, actor, id, rival, alias),
      remove: (alias) => removeCompetitorAlias(tx, actor, id, rival, alias),
    })
  }
}

async function applyOwnDomains(
  work: Work,
  { id, domain: main, ownDomains }: ProjectState,
  { ownDomains: wanted }: Project,
  place: Place,
  path: Path,
) {
  if (wanted === undefined) return
  const { tx, actor } = work
  for (const { domain } of ownDomains) {
    if (wanted.includes(domain)) continue
    const asked: Asked = { ...place, path, action: 'remove', what: named('domain', domain) }
    await change(work, id, asked, () => removeOwnDomain(tx, actor, id, { domain }))
  }
  for (const [index, domain] of wanted.entries()) {
    if (domain === main || ownDomains.some((each) => each.domain === domain)) continue
    const asked: Asked = {
      ...place,
      path: [...path, index],
      action: 'add',
      what: named('domain', domain),
    }
    await change(work, id, asked, () => addOwnDomain(tx, actor, id, { domain }))
  }
}

/** A list of texts of a file, and what a project has of its kind. */
interface Named {
  readonly place: Place
  readonly path: Path
  readonly noun: string
  readonly known: readonly { readonly id: string; readonly text: string }[]
  readonly wanted: readonly string[] | undefined
  /** Two texts with one key mean the same. */
  readonly keyOf: (text: string) => string
  readonly add: (text: string) => Promise<ProjectChangeResult>
  readonly remove: (id: string) => Promise<ProjectChangeResult>
}

/** Adds and removes what has only a text, such as topics. @returns ids by the keys of the texts */
async function applyNamed(
  work: Work,
  projectId: string,
  { place, path, noun, known, wanted = known.map(({ text }) => text), keyOf, ...how }: Named,
): Promise<Ids> {
  const ids = new Map(known.map(({ id, text }) => [keyOf(text), id]))
  for (const [index, text] of wanted.entries()) {
    if (ids.has(keyOf(text))) continue
    const at = [...path, index]
    const asked: Asked = { ...place, path: at, action: 'add', what: named(noun, text) }
    ids.set(keyOf(text), await change(work, projectId, asked, () => how.add(text)))
  }
  const keys = new Set(wanted.map(keyOf))
  for (const { id, text } of known.filter((one) => !keys.has(keyOf(one.text)))) {
    ids.delete(keyOf(text))
    const asked: Asked = { ...place, path, action: 'remove', what: named(noun, text) }
    // Prompts, schedules and monitors of the file let go of it first.
    work.last.push(async () => {
      await change(work, projectId, asked, () => how.remove(id))
    })
  }
  return ids
}
