import type { Db } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'

interface RecordTable {
  readonly name: 'Article' | 'DomainAuthority' | 'Page'
  readonly key: readonly string[]
}

/**
 * Gives each record that the import wrote last the state from before the import; a new record goes. What later imports
 * keep of the import for their own undo becomes what this one had found.
 */
export async function restoreRecords(
  tx: Db,
  { id, projectId, isSitemap, finishedAt }: Import,
  { name, key }: RecordTable,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "ImportedRecord" AS later SET "before" = this."before"
      FROM "ImportedRecord" AS this
     WHERE this."importId" = ${id}::uuid AND this."table" = ${name} AND later."table" = ${name}
       AND later."key" = this."key" AND later."importId" <> this."importId"
       AND later."before"->>'importId' = ${id}`
  await tx.$executeRawUnsafe(
    `DELETE FROM "${name}" WHERE "projectId" = $1::uuid AND "importId" = $2::uuid`,
    projectId,
    id,
  )
  const columns = key.map((column) => `"${column}"`).join(', ')
  await tx.$executeRawUnsafe(
    `INSERT INTO "${name}"
     SELECT (jsonb_populate_record(NULL::"${name}", "before")).*
       FROM "ImportedRecord" WHERE "importId" = $1::uuid AND "table" = $2 AND jsonb_typeof("before") = 'object'
         ON CONFLICT ("projectId", ${columns}) DO NOTHING`,
    id,
    name,
  )
  if (isSitemap) await removeSitemap(tx, projectId, finishedAt)
}

/** Removes the sitemap of the import, unless a later import or refresh has replaced it. */
async function removeSitemap(tx: Db, projectId: string, finishedAt: Date | null): Promise<void> {
  const project = await tx.project.findUniqueOrThrow({ where: { id: projectId } })
  const { sitemapRefreshedAt } = project
  if (finishedAt === null || sitemapRefreshedAt === null || sitemapRefreshedAt > finishedAt) return
  await tx.sitemapUrl.deleteMany({ where: { projectId } })
  await tx.project.update({ where: { id: projectId }, data: { sitemapRefreshedAt: null } })
}
