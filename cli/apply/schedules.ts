import { questionForm } from '../../core/question.ts'
import {
  createSchedule,
  deleteSchedule,
  updateSchedule,
} from '../../resolvers/collecting/schedules.ts'
import { differing, type Ids, idsOf, make, named, type Place, type Work } from './changes.ts'
import type { Path } from './file.ts'
import { placeLabel, type Schedule, sameName } from './shape.ts'
import type { ProjectState } from './state.ts'

interface Parts {
  readonly topics: Ids
  readonly locations: Ids
  readonly place: Place
  readonly path: Path
}

/** Makes the schedules of a project what the file says. */
export async function applySchedules(
  work: Work,
  state: ProjectState,
  wanted: readonly Schedule[] | undefined,
  { topics, locations, place, path }: Parts,
): Promise<void> {
  if (wanted === undefined) return
  const { tx, actor } = work
  const { id, schedules } = state
  const prompts = await promptsNow(work, id, wanted)
  for (const known of schedules) {
    if (wanted.some(({ name }) => sameName(name) === sameName(known.name))) continue
    const what = named('schedule', known.name)
    await make(work, { ...place, path, action: 'remove', what }, () =>
      deleteSchedule(tx, actor, id, known.id),
    )
  }
  for (const [index, schedule] of wanted.entries()) {
    const at = [...path, index]
    const { prompts: texts, topics: names, locations: places, ...terms } = schedule
    const input = {
      ...terms,
      promptIds: idsOf(work, [...at, 'prompts'], 'tracked prompt', texts, (text) =>
        prompts.get(questionForm(text)),
      ),
      topicIds: idsOf(work, [...at, 'topics'], 'topic', names, (name) =>
        topics.get(sameName(name)),
      ),
      locationIds: idsOf(work, [...at, 'locations'], 'location', places, (text) =>
        locations.get(placeLabel(text)),
      ),
    }
    const known = schedules.find(({ name }) => sameName(name) === sameName(schedule.name))
    const what = named('schedule', schedule.name)
    if (!known) {
      const fields = [{ name: 'cron', before: null, after: schedule.cron }]
      await make(work, { ...place, path: at, action: 'add', what, fields }, () =>
        createSchedule(tx, actor, id, input),
      )
      continue
    }
    const found = differing(inOrder(known), inOrder(input))
    if (found.length === 0) continue
    const fields = found.map((field) => inNames(field, state, schedule))
    await make(work, { ...place, path: at, action: 'change', what, fields }, () =>
      updateSchedule(tx, actor, id, known.id, input),
    )
  }
}

/** The tracked prompts after the change, by their questions. */
async function promptsNow(
  { tx }: Work,
  projectId: string,
  schedules: readonly Schedule[],
): Promise<Ids> {
  if (schedules.every(({ prompts }) => prompts === undefined)) return new Map()
  const where = { projectId, isTracked: true }
  const rows = await tx.prompt.findMany({ where, select: { id: true, text: true } })
  return new Map(rows.map(({ id, text }) => [questionForm(text), id]))
}

/** The order of what a schedule asks means nothing. */
const inOrder = (facts: object) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.toSorted() : value,
    ]),
  )

const lists = { promptIds: 'prompts', topicIds: 'topics', locationIds: 'locations' } as const

/** A difference of ids in the names that a file has. */
function inNames(
  field: ReturnType<typeof differing>[number],
  { askedTexts, topics, locations }: ProjectState,
  wanted: Schedule,
) {
  const list = lists[field.name as keyof typeof lists]
  if (list === undefined) return field
  const names = new Map([
    ...askedTexts,
    ...topics.map(({ id, name }) => [id, name] as const),
    ...locations.map(({ id, label }) => [id, label] as const),
  ])
  const before = (field.before as string[]).map((id) => names.get(id) ?? id)
  return { name: list, before, after: wanted[list] }
}
