import { type JobWithMetadata, PgBoss } from 'pg-boss'
import {
  hourlyAlarms,
  type JobData,
  jobKey,
  nightlyBackup,
  nightlyRemoval,
  nightlyTurns,
  type QueueName,
  queueNames,
  queueSchema,
  queues,
} from '../core/queues.ts'
import { inSpan } from '../observability/spans.ts'
import { handlers as allHandlers } from './handlers.ts'
import type { Handlers, JobHandler, WorkSources } from './job.ts'
import { sweep } from './sweep.ts'

export interface Worker {
  /** Begins no further job, gives the running ones 8 s, and returns the others to their queue. */
  stop(): Promise<void>
}

export interface WorkerOptions {
  /** Default: those of the service. */
  readonly handlers?: Handlers
  /** Whether the worker starts jobs by the clock, and takes jobs from workers that died. Default true. */
  readonly supervises?: boolean
  /** Hears of each job that ends. */
  readonly onEnd?: (queue: QueueName, ms: number, result: 'done' | 'failed') => void
}

const stopMs = 8000
/** A killed worker's job waits for its heartbeat to be missed, for this look at the queues, and for its retry. */
const superviseSeconds = 5
/**
 * pg-boss remembers which keys have an active job, and fetches no other job of them. With its default of 60 seconds, the
 * retry of a killed worker's job waits as long.
 */
const cacheSeconds = 2
/** A new job is notified, a retry is not: it waits for the next look. */
const pollSeconds = 1
/** Statements of pg-boss are short: jobs use the pool of the catalog. All queues are polled at once, so all stay open. */
const connections = 2

/** Starts a worker, which does the jobs of all queues until it is stopped. Several workers share the jobs. */
export async function startWorker(
  sources: WorkSources,
  { handlers = allHandlers, supervises = true, onEnd }: WorkerOptions = {},
): Promise<Worker> {
  const { databaseUrl, log } = sources
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: queueSchema,
    max: connections,
    migrate: false,
    createSchema: false,
    supervise: supervises,
    schedule: supervises,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 3600,
    queueCacheIntervalSeconds: cacheSeconds,
    useListenNotify: true,
  })
  boss.on('error', (err) => log.warn({ err }, 'the queue of jobs had a fault'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  await boss.start()

  async function perform<Queue extends QueueName>(
    queue: Queue,
    handler: JobHandler<JobData[Queue]>,
    job: JobWithMetadata<JobData[Queue]>,
  ): Promise<void> {
    const { data, signal, retryCount, retryLimit } = job
    const began = performance.now()
    const about = { queue, key: jobKey<Queue>(data), attempt: retryCount + 1 }
    try {
      const work = { ...sources, signal, stopping: stopping.signal }
      await inSpan(`job ${queue}`, { 'sightline.attempt': retryCount + 1 }, () =>
        handler.run(data, work),
      )
      onEnd?.(queue, performance.now() - began, 'done')
      log.info({ ...about, ms: Math.round(performance.now() - began) }, 'job done')
    } catch (err) {
      const isLast = retryCount >= retryLimit && !stopping.signal.aborted
      onEnd?.(queue, performance.now() - began, 'failed')
      log.warn({ ...about, err, isLast }, 'job failed')
      if (isLast) await handler.fail(data, sources)
      throw err
    }
  }

  async function workOn<Queue extends QueueName>(
    queue: Queue,
    handler: JobHandler<JobData[Queue]>,
  ): Promise<void> {
    const options = {
      includeMetadata: true,
      localConcurrency: queues[queue].atOnce,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
    } as const
    await boss.work<JobData[Queue], void, typeof options>(queue, options, async ([job]) => {
      if (job) await perform(queue, handler, job)
    })
  }

  const sweeping: JobHandler<object> = {
    run: () => sweep(handlers, sources),
    fail: async () => undefined,
    unfinished: async () => [],
  }
  const complete: Handlers = { ...handlers, sweep: sweeping }
  for (const queue of queueNames) {
    // Only a worker beside the service reaches the event log and the secrets.
    const handler = queue === 'backup' && !sources.backUp ? undefined : complete[queue]
    if (handler) await workOn(queue, handler as JobHandler<JobData[typeof queue]>)
  }
  if (supervises) {
    await boss.schedule('sweep', '* * * * *', {})
    await boss.schedule('schedules', '* * * * *', {}, { singletonKey: jobKey({}) })
    await boss.schedule('due', '* * * * *', {}, { singletonKey: jobKey({}) })
    await boss.schedule('retention', nightlyRemoval, {}, { singletonKey: jobKey({}) })
    if (sources.backUp) {
      await boss.schedule('backup', nightlyBackup, {}, { singletonKey: jobKey({}) })
    }
    const allProjects: JobData['opportunities' | 'alarms'] = { projectId: null }
    await boss.schedule('alarms', hourlyAlarms, allProjects, { singletonKey: jobKey(allProjects) })
    await boss.schedule('opportunities', nightlyTurns, allProjects, {
      singletonKey: jobKey(allProjects),
    })
  }

  return {
    stop: async () => {
      // Queues hand out no more jobs once those that run hear of the stop.
      await Promise.all(queueNames.map((queue) => boss.offWork(queue, { wait: false })))
      stopping.abort()
      await boss.stop({ graceful: true, timeout: stopMs })
    },
  }
}
