import { hasTerms } from '../shared/search.sql.ts'

/** Topics with their prompt counts. `$1` is the ids of the projects. */
export const topicsByProject = `
SELECT t.id, t."projectId", t.name,
       count(pt."promptId")::int AS "promptCount",
       (count(pt."promptId") FILTER (WHERE p."isTracked"))::int AS "trackedPromptCount"
  FROM "Topic" t
  LEFT JOIN "PromptTopic" pt ON pt."topicId" = t.id
  LEFT JOIN "Prompt" p ON p.id = pt."promptId"
 WHERE t."projectId" = ANY($1::uuid[])
 GROUP BY t.id
 ORDER BY t.name, t.id`

/** Topics by name that have the terms of a search. */
export const topicHits = `
SELECT id, name FROM "Topic"
 WHERE "projectId" = $1::uuid AND ${hasTerms('name')}
 ORDER BY name, id
 LIMIT $3::int`
