/** Jobs by queue, as `Backlog`: a job waits from the time at which it could start. */
export const backlogByQueue = `
SELECT name AS queue,
       count(*) FILTER (WHERE state <> 'active' AND start_after <= now())::int AS waiting,
       count(*) FILTER (WHERE state = 'active')::int AS running,
       coalesce(extract(epoch FROM now() - min(start_after)
                                   FILTER (WHERE state <> 'active' AND start_after <= now())), 0)::float8
         AS "oldestSeconds"
  FROM pgboss.job
 WHERE state <= 'active'
 GROUP BY name`
