import { type JobData, jobKey, type QueueName, queueSchema } from '../../core/queues.ts'
import type { Db } from '../../prisma/client.ts'

/**
 * Sends a job to the worker, in the transaction of the write that needs the job: a rollback takes the job along.
 * The record's id is the key of the job. The policy of a queue may drop a job whose key waits or runs already. A
 * handler therefore reads from its record what is to do.
 * @param options `afterSeconds` delays the start
 * @returns whether a job was added
 */
export async function sendJob<Queue extends QueueName>(
  tx: Db,
  queue: Queue,
  data: JobData[Queue],
  options: { readonly afterSeconds?: number } = {},
): Promise<boolean> {
  // Most processes never send a job: they need not load the package.
  const { PgBoss, fromPrisma } = await import('pg-boss')
  const db = fromPrisma(tx)
  // Not started, so it holds no connection and no timer.
  const boss = new PgBoss({ db, schema: queueSchema })
  const startAfter = options.afterSeconds
  const sent = await boss.send(queue, data, {
    db,
    singletonKey: jobKey(data),
    ...(startAfter === undefined ? {} : { startAfter }),
  })
  return sent !== null
}
