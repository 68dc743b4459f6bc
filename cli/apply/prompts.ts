import { mostPrompts } from '../../core/prompt-input.ts'
import { questionForm } from '../../core/question.ts'
import { addPrompts } from '../../resolvers/prompts/add.ts'
import { setPromptTracking, updatePrompt } from '../../resolvers/prompts/change.ts'
import { changeTopicsOfMany } from '../../resolvers/prompts/many.ts'
import { projectOfJob } from '../../resolvers/shared/job-scope.ts'
import { differing, type Ids, idsOf, make, named, type Place, type Work } from './changes.ts'
import type { Path } from './file.ts'
import { type Prompt, sameName } from './shape.ts'
import type { ProjectState } from './state.ts'

interface Parts {
  readonly topics: Ids
  readonly place: Place
  readonly path: Path
}

/** A prompt of a file with the ids of its topics. */
interface Wanted extends Prompt {
  readonly path: Path
  readonly topicIds: string[] | undefined
}

/** Makes the tracked prompts of a project what the file says: one that it lacks is archived, and keeps its answers. */
export async function applyPrompts(
  work: Work,
  { id, prompts: known }: ProjectState,
  given: readonly Prompt[] | undefined,
  { topics, place, path }: Parts,
): Promise<void> {
  if (given === undefined) return
  const { tx, actor } = work
  const project = await projectOfJob(tx, id)
  if (!project) throw new Error(`There is no project ${id}`)
  const scope = { db: tx, project }
  const wanted = given.map((prompt, index): Wanted => {
    const at = [...path, index]
    const topicIds = idsOf(work, [...at, 'topics'], 'topic', prompt.topics, (name) =>
      topics.get(sameName(name)),
    )
    return { ...prompt, path: at, topicIds }
  })
  const asked = new Map(known.map((prompt) => [questionForm(prompt.text), prompt]))
  const isWanted = new Set(wanted.map(({ text }) => questionForm(text)))
  // Archived first: a plan that has room for no more takes the new ones then.
  for (const { id: promptId, text } of known.filter(
    (each) => !isWanted.has(questionForm(each.text)),
  )) {
    const fields = [{ name: 'tracked', before: true, after: false }]
    const what = named('prompt', text)
    await make(work, { ...place, path, action: 'change', what, fields }, () =>
      setPromptTracking(scope, actor, promptId, { action: 'archive' }),
    )
  }
  const fresh = wanted.filter(({ text }) => !asked.has(questionForm(text)))
  for (let at = 0; at < fresh.length; at += mostPrompts) {
    await add(work, scope, place, fresh.slice(at, at + mostPrompts))
  }
  for (const prompt of wanted) {
    const before = asked.get(questionForm(prompt.text))
    if (before) await update(work, scope, place, before, prompt)
  }
}

type Scope = Parameters<typeof addPrompts>[0]

async function add(work: Work, scope: Scope, place: Place, prompts: readonly Wanted[]) {
  const [first, ...others] = prompts
  if (!first) return
  const what = ({ text }: Wanted) => named('prompt', text)
  const notes = others.map(
    (each) => ({ ...place, path: each.path, action: 'add', what: what(each) }) as const,
  )
  const input = prompts.map(({ text, branded, topicIds }) => ({
    text,
    ...(branded !== undefined && { isBranded: branded }),
    ...(topicIds && { topicIds }),
  }))
  const added = await make(
    work,
    { ...place, path: first.path, action: 'add', what: what(first) },
    () => addPrompts(scope, work.actor, input),
  )
  for (const note of notes) await make(work, note, async () => undefined)
  if (added.failures.length > 0) throw work.file.placed(first.path, added.failures[0])
  for (const [index, row] of added.prompts.entries()) {
    const { intent, branded, topicIds } = prompts[index] ?? {}
    // One that was archived had another wording, intent or topics.
    const isKnown = added.existing.includes(row)
    const data = {
      ...(intent !== undefined && { intentCategory: intent }),
      ...(isKnown && {
        text: prompts[index]?.text ?? row.text,
        ...(branded !== undefined && { isBranded: branded }),
      }),
    }
    const isSame = Object.entries(data).every(
      ([name, value]) => row[name as keyof typeof row] === value,
    )
    if (!isSame) await updatePrompt(scope, work.actor, row.id, data)
    if (isKnown && topicIds) await setTopics(work, scope, row.id, topicIds)
  }
}

/** Gives a prompt these topics, and no others. */
async function setTopics(
  { tx, actor }: Work,
  scope: Scope,
  promptId: string,
  topicIds: readonly string[],
) {
  const links = await tx.promptTopic.findMany({ where: { promptId } })
  const removeTopicIds = links.map(({ topicId }) => topicId).filter((id) => !topicIds.includes(id))
  await changeTopicsOfMany(scope, actor, {
    promptIds: [promptId],
    addTopicIds: [...topicIds],
    removeTopicIds,
  })
}

async function update(
  work: Work,
  scope: Scope,
  place: Place,
  before: ProjectState['prompts'][number],
  { path, text, branded, intent, topics, topicIds }: Wanted,
) {
  const names = before.topics.map(({ topic }) => topic.name)
  const isSameTopics =
    topicIds === undefined ||
    same(
      before.topics.map(({ topic }) => topic.id),
      topicIds,
    )
  const facts = differing(
    { text: before.text, branded: before.isBranded, intent: before.intentCategory },
    { text, branded, intent },
  )
  const fields = isSameTopics ? facts : [...facts, { name: 'topics', before: names, after: topics }]
  if (fields.length === 0) return
  const what = named('prompt', before.text)
  await make(work, { ...place, path, action: 'change', what, fields }, async () => {
    if (facts.length > 0) {
      const data = {
        text,
        ...(branded !== undefined && { isBranded: branded }),
        ...(intent !== undefined && { intentCategory: intent }),
      }
      await updatePrompt(scope, work.actor, before.id, data)
    }
    if (!isSameTopics) await setTopics(work, scope, before.id, topicIds)
  })
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.toSorted().join() === b.toSorted().join()
