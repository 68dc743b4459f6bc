import { hasTerms } from '../shared/search.sql.ts'

/** Brands by a name, an alias or a domain: the own one, then competitors by name. `$1` is the project, `$3` the limit. */
export const brandHits = `
SELECT id, name
  FROM (
    SELECT id, name, true AS "isOwn", concat_ws(' ', name, domain,
             (SELECT string_agg(text, ' ') FROM "BrandAlias" WHERE "projectId" = $1::uuid),
             (SELECT string_agg(domain, ' ') FROM "OwnDomain" WHERE "projectId" = $1::uuid)) AS names
      FROM "Project" WHERE id = $1::uuid
     UNION ALL
    SELECT id, name, false, concat_ws(' ', name, domain,
             (SELECT string_agg(text, ' ') FROM "CompetitorAlias" WHERE "competitorId" = c.id))
      FROM "Competitor" AS c WHERE "projectId" = $1::uuid) AS brand
 WHERE ${hasTerms('names')}
 ORDER BY "isOwn" DESC, name, id
 LIMIT $3::int`
