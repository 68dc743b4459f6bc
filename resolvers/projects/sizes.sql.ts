import { reached } from './projects.sql.ts'

/** A statement for the most rows that a list may have in one of some projects. */
const tables = {
  topics: 'Topic',
  prompts: 'Prompt',
  locations: 'Location',
  competitors: 'Competitor',
}

const most = (name: string, table: string) => `
  (SELECT coalesce(max(n), 0)::int FROM (
     SELECT count(*) AS n FROM "${table}" WHERE "projectId" IN (SELECT id FROM asked) GROUP BY "projectId"
   ) counts) AS ${name}`

/**
 * The number of projects that the key `$3` of the user `$1` reaches, and the most rows that lists have in one of them. `$2` is
 * the project of a bound key, or null. `$4` has the ids of the projects to count in, or is null for all of them. `$5` has
 * the AI platforms that every project lists.
 */
export const listSizes = `
WITH asked AS MATERIALIZED (SELECT p.id ${reached} AND ($4::uuid[] IS NULL OR p.id = ANY($4)))
SELECT (SELECT count(*)::int FROM asked) AS projects,${Object.entries(tables)
  .map(([name, table]) => most(name, table))
  .join(',')},
  (SELECT coalesce(max(n), 0)::int FROM (
     SELECT count(DISTINCT platform) AS n FROM "ProjectModel"
      WHERE "projectId" IN (SELECT id FROM asked) AND platform <> ALL($5::text[]) GROUP BY "projectId"
   ) counts) + cardinality($5::text[]) AS platforms`
