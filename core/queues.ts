/** The jobs of the worker: the queues, and the data that a job of each queue carries. */
export interface JobData {
  /** One slice of an audit. */
  readonly audit: { readonly auditId: string }
  /** One refresh of a project's sitemap. */
  readonly sitemap: { readonly projectId: string }
  readonly report: { readonly reportId: string }
  /** The proposals for the set-up of one project. */
  readonly setup: { readonly projectId: string }
  /** The opportunities of one project; null for all projects, each in a job of its own. */
  readonly opportunities: { readonly projectId: string | null }
  /** The monitors of one project; null for all projects, each in a job of its own. */
  readonly alarms: { readonly projectId: string | null }
  /** The mentions of one project that the judge has not rated. */
  readonly judge: { readonly projectId: string }
  /** One run, which asks prompts at providers. */
  readonly collect: { readonly runId: string }
  /** The next look at the tasks of one run, which services work on. */
  readonly tasks: { readonly runId: string }
  /** The mail of an invitation or of a channel by its id, or the link for a new password by the address, whose hash is the id. */
  readonly mail: {
    readonly id: string
    readonly kind: 'invitation' | 'reset' | 'channel'
    readonly address?: string
  }
  /** All that is due for one channel. */
  readonly deliver: { readonly channelId: string }
  /** One digest, and the time when it was due. */
  readonly digest: { readonly digestId: string; readonly dueAt: string }
  /** The next days of one feed of data. */
  readonly pull: { readonly feedId: string }
  /** The look for deliveries, digests and feeds that are due. */
  readonly due: object
  /** The start of runs whose schedules are due. */
  readonly schedules: object
  /** The removal of what is older than the settings keep. */
  readonly retention: object
  /** The backup of the night. */
  readonly backup: object
  /** The search for audits, refreshes and reports that lost their job. */
  readonly sweep: object
}

/** The states of a record whose job has not ended, as a filter. */
export const notEnded = { in: ['queued' as const, 'running' as const] }

export type QueueName = keyof JobData

/** Terms of a queue. Times are in seconds. */
export interface QueueTerms {
  /**
   * Of jobs with the same key: `exclusive` allows one, waiting or running; `stately` allows one that waits beside
   * one that runs.
   */
  readonly policy: 'exclusive' | 'stately'
  readonly retryLimit: number
  readonly retryDelay: number
  /** Whether the delay doubles with each retry. */
  readonly retryBackoff: boolean
  /** A job that runs longer is given to another worker. */
  readonly expireInSeconds: number
  /** How long a job is kept after its end. */
  readonly deleteAfterSeconds: number
  /** Jobs that one process runs side by side. */
  readonly atOnce: number
}

const dayS = 24 * 3600
const common = { retryBackoff: false, expireInSeconds: 120, deleteAfterSeconds: dayS }

export const queues = {
  audit: { ...common, policy: 'stately', retryLimit: 100, retryDelay: 1, atOnce: 4 },
  sitemap: {
    ...common,
    policy: 'exclusive',
    retryLimit: 5,
    retryDelay: 10,
    retryBackoff: true,
    expireInSeconds: 3600,
    atOnce: 2,
  },
  report: {
    ...common,
    policy: 'exclusive',
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    atOnce: 2,
  },
  setup: {
    ...common,
    policy: 'exclusive',
    retryLimit: 2,
    retryDelay: 2,
    expireInSeconds: 600,
    atOnce: 2,
  },
  opportunities: { ...common, policy: 'stately', retryLimit: 5, retryDelay: 30, atOnce: 1 },
  alarms: { ...common, policy: 'stately', retryLimit: 5, retryDelay: 60, atOnce: 1 },
  judge: {
    ...common,
    policy: 'stately',
    retryLimit: 5,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 3600,
    atOnce: 1,
  },
  collect: {
    ...common,
    policy: 'exclusive',
    retryLimit: 100,
    retryDelay: 1,
    expireInSeconds: 7 * 3600,
    atOnce: 4,
  },
  // A look sends the next one, so one waits beside one that runs.
  tasks: {
    ...common,
    policy: 'stately',
    retryLimit: 100,
    retryDelay: 5,
    expireInSeconds: 3600,
    atOnce: 4,
  },
  mail: {
    ...common,
    policy: 'stately',
    retryLimit: 8,
    retryDelay: 30,
    retryBackoff: true,
    deleteAfterSeconds: 3600,
    atOnce: 2,
  },
  deliver: {
    ...common,
    policy: 'stately',
    retryLimit: 100,
    retryDelay: 1,
    expireInSeconds: 3600,
    deleteAfterSeconds: 3600,
    atOnce: 4,
  },
  digest: {
    ...common,
    policy: 'stately',
    retryLimit: 5,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 600,
    atOnce: 1,
  },
  // A pull that another worker takes over begins where this one has noted its days.
  pull: {
    ...common,
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 3 * 3600,
    atOnce: 2,
  },
  due: {
    ...common,
    policy: 'exclusive',
    retryLimit: 0,
    retryDelay: 0,
    expireInSeconds: 600,
    deleteAfterSeconds: 3600,
    atOnce: 1,
  },
  schedules: {
    ...common,
    policy: 'exclusive',
    retryLimit: 0,
    retryDelay: 0,
    expireInSeconds: 600,
    deleteAfterSeconds: 3600,
    atOnce: 1,
  },
  retention: {
    ...common,
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 300,
    expireInSeconds: 3 * 3600,
    atOnce: 1,
  },
  backup: {
    ...common,
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 900,
    expireInSeconds: 6 * 3600,
    atOnce: 1,
  },
  sweep: {
    ...common,
    policy: 'exclusive',
    retryLimit: 0,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
    atOnce: 1,
  },
} as const satisfies Record<QueueName, QueueTerms>

export const queueNames = Object.keys(queues) as QueueName[]

/** A worker that misses its heartbeat for so many seconds loses the job to another worker. */
export const heartbeatSeconds = 10

/** The schema of PostgreSQL that holds the queues. */
export const queueSchema = 'pgboss'

/** The id of the record that a job works on: the policy of its queue compares jobs by this key. */
export function jobKey<Queue extends QueueName>(data: JobData[Queue]): string {
  return Object.values(data).find((id): id is string => typeof id === 'string') ?? 'all'
}

/** The turns of the nightly evaluation of opportunities: 36 of 10 minutes, from 0:00 UTC. */
export const nightlyTurns = '*/10 0-5 * * *'

/** The look for alarms: rules each hour, and statistics once a day. */
export const hourlyAlarms = '2 * * * *'

/** The removal of data that is not kept, after the evaluations. */
export const nightlyRemoval = '30 6 * * *'

/** The backup, after the removals. */
export const nightlyBackup = '15 7 * * *'
