import type pg from 'pg'
import { questionKey } from '../core/question.ts'

const pageSize = 1000

/**
 * Fills in the keys of questions that a migration has left empty, all or none. Of several prompts with one question the
 * first gets its key: imports have always counted answers for that one.
 */
export async function fillQuestionKeys(client: pg.Client): Promise<void> {
  const { rows: lacking } = await client.query(
    `SELECT 1 FROM "PromptRevision" WHERE "questionKey" = '' LIMIT 1`,
  )
  if (lacking.length === 0) return
  await client.query('BEGIN')
  try {
    for (;;) {
      const { rows } = await client.query<{ promptId: string; revision: number; text: string }>(
        `SELECT "promptId", revision, text FROM "PromptRevision"
          WHERE "questionKey" = '' LIMIT ${pageSize}`,
      )
      if (rows.length === 0) break
      await client.query(
        `UPDATE "PromptRevision" r SET "questionKey" = f.key
           FROM unnest($1::uuid[], $2::int[], $3::text[]) AS f (id, revision, key)
          WHERE r."promptId" = f.id AND r.revision = f.revision`,
        [
          rows.map(({ promptId }) => promptId),
          rows.map(({ revision }) => revision),
          rows.map(({ text }) => questionKey(text)),
        ],
      )
    }
    await client.query(
      `UPDATE "Prompt" p SET "questionKey" = f.key
         FROM (SELECT DISTINCT ON (p."projectId", r."questionKey") p.id, r."questionKey" AS key
                 FROM "Prompt" p
                 JOIN "PromptRevision" r ON r."promptId" = p.id AND r.revision = p."currentRevision"
                ORDER BY p."projectId", r."questionKey", p."questionKey" IS NULL, p."createdAt", p.id) f
        WHERE p.id = f.id AND p."questionKey" IS NULL`,
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
