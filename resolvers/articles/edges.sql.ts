import { isOwnHost, ownPages, pathIn } from './articles.sql.ts'

/** Own pages of projects `$1` at the paths `$2`. Of several hosts the shortest comes first. */
export const pagesAtPaths = `
SELECT o.id, o."projectId", o.path
  FROM (${ownPages}) o
 WHERE o.path = ANY($2::text[]) AND ${isOwnHost}
 ORDER BY length(o.host), o.url`

/** Content pieces of projects `$1` at the paths `$2`; those of the newer store first, then the last changed. */
export const piecesAtPaths = `
SELECT id, "projectId", title, slug, "urlPath", status, type, topic, "targetKeyword", keywords, "wordCount",
       "metaDescription", "ogImage", visibility, "isPillar", "aiReadinessScore", tags, source,
       "createdAt", "updatedAt", "publishedAt"
  FROM "Article"
 WHERE "projectId" = ANY($1::uuid[]) AND ${pathIn('"urlPath"')} = ANY($2::text[])
 ORDER BY (status = 'archived'), (source = 'content-v2') DESC, "updatedAt" DESC, id`
