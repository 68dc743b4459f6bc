/** Mean costs of the answers in the newest `$2` runs of the workspace `$1`, of `$3` answers or more. */
export const measuredCosts = `
SELECT a.provider::text AS provider, a.model, avg(a.cost)::float8 AS cost
  FROM "Ask" a
 WHERE a.state = 'answered' AND a.cost IS NOT NULL AND a."runId" IN (
         SELECT r.id FROM "Run" r JOIN "Project" p ON p.id = r."projectId"
          WHERE p."workspaceId" = $1::uuid ORDER BY r."createdAt" DESC, r.id LIMIT $2)
 GROUP BY a.provider, a.model
HAVING count(*) >= $3`
