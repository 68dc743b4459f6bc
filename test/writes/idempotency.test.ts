import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRunIdempotent } from '../../plugins/run-idempotent.ts'
import { useApi } from '../kit/api.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'
import { until } from '../kit/service.ts'
import { isSoak, sized } from '../kit/soak.ts'

/** What `Idempotency-Key` does to the writes of REST: here to the addition of prompts, which sent twice makes two. */

const api = useApi()

let workspace: Awaited<ReturnType<typeof api.workspace>>
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  project = await workspace.project()
  key = (await drafter()).key
  await api.db.$executeRaw`
    CREATE FUNCTION refuse_reply() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'refused' USING ERRCODE = split_part(NEW.key, ' ', 2);
    END $$`
  await api.db.$executeRaw`
    CREATE TRIGGER refuse_reply BEFORE INSERT ON "IdempotentReply"
      FOR EACH ROW WHEN (NEW.key LIKE 'refused %') EXECUTE FUNCTION refuse_reply()`
})
afterAll(async () => {
  await api.db.$executeRaw`DROP FUNCTION refuse_reply CASCADE`
})

const drafter = () => workspace.key({ capabilities: ['prompt:draft'] })

const path = (id = project, prefix = '/api/mcp') => `${prefix}/projects/${id}/prompts`

interface Attempt {
  readonly idempotencyKey?: string
  readonly text: string
  readonly as?: string
  readonly at?: string
  readonly headers?: Record<string, string>
}

/** Adds one prompt. */
async function add({ idempotencyKey, text, as = key, at = path(), headers = {} }: Attempt) {
  const given = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const body = { prompts: [{ text }] }
  return tellOf(
    await sendWrite(api, { path: at, key: as, body, headers: { ...given, ...headers } }),
  )
}

const made = (text: string) => api.db.prompt.count({ where: { text } })

describe('a write that comes again with its key', () => {
  test('is the same one however its ids are written', async () => {
    const text = randomUUID()
    const first = await add({ idempotencyKey: 'case', text })
    const again = await add({ idempotencyKey: 'case', text, at: path(project.toUpperCase()) })
    expect([again.status, again.text, again.replayed]).toEqual([200, first.text, true])
    expect(await made(text)).toBe(1)
  })

  test('gets the same bytes, and is done once', async () => {
    const text = randomUUID()
    const first = await add({ idempotencyKey: 'same', text })
    expect([first.status, first.replayed]).toEqual([200, false])
    for (const spelling of ['same', '"same"', 'same']) {
      const again = await add({ idempotencyKey: spelling, text })
      expect([again.status, again.replayed]).toEqual([200, true])
      expect(again.text).toBe(first.text)
    }
    expect(await made(text)).toBe(1)
  })

  test('without a key is done again', async () => {
    const text = randomUUID()
    await add({ text })
    await add({ text })
    expect(await made(text)).toBe(2)
  })

  test('conflicts with another body, path or operation, and not with the same body written anew', async () => {
    const [text, other] = [randomUUID(), randomUUID()]
    const second = await workspace.project()
    const idempotencyKey = 'conflict'
    await add({ idempotencyKey, text })
    for (const attempt of [
      { text: other },
      { text, at: path(second) },
      { text, at: path(project, '/api/v1') },
    ]) {
      const refused = await add({ idempotencyKey, ...attempt })
      expect([refused.status, refused.code]).toEqual([409, 'idempotency_conflict'])
    }
    const { id } = await api.db.prompt.findFirstOrThrow({ where: { text } })
    const archive = { path: `${path()}/${id}/tracking`, key, body: { action: 'archive' } }
    const headers = { 'idempotency-key': idempotencyKey }
    const refused = await tellOf(await sendWrite(api, { ...archive, headers }))
    expect(refused.code).toBe('idempotency_conflict')
    const anew = `{ "prompts" : [ { "text": "${text}" } ] }`
    const again = await tellOf(await sendWrite(api, { path: path(), key, body: anew, headers }))
    expect(again.replayed).toBe(true)
    expect([await made(text), await made(other)]).toEqual([1, 0])
  })

  test('under another API key is another write', async () => {
    const text = randomUUID()
    const idempotencyKey = 'scope'
    const other = await drafter()
    await add({ idempotencyKey, text })
    expect((await add({ idempotencyKey, text, as: other.key })).replayed).toBe(false)
    expect(await made(text)).toBe(2)
  })

  test('after a retry that names a newer revision learns what became of the first', async () => {
    await add({ text: 'to be edited' })
    const { id } = await api.db.prompt.findFirstOrThrow({ where: { text: 'to be edited' } })
    const edit = (revision: string) =>
      sendWrite(api, {
        path: `${path()}/${id}`,
        method: 'PATCH',
        key,
        body: { isBranded: true },
        headers: { 'idempotency-key': 'edit', 'if-match': revision },
      }).then(tellOf)
    const first = await edit('"1"')
    expect([first.status, first.replayed]).toEqual([200, false])
    const again = await edit('"2"')
    expect([again.status, again.replayed]).toEqual([200, true])
    expect(again.text).toBe(first.text)
  })

  test('is forbidden once its API key has lost the capability or the project', async () => {
    const { id, key: mine } = await drafter()
    const attempt = { idempotencyKey: 'lost', text: randomUUID(), as: mine }
    await add(attempt)
    await api.db.apiKey.update({ where: { id }, data: { capabilities: [] } })
    expect((await add(attempt)).code).toBe('missing_scope')
    const bound = { capabilities: ['prompt:draft'], projectId: await workspace.project() }
    await api.db.apiKey.update({ where: { id }, data: bound })
    expect((await add(attempt)).code).toBe('not_found')
  })
})

describe('an answer', () => {
  test('that is an error is not kept: the same request runs again', async () => {
    const small = await api.workspace('starter')
    const own = await small.project()
    const { key: mine } = await small.key({ capabilities: ['prompt:draft'] })
    const attempt = { idempotencyKey: 'retry', text: randomUUID(), as: mine, at: path(own) }
    const many = { prompts: Array.from({ length: 10 }, () => ({ text: 'filler' })) }
    for (let batch = 0; batch < 5; batch++) {
      await sendWrite(api, { path: path(own), key: mine, body: many })
    }
    expect((await add(attempt)).code).toBe('quota_exceeded')
    await api.db.workspace.update({ where: { id: small.id }, data: { plan: 'growth' } })
    const after = await add(attempt)
    expect([after.status, after.replayed]).toEqual([200, false])
    expect((await add(attempt)).replayed).toBe(true)
    expect(await made(attempt.text)).toBe(1)
  })

  test('and its write are kept together or not at all', async () => {
    const text = randomUUID()
    const failed = await add({ idempotencyKey: 'refused 22000', text })
    expect([failed.status, failed.code]).toEqual([500, 'internal_error'])
    expect(await made(text)).toBe(0)
  })

  test.each([
    ['a deadlock', '40P01'],
    ['a race that was lost', '40001'],
  ])('%s is 502, and may be asked again', async (_kind, state) => {
    const text = randomUUID()
    const failed = await add({ idempotencyKey: `refused ${state}`, text })
    expect([failed.status, failed.code, failed.retryable]).toEqual([502, 'internal_error', true])
    expect(await made(text)).toBe(0)
  })

  test('a wait that was too long is 429, and may be asked again', async () => {
    const text = randomUUID()
    const failed = await add({ idempotencyKey: 'refused 55P03', text })
    expect([failed.status, failed.code, failed.retryable]).toEqual([429, 'rate_limited', true])
    expect(await made(text)).toBe(0)
  })

  test('is dead after 24 hours, and removed', async () => {
    const day = 24 * 3600 * 1000
    const attempt = { idempotencyKey: 'day', text: randomUUID() }
    const where = { key: 'day' }
    await add(attempt)
    const almost = new Date(Date.now() - day + 60_000)
    await api.db.idempotentReply.updateMany({ where, data: { createdAt: almost } })
    expect((await add(attempt)).replayed).toBe(true)
    const past = new Date(Date.now() - day - 1000)
    await api.db.idempotentReply.updateMany({ where, data: { createdAt: past } })
    expect((await add(attempt)).replayed).toBe(false)
    expect(await made(attempt.text)).toBe(2)
    expect((await add(attempt)).replayed).toBe(true)
  })

  test('of more than 100 KB is sent and not kept', async () => {
    const own = await workspace.project()
    const rows = Array.from({ length: 120 }, (_, i) => ({
      projectId: own,
      name: `Topic ${i} ${'x'.repeat(180)}`,
    }))
    const topics = await api.db.topic.createManyAndReturn({ data: rows })
    const topicIds = topics.map(({ id }) => id)
    const send = async (prompts: number) => {
      const body = { prompts: Array.from({ length: prompts }, () => ({ text: 'big', topicIds })) }
      const headers = { 'idempotency-key': `big ${prompts}` }
      return tellOf(await sendWrite(api, { path: path(own), key, body, headers }))
    }
    const [small, big] = [await send(1), await send(10)]
    expect([small.status, small.skipped]).toEqual([200, null])
    expect(Buffer.byteLength(small.text)).toBeLessThan(102_400)
    expect([big.status, big.skipped]).toEqual([200, 'body-too-large'])
    expect(Buffer.byteLength(big.text)).toBeGreaterThan(102_400)
    expect([(await send(1)).replayed, (await send(10)).replayed]).toEqual([true, false])
    expect(await api.db.prompt.count({ where: { projectId: own } })).toBe(21)
  })
})

/** Holds the project, so that whoever writes to it waits, until the result is called. */
async function holdProject(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = api.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM "Project" WHERE id = ${project}::uuid FOR UPDATE`
      held.resolve()
      await release.promise
    },
    { timeout: 120_000 },
  )
  await held.promise
  return () => {
    release.resolve()
    return holder
  }
}

describe('at the same time', () => {
  test('a second request with the same key is refused immediately, and the first continues', async () => {
    const attempt = { idempotencyKey: 'twin', text: randomUUID() }
    const release = await holdProject()
    let isDone = false
    const first = add(attempt).finally(() => {
      isDone = true
    })
    await until(async () => {
      const waiting = await api.db.$queryRaw<unknown[]>`SELECT 1 FROM pg_locks WHERE NOT granted`
      return waiting.length > 0
    })
    const twin = await add(attempt)
    expect(isDone).toBe(false)
    expect([twin.status, twin.code, twin.retryable]).toEqual([409, 'idempotency_in_flight', true])
    expect(twin.retryAfter).toBe('5')
    await release()
    expect((await first).replayed).toBe(false)
    expect((await add(attempt)).replayed).toBe(true)
    expect(await made(attempt.text)).toBe(1)
  })

  test('fifty identical writes are done once', async () => {
    const attempt = { idempotencyKey: 'fifty', text: randomUUID() }
    const told = await Promise.all(Array.from({ length: 50 }, () => add(attempt)))
    const firsts = told.filter(({ status, replayed }) => status === 200 && !replayed)
    const replays = told.filter(({ replayed }) => replayed)
    const twins = told.filter(({ code }) => code === 'idempotency_in_flight')
    expect(firsts).toHaveLength(1)
    expect(replays.length + twins.length).toBe(49)
    expect(new Set(replays.map(({ text }) => text).concat(firsts[0]?.text ?? '')).size).toBe(1)
    expect(await made(attempt.text)).toBe(1)
  })

  const many = sized({ normal: 20, soak: 100 })

  test(`${many} writes with keys of their own are all done, each once`, async () => {
    const text = randomUUID()
    /** Sends again where no connection was free in time, as a client does. */
    async function addAtLast(idempotencyKey: string): Promise<number> {
      const { status } = await add({ idempotencyKey, text })
      return status === 429 ? addAtLast(idempotencyKey) : status
    }
    const sent = Array.from({ length: many }, (_, i) => addAtLast(`own ${i}`))
    expect((await Promise.all(sent)).filter((status) => status !== 200)).toEqual([])
    expect(await made(text)).toBe(many)
  })

  if (isSoak) {
    test('more than there are connections, which all wait for one project: each is 429, and may be sent again', async () => {
      const text = randomUUID()
      const release = await holdProject()
      const send = () =>
        Promise.all(
          Array.from({ length: 12 }, (_, i) => add({ idempotencyKey: `held ${i}`, text })),
        )
      const refused = await send()
      await release()
      const told = refused.map(({ status, code, retryable }) => [status, code, retryable].join(' '))
      expect(new Set(told)).toEqual(new Set(['429 rate_limited true']))
      expect(await made(text)).toBe(0)
      expect((await send()).map(({ status }) => status)).toEqual(Array(12).fill(200))
      expect(await made(text)).toBe(12)
    })
  }
})

describe('the header', () => {
  test.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a quote that does not end', '"x'],
    ['not ASCII', 'schl\u00fcssel'],
  ])('%s is refused, and nothing is written', async (_kind, idempotencyKey) => {
    const text = randomUUID()
    const refused = await add({ idempotencyKey, text })
    expect([refused.status, refused.code]).toEqual([400, 'invalid_argument'])
    expect(refused.fields).toEqual(['Idempotency-Key'])
    expect(await made(text)).toBe(0)
  })

  test('on a read says nothing', async () => {
    for (const idempotencyKey of ['same', '', 'x'.repeat(300)]) {
      const reader = (await workspace.key()).key
      const response = await api.get(path(), reader, { 'idempotency-key': idempotencyKey })
      expect(response.status).toBe(200)
      expect(response.headers.has('x-idempotent-replay')).toBe(false)
    }
  })
})

test('answers that have expired are removed while writes come, and no others', async () => {
  const { id: apiKeyId } = await drafter()
  const createdAt = new Date(Date.now() - 25 * 3600 * 1000)
  const row = { apiKeyId, fingerprint: 'x', status: 200, body: Buffer.from('{}') }
  const old = Array.from({ length: 1500 }, (_, i) => ({ ...row, key: `old ${i}`, createdAt }))
  await api.db.idempotentReply.createMany({ data: [...old, { ...row, key: 'young' }] })
  // Another process than the one above, which has done so in this minute.
  const runIdempotent = createRunIdempotent({
    db: api.db,
    databaseUrl: api.databaseUrl,
    signingSecrets: ['x'],
    log: pino({ level: 'silent' }),
  })
  const write = {
    apiKeyId,
    idempotencyKey: 'new',
    fingerprint: 'x',
    hasSecret: false,
    isOutside: false,
    headers: {},
  }
  await runIdempotent(write, async () => '{}')
  const left = () => api.db.idempotentReply.findMany({ where: { apiKeyId } })
  await until(async () => (await left()).length <= 2)
  expect((await left()).map((reply) => reply.key).sort()).toEqual(['new', 'young'])
})
