import { idOf } from '../../core/ids.ts'
import { textHash } from '../../core/prompt-input.ts'
import type { Catalog } from '../../prisma/client.ts'

export interface NamedPrompt {
  readonly text: string
  readonly topicId: string | null
}

interface KnownPrompt {
  readonly id: string
  readonly topicIds: Set<string>
  /** Where its next topic goes. */
  nextPosition: number
}

interface KnownPrompts {
  /** Any wording leads to its prompt. */
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
 * Finds prompts by any wording they ever had, makes the new ones, and adds topics that a prompt lacked.
 * Where several prompts had a wording, the one that had it first keeps it: the ids of answers hang on it.
 */
export function openPrompts(
  db: Catalog,
  projectId: string,
  namesOwnBrand: (text: string) => boolean,
): (named: readonly NamedPrompt[]) => Promise<string[]> {
  const known: KnownPrompts = { byHash: new Map(), byId: new Map() }
  return async (named) => {
    const hashes = named.map(({ text }) => textHash(text))
    const unmet = [...new Set(hashes)].filter((hash) => !known.byHash.has(hash))
    if (unmet.length > 0) await recall(db, projectId, unmet, known)
    const fresh = new Map<string, NewPrompt>()
    const links: TopicLink[] = []
    const ids = named.map(({ text, topicId }, index) => {
      const hash = hashes[index] ?? ''
      const met = known.byHash.get(hash)
      const prompt = met ?? note(known, hash, idOf(projectId, 'prompt', hash))
      if (!met) fresh.set(hash, { id: prompt.id, text, hash })
      if (topicId !== null && !prompt.topicIds.has(topicId)) {
        prompt.topicIds.add(topicId)
        links.push({ promptId: prompt.id, topicId, position: prompt.nextPosition++ })
      }
      return prompt.id
    })
    await write(db, projectId, [...fresh.values()], links, namesOwnBrand)
    return ids
  }
}

/** Remembers a wording of a prompt that may have been met by another wording before. */
function note({ byHash, byId }: KnownPrompts, hash: string, id: string): KnownPrompt {
  const prompt = byId.get(id) ?? { id, topicIds: new Set(), nextPosition: 0 }
  byId.set(id, prompt)
  byHash.set(hash, prompt)
  return prompt
}

async function recall(
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
    if (!known.byHash.has(hash)) note(known, hash, promptId)
  }
  const promptIds = [...new Set(revisions.map(({ promptId }) => promptId))]
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
  fresh: readonly NewPrompt[],
  links: readonly TopicLink[],
  namesOwnBrand: (text: string) => boolean,
): Promise<void> {
  if (fresh.length === 0 && links.length === 0) return
  const prompts = fresh.map(({ id, text }) => ({
    id,
    projectId,
    text,
    isBranded: namesOwnBrand(text),
    isImported: true,
  }))
  const revisions = fresh.map(({ id, text, hash }) => ({
    promptId: id,
    revision: 1,
    projectId,
    text,
    textHash: hash,
    change: 'created' as const,
  }))
  // All or nothing: a prompt without a revision would never be found by its wording.
  await db.$transaction([
    db.prompt.createMany({ data: prompts, skipDuplicates: true }),
    db.promptRevision.createMany({ data: revisions, skipDuplicates: true }),
    db.promptTopic.createMany({ data: [...links], skipDuplicates: true }),
  ])
}
