import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { JobHandler, Work } from '../../worker/job.ts'
import { useApi } from '../kit/api.ts'
import { until } from '../kit/service.ts'
import { jobsOf, startTestWorker, type TestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })

/** What the handlers below did, in order. */
let done: string[] = []
/** How the handlers below act, by the id of the record. */
const acts = new Map<string, (work: Work) => Promise<void>>()
let unfinished: string[] = []

function handlerOf<Data extends object>(
  idOf: (data: Data) => string,
  dataOf: (id: string) => Data,
) {
  return {
    run: async (data, work) => {
      done.push(`run ${idOf(data)}`)
      await acts.get(idOf(data))?.(work)
    },
    fail: async (data) => {
      done.push(`fail ${idOf(data)}`)
    },
    unfinished: async () => unfinished.map(dataOf),
  } satisfies JobHandler<Data>
}

const audit = handlerOf<{ auditId: string }>(
  ({ auditId }) => auditId,
  (auditId) => ({ auditId }),
)
const report = {
  ...handlerOf<{ reportId: string }>(
    ({ reportId }) => reportId,
    (reportId) => ({ reportId }),
  ),
  unfinished: async () => [],
}

let worker: TestWorker
beforeAll(async () => {
  worker = await startTestWorker(api, { audit, report })
})
beforeEach(() => {
  done = []
  unfinished = []
})

const statesOf = async (id: string) => (await jobsOf(api, id)).map(({ state }) => state)

describe('a job', () => {
  test('is sent by the transaction of its record', async () => {
    const id = randomUUID()
    await api.db.$transaction(async (tx) => {
      expect(await sendJob(tx, 'audit', { auditId: id })).toBe(true)
      await worker.idle()
      expect(done).toEqual([])
    })
    await worker.idle()
    expect(done).toEqual([`run ${id}`])
    expect(await jobsOf(api, id)).toEqual([
      { name: 'audit', key: id, state: 'completed', data: { auditId: id } },
    ])
  })

  test('goes with the rollback of its record', async () => {
    const id = randomUUID()
    const rolledBack = api.db.$transaction(async (tx) => {
      await sendJob(tx, 'audit', { auditId: id })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await worker.idle()
    expect(await jobsOf(api, id)).toEqual([])
  })

  test('starts no earlier than asked', async () => {
    const id = randomUUID()
    await sendJob(api.db, 'report', { reportId: id }, { afterSeconds: 3600 })
    await worker.idle()
    expect([done, await statesOf(id)]).toEqual([[], ['created']])
  })

  test('runs again after an error', async () => {
    const id = randomUUID()
    acts.set(id, async () => {
      acts.delete(id)
      throw new Error('once')
    })
    await sendJob(api.db, 'audit', { auditId: id })
    await worker.idle()
    expect([done, await statesOf(id)]).toEqual([[`run ${id}`, `run ${id}`], ['completed']])
  })

  test('marks its record as failed with the last attempt', async () => {
    const id = randomUUID()
    acts.set(id, async () => {
      throw new Error('always')
    })
    await api.db.$transaction(async (tx) => {
      await sendJob(tx, 'report', { reportId: id })
      await tx.$executeRaw`UPDATE pgboss.job SET retry_limit = 0 WHERE singleton_key = ${id}`
    })
    await worker.idle()
    expect([done, await statesOf(id)]).toEqual([[`run ${id}`, `fail ${id}`], ['failed']])
  })
})

describe('two jobs with one key', () => {
  /** Sends a job that runs until the function is called. */
  async function running(queue: 'audit' | 'report', id: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    acts.set(id, () => promise)
    await send(queue, id)
    await until(() => done.includes(`run ${id}`))
    acts.delete(id)
    return resolve
  }
  const send = (queue: 'audit' | 'report', id: string) =>
    queue === 'audit'
      ? sendJob(api.db, queue, { auditId: id })
      : sendJob(api.db, queue, { reportId: id })

  test('are one job of a report, waiting or running', async () => {
    const id = randomUUID()
    const finish = await running('report', id)
    expect(await send('report', id)).toBe(false)
    finish()
    await worker.idle()
    expect(await statesOf(id)).toEqual(['completed'])
  })

  test('are a slice that runs and a slice that waits, of an audit', async () => {
    const id = randomUUID()
    const finish = await running('audit', id)
    expect([await send('audit', id), await send('audit', id)]).toEqual([true, false])
    finish()
    await worker.idle()
    expect(await statesOf(id)).toEqual(['completed', 'completed'])
  })
})

describe('the sweep', () => {
  test('sends a job for a record that has none, and none for a record that has one', async () => {
    const [lost, waiting] = [randomUUID(), randomUUID()]
    await sendJob(api.db, 'audit', { auditId: waiting }, { afterSeconds: 3600 })
    unfinished = [lost, waiting]
    await worker.sweep()
    await worker.idle()
    expect(done).toEqual([`run ${lost}`])
    expect(await statesOf(waiting)).toEqual(['created'])
  })

  test('marks a record whose job failed for good', async () => {
    const id = randomUUID()
    await sendJob(api.db, 'audit', { auditId: id }, { afterSeconds: 3600 })
    await api.db.$executeRaw`UPDATE pgboss.job SET state = 'failed' WHERE singleton_key = ${id}`
    unfinished = [id]
    await worker.sweep()
    await worker.idle()
    expect(done).toEqual([`fail ${id}`])
  })
})

test('a worker that stops lets a running job end, and begins no other', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const other = await startTestWorker(api, { opportunities: opportunitiesHandler })
  acts.set(first, async ({ stopping }) => {
    await new Promise((resolve) => stopping.addEventListener('abort', resolve))
    await sendJob(api.db, 'opportunities', { projectId: second })
    done.push(`end ${first}`)
  })
  await sendJob(api.db, 'opportunities', { projectId: first })
  await until(() => done.includes(`run ${first}`))
  await other.stop()
  expect(done).toEqual([`run ${first}`, `end ${first}`])
  expect([await statesOf(first), await statesOf(second)]).toEqual([['completed'], ['created']])
})

const opportunitiesHandler = {
  ...handlerOf<{ projectId: string | null }>(
    ({ projectId }) => projectId ?? '',
    (projectId) => ({ projectId }),
  ),
  unfinished: async () => [],
}
