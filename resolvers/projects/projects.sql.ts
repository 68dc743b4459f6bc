import { follows, sortedBy } from '../shared/lists/keyset.ts'

/** A key that an owner keeps out of a workspace reaches no more there than the key of a stranger. */
const keyIsLetIn = (key: string) => `NOT EXISTS (
  SELECT FROM "KeyBlock" b WHERE b."workspaceId" = p."workspaceId" AND b."apiKeyId" = ${key}::uuid)`

/** Projects with everything a report needs, in one statement for any number of ids. */
const projectsWhere = (isAsked: string) => `
SELECT p.id, p."workspaceId", p.name, p.domain, p.kind::text, p.status::text, p."isActive",
       p.description, p.industry, p."profileUpdatedAt", p."logoHash", p."createdAt", p."updatedAt",
       p."dataAvailableFrom"::text, p."visibleLoad",
       coalesce(p."deadLoads", '{}') AS "deadLoads", p.analysis,
       p."sitemapStatus"::text, p."sitemapJobId", p."sitemapRefreshedAt", p."sitemapError",
       (SELECT s.version FROM "SentimentRater" s WHERE s."projectId" = p.id) AS "sentimentVersion",
       w.plan::text AS plan, m.role::text AS role,
       ARRAY(SELECT a.text FROM "BrandAlias" a WHERE a."projectId" = p.id ORDER BY a.text) AS aliases,
       ARRAY(SELECT o.domain FROM "OwnDomain" o WHERE o."projectId" = p.id ORDER BY o.domain) AS "ownDomains",
       ARRAY(SELECT DISTINCT c.kind::text FROM "Connection" c WHERE c."projectId" = p.id) AS connections,
       (SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'domain', c.domain)
                                 ORDER BY c.name, c.id), '[]')
          FROM "Competitor" c WHERE c."projectId" = p.id) AS competitors,
       (SELECT coalesce(json_object_agg(v.kind, v.version), '{}')
          FROM (SELECT d.kind, sum(d.version)::text AS version
                  FROM "DataVersion" d WHERE d."projectId" = p.id GROUP BY d.kind) v) AS "dataVersions"
  FROM "Project" p
  JOIN "Workspace" w ON w.id = p."workspaceId"
  LEFT JOIN "Membership" m ON m."workspaceId" = p."workspaceId" AND m."userId" = $2::uuid AND ${keyIsLetIn('$3')}
 WHERE ${isAsked}`

export const projectsById = projectsWhere('p.id = ANY($1::uuid[])')

/** PostgreSQL keeps the plan of this one. It plans a list of ids again each time, for four times the work. */
export const projectById = projectsWhere('p.id = $1::uuid')

const byName = [
  { column: 'p.name', type: 'text' },
  { column: 'p.id', type: 'uuid' },
]

/** Projects of the user `$1` that the key `$3` reaches; `$2` is the project of a bound key, or null. */
export const reached = `
  FROM "Project" p
  JOIN "Membership" m ON m."workspaceId" = p."workspaceId" AND m."userId" = $1::uuid
 WHERE ($2::uuid IS NULL OR p.id = $2::uuid) AND ${keyIsLetIn('$3')}`

/** Ids of the projects that a key reaches, by name; `$6` is the row before. */
export const reachableProjects = `
SELECT p.id, count(*) OVER ()::int AS total
${reached} AND ${follows(byName, '$6')}
 ORDER BY ${sortedBy(byName)}
 LIMIT $4 OFFSET $5`

export const countReachableProjects = `SELECT count(*)::int AS total ${reached}`
