import type pg from 'pg'
import type { DataDirOwner } from '../folder/data-dir-lock.ts'
import type { Problem } from './problem.ts'

/** The jobs of the worker, of this machine or another. */
export interface JobsReport {
  /** Jobs that could start now. */
  readonly waiting: number
  readonly running: number
  /** How long the oldest job has waited, in seconds. */
  readonly oldestSeconds: number
}

export interface WorkerReport extends JobsReport {
  /** The worker of this service; null while it restarts, or where none runs. */
  readonly pid: number | null
}

const jobsQuery = `
SELECT count(*) FILTER (WHERE state <> 'active')::int AS waiting,
       count(*) FILTER (WHERE state = 'active')::int AS running,
       coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE state <> 'active')), 0)::int
         AS "oldestSeconds"
  FROM pgboss.job
 WHERE state <= 'active' AND (state = 'active' OR start_after <= now())`

const lateSeconds = 120

/** The jobs of a catalog; null before its queues exist. */
export async function inspectJobs(client: pg.Client): Promise<JobsReport | null> {
  const exists = await client.query("SELECT to_regclass('pgboss.job') IS NOT NULL AS yes")
  if (!exists.rows[0].yes) return null
  return (await client.query(jobsQuery)).rows[0]
}

/** Whether the jobs get done. A worker has four jobs of a kind at once, so others may wait for some seconds. */
export function inspectWorker(
  jobs: JobsReport | null,
  running: DataDirOwner | null,
  problems: Problem[],
): WorkerReport | null {
  if (!jobs) return null
  const { waiting, oldestSeconds } = jobs
  if (waiting > 0 && oldestSeconds > lateSeconds && running?.temporary === false) {
    problems.push({
      problem: `${waiting} jobs wait for a worker, the oldest for ${oldestSeconds} s.`,
      mend: 'Read the log (logs/sightline.log in DATA_DIR), or run more workers: `npx sightline worker`.',
    })
  }
  return { pid: running?.worker?.pid ?? null, ...jobs }
}
