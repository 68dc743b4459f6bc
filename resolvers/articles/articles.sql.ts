import { follows, sortedBy } from '../shared/lists/keyset.ts'

/**
 * Statements over content pieces. Two stores may hold the same slug: the piece of the newer store wins.
 * `$1` is the project, `$2` the statuses; null selects all statuses but `archived`.
 */
const merged = `
  SELECT DISTINCT ON (slug) id, "projectId", title, slug, "urlPath", status, type, topic, "targetKeyword", keywords, "wordCount",
         "metaDescription", "ogImage", visibility, "isPillar", "aiReadinessScore", tags, source,
         "createdAt", "updatedAt", "publishedAt"
    FROM "Article" WHERE "projectId" = $1::uuid
   ORDER BY slug, (source = 'content-v2') DESC, source`

const asked = `
  SELECT * FROM (${merged}) AS merged
   WHERE CASE WHEN $2::text[] IS NULL THEN status <> 'archived' ELSE status = ANY($2::text[]) END`

const latestFirst = [
  { column: '"updatedAt"', type: 'timestamptz', isDescending: true },
  { column: 'id', type: 'uuid' },
] as const

/** A page of content pieces, latest change first. `$5` is the row before. */
export const articlePage = `
SELECT * FROM (${asked}) AS asked WHERE ${follows(latestFirst, '$5')}
 ORDER BY ${sortedBy(latestFirst)} LIMIT $3 OFFSET $4`

/** Content pieces by status. */
export const articleCounts = `
SELECT status AS key, count(*)::int AS count FROM (${asked}) AS asked GROUP BY status ORDER BY 2 DESC, 1`

/** The path of a page or of a content piece, without the slash at its end. */
export const pathIn = (text: string) => `coalesce(nullif(rtrim(${text}, '/'), ''), '/')`
const pathOfUrl = pathIn("regexp_replace(url, '^https?://[^/]+', '')")

/** Pages of projects `$1`, with host and path. */
export const ownPages = `
  SELECT id, "projectId", url, ${pathOfUrl} AS path, substring(url from '^https?://([^/:]+)') AS host
    FROM "Page" WHERE "projectId" = ANY($1::uuid[])`

/** Whether the host of a page is of an own domain: `$3` has the project of each domain in `$4`. */
export const isOwnHost = `
  EXISTS (SELECT FROM unnest($3::uuid[], $4::text[]) AS d(project, name)
           WHERE d.project = o."projectId" AND (o.host = d.name OR o.host LIKE '%.' || d.name))`

/**
 * AI readiness of own pages by path, as the newest completed audit that judged a page at the path scored it. `$1` has the
 * projects, `$2` the paths.
 */
export const readinessByPath = `
SELECT DISTINCT ON (o."projectId", o.path) o."projectId", o.path, (p.scores->>'aiReadiness')::float AS score
  FROM (${ownPages}) o
  JOIN "AuditPage" p ON p."pageId" = o.id AND p.status = 'completed'
  JOIN "Audit" a ON a.id = p."auditId" AND a.status = 'completed'
 WHERE o.path = ANY($2::text[])
   AND ${isOwnHost}
 ORDER BY o."projectId", o.path, a.seq DESC`
