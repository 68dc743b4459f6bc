import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { packageRoot } from '../../cli/package.ts'
import { catalogUrl } from '../../cli/service/engines.ts'
import { createCatalog } from '../../prisma/client.ts'
import {
  type CliOptions,
  holderOf,
  makeDataFolder,
  runCli,
  runJson,
  spawnCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'

interface Made {
  id: string
}
interface Failed {
  error: { code: string; message: string; details?: { fieldErrors: object } }
}

const answer = (prompt: string, day: string) =>
  JSON.stringify({ prompt, platform: 'chatgpt', text: 'Acme.', collectedAt: `${day}T10:00:00Z` })
const threeLines = `${answer('a', '2025-05-10')}\n${answer('b', '2025-05-10')}\nno json\n`

async function failure(args: readonly string[], options: CliOptions): Promise<Failed['error']> {
  return (await runJson<Failed>(args, options)).error
}

/** Commands make its stores, and a service goes on with them. */
let folder: Awaited<ReturnType<typeof makeDataFolder>>

beforeAll(async () => {
  folder = await makeDataFolder()
})
afterAll(() => folder.remove())

describe('before the service was ever started', () => {
  let options: CliOptions
  let workspace: string

  beforeAll(() => {
    options = { env: { DATA_DIR: folder.path } }
  })

  test('doctor looks at an empty place and makes nothing', async () => {
    const found = await runJson(['doctor'], options)
    expect(found).toMatchObject({ ok: true, running: null, catalog: null, problems: [] })
    await expect(stat(folder.path)).rejects.toThrow('ENOENT')
  })

  test('commands start the stores for themselves, and leave none running', async () => {
    workspace = (await runJson<Made>(['workspace', 'create', '--name', 'Acme'], options)).id
    expect(workspace).toMatch(/^[0-9a-f-]{36}$/)
    expect(await holderOf(folder.path)).toBeUndefined()
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder.path, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  test('two commands at once share the stores', async () => {
    const create = ['key', 'create', '--workspace', workspace, '--scope', 'read']
    const keys = await Promise.all([1, 2].map(() => runJson<{ key: string }>(create, options)))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2)
  })

  test('open needs a service', async () => {
    expect((await failure(['open'], options)).code).toBe('service_not_running')
  })

  test('migrate brings both stores up to date, and then has nothing to do', async () => {
    const first = await runJson<{ applied: { warehouse: string[] } }>(['migrate'], options)
    expect(first.applied.warehouse).toContain('0001_answers.sql')
    expect(await runJson(['migrate'], options)).toEqual({ applied: { catalog: [], warehouse: [] } })
  })
})

describe('while the service runs', () => {
  let service: TestService
  let options: CliOptions
  let workspace: string
  let project: string

  beforeAll(async () => {
    service = await startService({ dataDir: folder.path, env: { SIGHTLINE_DEMO: '0' } })
    options = { env: service.env }
    workspace = (await runJson<Made>(['workspace', 'create', '--name', 'Acme'], options)).id
    const named = ['--workspace', workspace, '--name', 'Acme', '--domain', 'acme.com']
    project = (await runJson<Made>(['project', 'create', ...named], options)).id
  })
  afterAll(() => service.stop())

  const keyFor = (...more: string[]) =>
    runJson<Made & { key: string }>(['key', 'create', '--workspace', workspace, ...more], options)

  /** How many imports into the project have begun. */
  async function loadsOf(id: string): Promise<number> {
    const secrets = await readSecrets(locateDataDir({ DATA_DIR: service.dataDir }))
    const port = (await holderOf(service.dataDir))?.catalog?.port ?? 0
    const catalog = createCatalog(catalogUrl(secrets, port))
    const found = await catalog.project.findUniqueOrThrow({ where: { id } })
    await catalog.$disconnect()
    return found.lastLoad
  }

  test('a project takes aliases and competitors, and gives a site token', async () => {
    const made = await runJson<Made & { siteToken: string }>(
      [
        'project',
        'create',
        '--workspace',
        workspace,
        '--name',
        'Sony',
        '--domain',
        'https://www.Sony.com/de',
        '--alias',
        '=PlayStation',
        '--alias',
        'Sony Corp',
        '--competitor',
        'Bose:bose.com',
        '--competitor',
        'B: & W:https://bowers.example',
      ],
      options,
    )
    expect(made).toEqual({ id: expect.any(String), siteToken: expect.stringMatching(/^st_/) })
  })

  test('each wrong field is named', async () => {
    const create = [
      'project',
      'create',
      '--workspace',
      workspace,
      '--name',
      ' ',
      '--domain',
      'sony',
    ]
    expect(await failure(create, options)).toMatchObject({
      code: 'invalid_argument',
      details: { fieldErrors: { name: ['must not be empty'], domain: [expect.any(String)] } },
    })
    const key = ['key', 'create', '--workspace', workspace]
    expect(await failure([...key, '--scope', 'all'], options)).toMatchObject({
      code: 'invalid_argument',
      details: { fieldErrors: { 'scopes.0': [expect.any(String)] } },
    })
    expect(await failure(key, options)).toMatchObject({ code: 'invalid_argument' })
    const errors = await Promise.all(
      ['2027-02-30', '2020-01-01', 'soon'].map((when) =>
        failure([...key, '--scope', 'read', '--expires', when], options),
      ),
    )
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('invalid_argument'))
  })

  test('what does not exist is not_found; a free workspace has no keys', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    const absent = await Promise.all(
      [unknown, 'nonsense'].flatMap((id) => [
        failure(['key', 'create', '--workspace', id, '--scope', 'read'], options),
        failure(['key', 'revoke', id], options),
      ]),
    )
    expect(absent.map(({ code }) => code)).toEqual(Array(4).fill('not_found'))
    const foreign = [
      'key',
      'create',
      '--workspace',
      workspace,
      '--scope',
      'read',
      '--project',
      unknown,
    ]
    expect(await failure(foreign, options)).toMatchObject({ code: 'not_found' })
    const free = await runJson<Made>(
      ['workspace', 'create', '--name', 'F', '--plan', 'free'],
      options,
    )
    const key = ['key', 'create', '--workspace', free.id, '--scope', 'read']
    expect(await failure(key, options)).toMatchObject({
      code: 'plan_upgrade_required',
      requiresUpgrade: true,
    })
  })

  test('an owner named by e-mail may own several workspaces; a key acts for a member only', async () => {
    const create = ['workspace', 'create', '--name', 'Ann', '--owner-email', 'Ann@example.com']
    const first = await runJson<Made>(create, options)
    const second = await runJson<Made>(create, options)
    const check = async ({ id }: Made) => {
      const key = ['key', 'create', '--workspace', id, '--scope', 'read', '--user']
      expect(await runJson([...key, 'ann@example.com'], options)).toHaveProperty('key')
      expect(await failure([...key, 'bob@example.com'], options)).toMatchObject({
        code: 'not_found',
      })
    }
    await Promise.all([check(first), check(second)])
  })

  test('a key works at once, and after key revoke no more', async () => {
    const { id, key } = await keyFor(
      '--scope',
      'read,write',
      '--project',
      project,
      '--expires',
      '90d',
    )
    const path = `/api/mcp/projects/${project}/sources/domains`
    expect((await service.get(path, key)).status).toBe(200)
    const ended = await runJson(['key', 'revoke', id], options)
    expect(ended).toEqual({ id, revokedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
    await expect.poll(async () => (await service.get(path, key)).status).toBe(401)
    expect(await runJson(['key', 'revoke', id], options)).toEqual(ended)
  })

  test('import counts each line: from standard input, from a file, gzipped, and again', async () => {
    const rejected = [{ line: 3, reason: expect.stringContaining('JSON') }]
    const from = (source: string, input?: string | Buffer) =>
      runJson(['import', 'answers', source, '--project', project], {
        ...options,
        ...(input === undefined ? {} : { input }),
      })
    const days = { from: '2025-05-10', to: '2025-05-10' }
    expect(await from('-', threeLines)).toEqual({ read: 3, loaded: 2, skipped: 0, rejected, days })
    expect(await from('-', gzipSync(threeLines))).toEqual({
      read: 3,
      loaded: 0,
      skipped: 2,
      rejected,
    })
    const file = join(service.dataDir, '..', 'answers.jsonl.gz')
    await writeFile(file, gzipSync(`${threeLines}${answer('c', '2025-05-11')}`))
    expect(await from(file)).toMatchObject({ read: 4, loaded: 1, days: { from: '2025-05-11' } })
  })

  test('people get the counts and the first 20 rejected lines', async () => {
    const input = `${answer('d', '2025-05-12')}\n${'no json\n'.repeat(25)}`
    const { code, stdout } = await runCli(['import', 'answers', '-', '--project', project], {
      ...options,
      input,
    })
    expect(code).toBe(0)
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toBe('1 loaded, 0 there already, 25 rejected, of 26 lines.')
    expect(lines.slice(21)).toEqual(['  and 5 more', '  Days: 2025-05-12'])
  })

  test('recount counts the mentions of all answers anew, each time under a new number', async () => {
    const named = ['--workspace', workspace, '--name', 'Acme', '--domain', 'acme.com']
    const { id } = await runJson<Made>(['project', 'create', ...named], options)
    await runJson(['import', 'answers', '-', '--project', id], { ...options, input: threeLines })
    const again = ['recount', '--project', id]
    expect(await runJson(again, options)).toEqual({ analysis: 3, answers: 2, mentions: 2 })
    const { code, stdout } = await runCli(again, options)
    const counted = 'Counted 2 answers, which name brands 2 times, each brand once an answer.\n'
    expect([code, stdout]).toEqual([0, counted])
    expect(await failure(['recount', '--project', 'nonsense'], options)).toMatchObject({
      code: 'not_found',
    })
  })

  test('Ctrl-C ends an import in order: what was read is loaded', async () => {
    const before = await loadsOf(project)
    const child = spawnCli(['import', 'answers', '-', '--project', project, '--json'], options)
    // More blank lines than a pipe holds: when the last is written, the answer has been read.
    const input = `${answer('e', '2025-05-13')}\n${`${' '.repeat(999)}\n`.repeat(2000)}`
    const written = new Promise((done) => child.stdin?.write(input, done))
    await until(async () => (await loadsOf(project)) > before)
    await written
    child.kill('SIGINT')
    const output = child.stdout ? text(child.stdout) : ''
    const [[code], stdout] = await Promise.all([once(child, 'exit'), output])
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toEqual({
      read: 1,
      loaded: 1,
      skipped: 0,
      rejected: [],
      days: { from: '2025-05-13', to: '2025-05-13' },
      interrupted: true,
    })
  })

  test('an import without its file or its project says so', async () => {
    const absent = ['import', 'answers', '/absent.jsonl', '--project', project]
    expect(await failure(absent, options)).toMatchObject({ code: 'file_not_readable' })
    const unknown = ['import', 'answers', '-', '--project', 'nonsense']
    expect(await failure(unknown, { ...options, input: threeLines })).toMatchObject({
      code: 'not_found',
    })
  })

  test('doctor tells versions and state without a secret', async () => {
    const { code, stdout } = await runCli(['doctor', '--json'], options)
    const found = JSON.parse(stdout)
    expect(found.problems).toEqual([])
    expect(code).toBe(0)
    expect(found).toMatchObject({
      ok: true,
      running: { pid: service.pid, url: service.url },
      catalog: { version: expect.stringMatching(/^PostgreSQL 1\d/), migrations: { pending: [] } },
      warehouse: { version: expect.stringMatching(/^ClickHouse \d/), migrations: { pending: [] } },
    })
    const secrets = await readSecrets(locateDataDir({ DATA_DIR: service.dataDir }))
    for (const secret of Object.values(secrets).flat()) expect(stdout).not.toContain(secret)
  })
})

describe('the command line', () => {
  test('started by whatever Node.js is installed, it runs on the one that it needs', () => {
    const path = process.env.PATH?.split(delimiter).filter((dir) => !dir.includes('node_modules'))
    const launcher = join(packageRoot, 'cli', 'sightline.js')
    const ports = { PORT: '0', TRACKER_PORT: '0' }
    const env = { PATH: path?.join(delimiter), DATA_DIR: '/absent/sightline', ...ports }
    const { status, stdout } = spawnSync('/usr/bin/env', ['node', launcher, 'doctor', '--json'], {
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    expect(Number.parseInt(JSON.parse(stdout).node.version.slice(1), 10)).toBeGreaterThanOrEqual(24)
  })

  test('a wrong command line is exit code 2, one error object with --json', async () => {
    const wrong = [['nonsense'], ['key', 'create'], ['key'], ['key', 'create', '--nonsense']]
    const ends = await Promise.all(wrong.map((args) => runCli([...args, '--json'])))
    for (const { code, stdout, stderr } of ends) {
      expect(code).toBe(2)
      expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message: expect.any(String) } })
      expect(stderr).toBe('')
    }
  })

  test('every command has a help with an example', async () => {
    const commands = [
      'serve',
      'api',
      'warehouse',
      'tracker',
      'worker',
      'site sitemap',
      'site audit',
      'site issues',
      'opportunities list',
      'report create',
      'migrate',
      'doctor',
      'workspace create',
      'project create',
      'key create',
      'key revoke',
      'ingest-key create',
      'ingest-key list',
      'ingest-key revoke',
      'site-token',
      'import answers',
      'recount',
    ]
    for (const command of commands) {
      const { code, stdout } = await runCli([...command.split(' '), '--help'])
      expect([command, code]).toEqual([command, 0])
      expect(stdout).toContain(`sightline ${command}`)
      expect([command, stdout]).toEqual([command, expect.stringMatching(/Example:\n {2}\$ /)])
    }
  })

  test('the help of a command is no failure', async () => {
    const { code, stdout } = await runCli(['key', 'create', '--help'])
    expect([code, stdout.startsWith('Usage: sightline key create')]).toEqual([0, true])
    const all = await runCli(['help'])
    expect([all.code, all.stderr]).toEqual([0, ''])
    expect(all.stdout).toMatch(/^Usage: sightline /)
  })

  test('doctor names what is wrong and how to mend it, and exits with 1', async () => {
    const url = 'postgresql://user:hush@127.0.0.1:1/catalog'
    const { code, stdout } = await runCli(['doctor', '--json'], {
      env: { DATA_DIR: '/absent/sightline', DATABASE_URL: url },
    })
    expect(code).toBe(1)
    expect(JSON.parse(stdout).problems).toEqual([
      {
        problem: expect.stringContaining('DATABASE_URL'),
        mend: expect.stringContaining('DATABASE_URL'),
      },
    ])
    expect(stdout).not.toContain('hush')
  })

  test('a store that does not answer is named by its setting', async () => {
    const DATABASE_URL = 'postgresql://user:hush@127.0.0.1:1/catalog'
    const env = { DATA_DIR: join(folder.parent, 'other'), DATABASE_URL }
    const error = await failure(['workspace', 'create', '--name', 'Acme'], { env })
    expect(error.code).toBe('store_unreachable')
    expect(error.message).toContain('DATABASE_URL')
    expect(error.message).not.toContain('hush')
  })
})
