import { idOf } from '../../core/ids.ts'
import { textHash } from '../../core/prompt-input.ts'
import type { Catalog } from '../../prisma/client.ts'
import { readTracking, type TrackingHistory, wasTracked } from './tracking.ts'

export interface GivenPrompt {
  readonly text: string
  readonly topicId: string | null
  readonly collectedAt: Date
}

/** The prompt of an answer. */
export interface FoundPrompt {
  readonly id: string
  /** Whether it was tracked when the answer was collected. */
  readonly wasTracked: boolean
}

interface KnownPrompt {
  readonly id: string
  readonly topicIds: Set<string>
  /** The position of the next new topic. */
  nextPosition: number
  /** Undefined for a prompt that this import creates. */
  tracking?: TrackingHistory | undefined
}

interface KnownPrompts {
  /** By the hash of each wording. */
  readonly byHash: Map<string, KnownPrompt>
  readonly byId: Map<string, KnownPrompt>
}

interface NewPrompt {
  readonly id: string
  readonly text: string
  readonly hash: string
}

interface TopicLink {
  readonly promptId: string
  readonly topicId: string
  readonly position: number
}

/**
 * Makes a function that finds prompts by any wording they ever had, creates new ones, and adds missing topics. Of
 * several prompts with the same wording the first counts, since the ids of answers depend on it.
 */
export function openPrompts(
  db: Catalog,
  projectId: string,
  namesOwnBrand: (text: string) => boolean,
): (named: readonly GivenPrompt[]) => Promise<FoundPrompt[]> {
  const known: KnownPrompts = { byHash: new Map(), byId: new Map() }
  return async (named) => {
    const hashes = named.map(({ text }) => textHash(text))
    const unknown = [...new Set(hashes)].filter((hash) => !known.byHash.has(hash))
    if (unknown.length > 0) await lookUp(db, projectId, unknown, known)
    const added = new Map<string, NewPrompt>()
    const links: TopicLink[] = []
    const found = named.map(({ text, topicId, collectedAt }, index) => {
      const hash = hashes[index] ?? ''
      const existing = known.byHash.get(hash)
      const prompt = existing ?? remember(known, hash, idOf(projectId, 'prompt', hash))
      if (prompt.tracking && !wasTracked(prompt.tracking, collectedAt)) {
        return { id: prompt.id, wasTracked: false }
      }
      if (!existing) added.set(hash, { id: prompt.id, text, hash })
      if (topicId !== null && !prompt.topicIds.has(topicId)) {
        prompt.topicIds.add(topicId)
        links.push({ promptId: prompt.id, topicId, position: prompt.nextPosition++ })
      }
      return { id: prompt.id, wasTracked: true }
    })
    await write(db, projectId, [...added.values()], links, namesOwnBrand)
    return found
  }
}

/** Remembers a wording of a prompt, which another wording may have made known. */
function remember({ byHash, byId }: KnownPrompts, hash: string, id: string): KnownPrompt {
  const prompt = byId.get(id) ?? { id, topicIds: new Set(), nextPosition: 0 }
  byId.set(id, prompt)
  byHash.set(hash, prompt)
  return prompt
}

async function lookUp(
  db: Catalog,
  projectId: string,
  hashes: readonly string[],
  known: KnownPrompts,
): Promise<void> {
  const revisions = await db.promptRevision.findMany({
    where: { projectId, textHash: { in: [...hashes] } },
    select: { promptId: true, textHash: true },
    orderBy: [{ createdAt: 'asc' }, { promptId: 'asc' }],
  })
  for (const { promptId, textHash: hash } of revisions) {
    if (!known.byHash.has(hash)) remember(known, hash, promptId)
  }
  const promptIds = [...new Set(revisions.map(({ promptId }) => promptId))]
  const tracking = await readTracking(db, promptIds)
  for (const id of promptIds) {
    const prompt = known.byId.get(id)
    if (prompt) prompt.tracking = tracking.get(id)
  }
  const links = await db.promptTopic.findMany({ where: { promptId: { in: promptIds } } })
  for (const { promptId, topicId, position } of links) {
    const prompt = known.byId.get(promptId)
    if (!prompt) continue
    prompt.topicIds.add(topicId)
    prompt.nextPosition = Math.max(prompt.nextPosition, position + 1)
  }
}

async function write(
  db: Catalog,
  projectId: string,
  added: readonly NewPrompt[],
  links: readonly TopicLink[],
  namesOwnBrand: (text: string) => boolean,
): Promise<void> {
  if (added.length === 0 && links.length === 0) return
  const prompts = added.map(({ id, text }) => ({
    id,
    projectId,
    text,
    isBranded: namesOwnBrand(text),
    isImported: true,
  }))
  const revisions = added.map(({ id, text, hash }) => ({
    promptId: id,
    revision: 1,
    projectId,
    text,
    textHash: hash,
    change: 'created' as const,
  }))
  // One transaction: imports find a prompt only by its revisions.
  await db.$transaction([
    db.prompt.createMany({ data: prompts, skipDuplicates: true }),
    db.promptRevision.createMany({ data: revisions, skipDuplicates: true }),
    db.promptTopic.createMany({ data: [...links], skipDuplicates: true }),
  ])
}
