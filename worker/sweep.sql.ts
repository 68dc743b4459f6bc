/**
 * For each key of `$2` with jobs in the queue `$1`: whether a job waits or runs, and whether the newest job failed for
 * good.
 */
export const jobStates = `
SELECT singleton_key AS key, bool_or(state < 'completed') AS live,
       (array_agg(state ORDER BY created_on DESC, id))[1] = 'failed' AS failed
  FROM pgboss.job
 WHERE name = $1 AND singleton_key = ANY($2::text[])
 GROUP BY singleton_key`
