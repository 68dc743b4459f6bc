import { questionKey } from '../../../core/question.ts'
import type { Catalog } from '../../../prisma/client.ts'

/** Stores so many tracked prompts of a project at once. An import knows them by the texts of their revisions. */
export async function storePrompts(db: Catalog, projectId: string, count: number): Promise<void> {
  const made = await db.prompt.createManyAndReturn({
    data: Array.from({ length: count }, (_, at) => ({
      projectId,
      text: `which of ${at} anvils, ${projectId}?`,
    })),
  })
  await db.promptRevision.createMany({
    data: made.map(({ id: promptId, text }) => ({
      promptId,
      revision: 1,
      projectId,
      text,
      questionKey: questionKey(text),
      change: 'created' as const,
    })),
  })
}
