import { idOf } from '../../core/ids.ts'
import { questionKey, textHash } from '../../core/question.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import { asOnlyWriter, findByQuestion } from '../../resolvers/prompts/questions.ts'
import { readTracking, type TrackingHistory, wasTracked } from './tracking.ts'

export interface GivenPrompt {
  readonly text: string
  readonly topicId: string | null
  readonly collectedAt: Date
}

/** The prompt of an answer. */
export interface FoundPrompt {
  readonly id: string
  /** Prompts that were merged into it. */
  readonly formerIds: readonly string[]
  /** Whether it was tracked when the answer was collected. */
  readonly wasTracked: boolean
}

interface KnownPrompt {
  readonly id: string
  readonly formerIds: string[]
  readonly topicIds: Set<string>
  /** The position of the next new topic. */
  nextPosition: number
  /** Undefined for a prompt that this import creates. */
  tracking?: TrackingHistory | undefined
}

interface KnownPrompts {
  /** By the key of each question. */
  readonly byKey: Map<string, KnownPrompt>
  readonly byId: Map<string, KnownPrompt>
}

interface TopicLink {
  readonly promptId: string
  readonly topicId: string
  readonly position: number
}

/**
 * Makes a function that finds prompts by the question that they ask or ever asked, creates new ones, and adds missing
 * topics. Of several prompts with the same question the first counts, since the ids of answers depend on it.
 */
export function openPrompts(
  db: Catalog,
  projectId: string,
  namesOwnBrand: (text: string) => boolean,
): (named: readonly GivenPrompt[]) => Promise<FoundPrompt[]> {
  const known: KnownPrompts = { byKey: new Map(), byId: new Map() }
  return async (named) => {
    const keys = named.map(({ text }) => questionKey(text))
    const unknown = [...new Set(keys)].filter((key) => !known.byKey.has(key))
    if (unknown.length > 0) await lookUp(db, projectId, unknown, known)
    const texts = new Map<string, string>()
    for (const [index, { text }] of named.entries()) {
      const key = keys[index] ?? ''
      if (!known.byKey.has(key) && !texts.has(key)) texts.set(key, text)
    }
    if (texts.size > 0) await create(db, projectId, texts, known, namesOwnBrand)
    const links: TopicLink[] = []
    const found = named.map(({ topicId, collectedAt }, index) => {
      const prompt = known.byKey.get(keys[index] ?? '')
      if (!prompt) throw new Error('a prompt that was neither found nor created')
      const { id, formerIds } = prompt
      if (prompt.tracking && !wasTracked(prompt.tracking, collectedAt)) {
        return { id, formerIds, wasTracked: false }
      }
      if (topicId !== null && !prompt.topicIds.has(topicId)) {
        prompt.topicIds.add(topicId)
        links.push({ promptId: id, topicId, position: prompt.nextPosition++ })
      }
      return { id, formerIds, wasTracked: true }
    })
    if (links.length > 0) await db.promptTopic.createMany({ data: links, skipDuplicates: true })
    return found
  }
}

/** Remembers a question of a prompt, which another question may have made known. */
function remember({ byKey, byId }: KnownPrompts, key: string, id: string): KnownPrompt {
  const prompt = byId.get(id) ?? { id, formerIds: [], topicIds: new Set(), nextPosition: 0 }
  byId.set(id, prompt)
  byKey.set(key, prompt)
  return prompt
}

async function lookUp(
  db: Db,
  projectId: string,
  keys: readonly string[],
  known: KnownPrompts,
): Promise<void> {
  const rows = await findByQuestion(db, projectId, keys)
  for (const { key, id } of rows) remember(known, key, id)
  const promptIds = [...new Set(rows.map(({ id }) => id))]
  const tracking = await readTracking(db, promptIds)
  for (const id of promptIds) {
    const prompt = known.byId.get(id)
    if (prompt) prompt.tracking = tracking.get(id)
  }
  const where = { promptId: { in: promptIds } }
  for (const { id, promptId } of await db.mergedPrompt.findMany({ where })) {
    known.byId.get(promptId)?.formerIds.push(id)
  }
  for (const { promptId, topicId, position } of await db.promptTopic.findMany({ where })) {
    const prompt = known.byId.get(promptId)
    if (!prompt) continue
    prompt.topicIds.add(topicId)
    prompt.nextPosition = Math.max(prompt.nextPosition, position + 1)
  }
}

/** Creates prompts by the keys of their questions, unless another writer did so meanwhile. */
async function create(
  db: Catalog,
  projectId: string,
  texts: ReadonlyMap<string, string>,
  known: KnownPrompts,
  namesOwnBrand: (text: string) => boolean,
): Promise<void> {
  const branded = new Map([...texts].map(([key, text]) => [key, namesOwnBrand(text)]))
  await asOnlyWriter(db, projectId, async (tx) => {
    await lookUp(tx, projectId, [...texts.keys()], known)
    const added = [...texts].flatMap(([key, text]) =>
      known.byKey.has(key) ? [] : [{ id: idOf(projectId, 'prompt', textHash(text)), key, text }],
    )
    await tx.prompt.createMany({
      data: added.map(({ id, key, text }) => ({
        id,
        projectId,
        text,
        questionKey: key,
        isBranded: branded.get(key) ?? false,
        isImported: true,
      })),
    })
    await tx.promptRevision.createMany({
      data: added.map(({ id, key, text }) => ({
        promptId: id,
        revision: 1,
        projectId,
        text,
        questionKey: key,
        change: 'created' as const,
      })),
    })
    for (const { id, key } of added) remember(known, key, id)
  })
}
