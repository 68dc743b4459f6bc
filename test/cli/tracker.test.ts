import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { makeIngestKey, makeSiteToken } from '../../core/tokens.ts'
import { createVerifier, type Verifier } from '../../ingest/endpoint/key.ts'
import { type CliOptions, makeDataFolder, runCli, runJson } from '../kit/service.ts'
import { sendHits, startTrackerAlone } from '../kit/tracker/service.ts'

interface Made {
  id: string
  key: string
}

let folder: Awaited<ReturnType<typeof makeDataFolder>>
beforeAll(async () => {
  folder = await makeDataFolder()
})
afterAll(() => folder.remove())

const unknown = '00000000-0000-4000-8000-000000000000'

describe('keys and tokens', () => {
  let options: CliOptions
  let workspace = ''
  let project = ''
  let verifier: Verifier

  const run = <T = Made>(...args: string[]) => runJson<T>(args, options)
  const ofWorkspace = <T = Made>(...args: string[]) => run<T>(...args, '--workspace', workspace)

  beforeAll(async () => {
    options = { env: { DATA_DIR: folder.path, DATABASE_URL: inject('databaseUrl') } }
    workspace = (await run('workspace', 'create', '--name', 'Acme')).id
    project = (await ofWorkspace('project', 'create', '--name', 'Acme', '--domain', 'acme.com')).id
    const { signingSecrets } = await readSecrets(locateDataDir({ DATA_DIR: folder.path }))
    const nothing = { keys: new Set<string>(), projects: new Set<string>() }
    verifier = createVerifier({ secrets: signingSecrets, revoked: () => nothing })
  })

  test('a key is shown once, listed, and revoked once', async () => {
    const made = await ofWorkspace('ingest-key', 'create', '--name', 'Edge workers')
    expect(verifier.key(made.key)).toEqual({ id: made.id, workspaceId: workspace })
    const list = () => ofWorkspace<{ ingestKeys: object[] }>('ingest-key', 'list')
    const row = { id: made.id, name: 'Edge workers', revokedAt: null }
    expect(await list()).toMatchObject({ ingestKeys: [row] })
    expect(JSON.stringify(await list())).not.toContain(made.key.split('.')[1])
    const ended = { id: made.id, changed: true }
    expect(await run('ingest-key', 'revoke', made.id)).toEqual(ended)
    expect(await run('ingest-key', 'revoke', made.id)).toEqual({ ...ended, changed: false })
    expect(await list()).toMatchObject({ ingestKeys: [{ revokedAt: expect.any(String) }] })
    const { stdout } = await runCli(['ingest-key', 'list', '--workspace', workspace], options)
    expect(stdout).toMatch(new RegExp(`^${made.id}  ended \\S+Z  Edge workers\n$`))
  })

  test('people are shown a key and how to use a token', async () => {
    const made = await runCli(['ingest-key', 'create', '--workspace', workspace], options)
    expect(made.stdout).toMatch(
      /^Ingest key \S{36}\n\n {2}sk_live_\S+\n\nKeep the key now: it is shown once.\n$/,
    )
    const { stdout } = await runCli(['site-token', '--project', project], options)
    const [token = '', ...words] = stdout.trimEnd().split('\n')
    expect(verifier.site(token)).toEqual({ projectId: project, workspaceId: workspace })
    expect(words).toHaveLength(2)
  })

  test('a token is the same each time', async () => {
    const first = await run<object>('site-token', '--project', project, '--host', 'www.acme.com')
    expect(first).toEqual({ projectId: project, siteToken: expect.stringMatching(/^st_/) })
    expect(await run('site-token', '--project', project.toUpperCase())).toEqual(first)
    const audit = await run<{ entries: object[] }>('activity', '--project', project)
    expect(audit).toMatchObject({ entries: [{ action: 'connection.update' }, {}, {}] })
  })

  test('what is unknown is not found, and what is no host is told', async () => {
    const lines = [
      ['ingest-key', 'create', '--workspace', unknown],
      ['ingest-key', 'list', '--workspace', 'nonsense'],
      ['ingest-key', 'revoke', unknown],
      ['ingest-key', 'revoke', 'nonsense'],
      ['site-token', '--project', unknown],
    ]
    const answers = await Promise.all(lines.map((line) => run<object>(...line)))
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: 'not_found' } })
    expect(await run<object>('site-token', '--project', project, '--host', 'x')).toMatchObject({
      error: { code: 'invalid_argument', details: { fieldErrors: { host: [expect.any(String)] } } },
    })
  })
})

describe('the tracker alone', () => {
  // Nobody listens there.
  const away = {
    DATABASE_URL: 'postgresql://user:hush@127.0.0.1:1/catalog',
    CLICKHOUSE_URL: 'http://default:hush@127.0.0.1:1',
  }

  test('needs the stores of others, and says so', async () => {
    const { code, stderr } = await runCli(['tracker'], { env: { DATA_DIR: folder.path } })
    expect(code).toBe(1)
    expect(stderr).toContain('`DATABASE_URL` must be set')
    expect(stderr).toContain('`CLICKHOUSE_URL` must be set')
  })

  test('starts and takes events while both stores are away, and says what is wrong', async () => {
    const tracker = await startTrackerAlone(folder.path, away)
    const { signingSecrets } = await readSecrets(locateDataDir({ DATA_DIR: folder.path }))
    const workspaceId = randomUUID()
    const sender = {
      key: makeIngestKey(signingSecrets[0], { id: randomUUID(), workspaceId }),
      siteToken: makeSiteToken(signingSecrets[0], { projectId: randomUUID(), workspaceId }),
    }
    expect(await sendHits(tracker.url, sender, ['/a', '/b'])).toBe(202)
    const found = await runJson<object>(['doctor'], { env: { ...away, DATA_DIR: folder.path } })
    expect(found).toMatchObject({
      running: { command: 'sightline tracker', trackerUrl: tracker.url },
      tracker: { backlog: { segments: 1 }, aside: 0 },
      problems: [
        { problem: expect.stringContaining('DATABASE_URL') },
        { problem: expect.stringContaining('CLICKHOUSE_URL') },
      ],
    })
    expect(JSON.stringify(found)).not.toContain('hush')
    const second = await runCli(['tracker'], { env: { ...away, DATA_DIR: folder.path } })
    expect(second.stderr).toContain('is in use by `sightline tracker`')
    expect((await tracker.stop()).code).toBe(0)
  })

  test('what lies aside, and a damaged checkpoint, are problems that doctor names', async () => {
    const { tracker } = locateDataDir({ DATA_DIR: folder.path })
    await mkdir(join(tracker, 'aside'))
    await writeFile(join(tracker, 'aside', 'refused.jsonl'), '{"row":1}\n{"row":2}\n')
    const checkpoint = join(tracker, 'checkpoint')
    const before = await readFile(checkpoint)
    await writeFile(checkpoint, 'x'.repeat(before.length))
    const found = await runJson<{ problems: { problem: string }[] }>(['doctor'], {
      env: { ...away, DATA_DIR: folder.path },
    })
    await writeFile(checkpoint, before)
    await rm(join(tracker, 'aside'), { recursive: true })
    expect(found).toMatchObject({ ok: false, tracker: { aside: 2 } })
    const problems = found.problems.map(({ problem }) => problem)
    expect(problems.filter((text) => text.includes(tracker))).toEqual([
      expect.stringMatching(/checkpoint is damaged/),
      expect.stringMatching(/^2 events, .*refused\.jsonl/),
    ])
  })

  test('a taken port is named, with the way to choose another', async () => {
    const tracker = await startTrackerAlone(folder.path, away)
    const other = await makeDataFolder()
    const { port } = new URL(tracker.url)
    const env = { ...away, DATA_DIR: other.path, TRACKER_PORT: port }
    expect((await runCli(['tracker'], { env })).stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Choose another: TRACKER_PORT=${Number(port) + 10} npm start\n`,
    )
    await tracker.stop()
    await other.remove()
  })

  test('a new signing secret is put first: what the old one signed holds until it is removed', async () => {
    const file = join(folder.path, 'secrets.json')
    const secrets = JSON.parse(await readFile(file, 'utf8'))
    const [old] = secrets.signingSecrets
    const fresh = 'a-new-secret-of-at-least-32-characters'
    const workspaceId = randomUUID()
    const site = { projectId: randomUUID(), workspaceId }
    const signedBy = (secret: string) => ({
      key: makeIngestKey(secret, { id: randomUUID(), workspaceId }),
      siteToken: makeSiteToken(secret, site),
    })
    const answers = async (signingSecrets: string[]) => {
      await writeFile(file, JSON.stringify({ ...secrets, signingSecrets }))
      const { url, stop } = await startTrackerAlone(folder.path, away)
      const senders = [signedBy(old), signedBy(fresh)]
      const status = await Promise.all(senders.map((sender) => sendHits(url, sender, ['/'])))
      await stop()
      return status
    }
    expect(await answers([old])).toEqual([202, 403])
    expect(await answers([fresh, old])).toEqual([202, 202])
    expect(await answers([fresh])).toEqual([403, 202])
  })
})
