import type { Logger } from 'pino'
import type { BotRegistry } from '../core/bots/bots.ts'
import type { JobData, QueueName } from '../core/queues.ts'
import type { Settings } from '../core/settings.ts'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import type { Catalog, Db } from '../prisma/client.ts'
import type { Warehouse } from '../warehouse/client.ts'

/** A site that the worker itself serves for the jobs of one project. */
export interface ServedSite {
  /** The site and all its hosts: names of it that are not served exist nowhere. */
  readonly domain: string
  /** Its hosts, each reached where it is served. */
  readonly hosts: readonly PrivateHost[]
  close(): Promise<void>
}

/**
 * Serves the site of a project while a job needs it; null for every project that has none. The decision must not rest
 * on anything that a user can write: the site is reached on the loopback interface.
 */
export type ServeSite = (projectId: string) => Promise<ServedSite | null>

/** A provider of assistants that the worker itself serves, for the questions of one run. */
export interface ServedProvider {
  /** Its hosts, each reached where it is served. */
  readonly hosts: readonly PrivateHost[]
  close(): Promise<void>
}

/** Serves a provider while a run asks; null for every run that has none. What holds for `ServeSite` holds here. */
export type ServeProvider = (run: {
  readonly id: string
  readonly projectId: string
}) => Promise<ServedProvider | null>

/** The stores and settings of a worker, the same for every job. */
export interface WorkSources {
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  readonly settings: Settings
  readonly secrets: {
    readonly cursorSecret: string
    readonly signingSecrets: readonly [string, ...string[]]
  }
  readonly log: Logger
  /** The registry of crawlers as it is now; absent for the built-in one. */
  readonly crawlers?: () => Promise<BotRegistry>
  /** The time of the newest backup; absent where the worker knows no data folder. */
  readonly backupAt?: () => Promise<Date | null>
  /** Makes the backup of the night; null where the settings ask for none. Absent where the worker runs beside no service. */
  readonly backUp?: () => Promise<object | null>
  /** What stands in the place of Google's addresses, and of Bing's. */
  readonly googleUrl?: string | undefined
  readonly bingUrl?: string | undefined
  /** Absent where the worker serves no site. */
  readonly serveSite?: ServeSite
  /** Absent where the worker serves no provider. */
  readonly serveProvider?: ServeProvider
}

/** The sources of one job, and its ends. */
export interface Work extends WorkSources {
  /** Aborts when another worker may take the job: write nothing from then on. */
  readonly signal: AbortSignal
  /** Aborts when the worker stops: finish the step at hand within 8 s, and begin no other. */
  readonly stopping: AbortSignal
}

/**
 * The work on the jobs of one queue. A job may run more than once, even on two workers when one of them has lost its
 * connection. Each step must be safe to repeat.
 */
export interface JobSteps<Data> {
  /** Does the job. An error runs the job again, as often as its queue allows. */
  run(data: Data, work: Work): Promise<void>
  /** Marks the record as failed, after the last attempt. */
  fail(data: Data, sources: WorkSources): Promise<void>
}

/** The work on a queue, and what it has to do. */
export interface JobHandler<Data> extends JobSteps<Data> {
  /** The jobs of all records that are queued or running: the sweep sends those that are lost. */
  unfinished(db: Db): Promise<readonly Data[]>
}

export type Handlers = { readonly [Queue in QueueName]?: JobHandler<JobData[Queue]> }
