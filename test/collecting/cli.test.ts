import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { refusing, saying, useProviders } from '../kit/collecting/provider.ts'
import { createTestDatabase, newDatabaseUrl } from '../kit/postgres.ts'
import { type CliOptions, makeDataFolder, runCli, runJson } from '../kit/service.ts'

const providers = await useProviders()
const secret = 'sk-very-secret-0123456789'
const databaseUrl = newDatabaseUrl(inject('databaseUrl'))
let options: CliOptions
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  folder = await makeDataFolder()
  // A worker of another test must not take the job.
  database = await createTestDatabase(inject('databaseUrl'), databaseUrl)
  options = {
    env: {
      DATA_DIR: folder.path,
      ALLOW_PRIVATE_HOSTS: providers.hosts,
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: inject('clickhouseUrl'),
    },
  }
})
afterAll(async () => {
  await folder.remove()
  await database.drop()
})

const run = <T = { id: string }>(...args: string[]) => runJson<T>(args, options)

test('a key is stored from standard input, and a run asks with it and imports the answers', async () => {
  const workspace = ['--workspace', (await run('workspace', 'create', '--name', 'Acme')).id]
  const made = await run(
    'project',
    'create',
    '--name',
    'Acme',
    '--domain',
    'acme.com',
    ...workspace,
  )
  const project = ['--project', made.id]
  await run('prompt', 'add', 'best anvils?', ...project)
  const set = ['provider-key', 'set', 'perplexity', '--base-url', providers.baseUrl('perplexity')]
  const stored = await runCli([...set, ...workspace], { ...options, input: `${secret}\n` })
  expect(stored.stdout).toMatch(/^Stored the key perplexity for perplexity, which answered/)
  const listed = await runCli(['provider-key', 'list', ...workspace], options)
  expect(listed.stdout).toMatch(/^\S{36} {2}perplexity {2}perplexity {2}sonar\n$/)
  expect(stored.stdout + listed.stdout).not.toContain(secret)
  providers.questions.length = 0

  const dry = await run<object>('collect', 'run', '--dry-run', '--repetitions', '2', ...project)
  expect(dry).toEqual({
    questions: 2,
    expectedCost: expect.any(Number),
    assumptions: [expect.stringContaining('assumed')],
  })
  expect(providers.questions).toEqual([])

  const done = await run<object>('collect', 'run', '--repetitions', '2', ...project)
  const coverage = [{ provider: 'perplexity', answered: 2, failed: 0, waiting: 0, cost: 0.012 }]
  expect(done).toMatchObject({ status: 'completed', coverage })
  expect(await run('collect', 'list', ...project)).toMatchObject({ runs: [{ coverage }] })
  // One prompt is too few to measure spreads.
  const plan = { basis: 'assumed', prompts: 1, answersPerPrompt: 28, detectablePoints: null }
  expect(await run<object>('estimate', ...project)).toMatchObject(plan)
  const shown = await runCli(['estimate', '--prompts', '40', ...project], options)
  expect(shown.stdout).toMatch(/smallest change detected {2}\d+(\.\d+)? points\n/)
  expect(await run('import', 'list', ...project)).toMatchObject({
    imports: [{ kind: 'answers', loaded: 2 }],
  })

  const cron = ['--cron', '0 6 * * 1-5', '--repetitions', '2', ...project]
  // A run asks two questions, and 30 days have 21 or 22 workdays.
  const month = { questions: 2, runsPerMonth: expect.toSatisfy((n) => n >= 20 && n <= 22) }
  expect(await run<object>('schedule', 'create', 'Workdays', '--dry-run', ...cron)).toMatchObject(
    month,
  )
  const list = () => run<{ schedules: object[] }>('schedule', 'list', ...project)
  expect(await list()).toEqual({ schedules: [] })
  const { id } = await run('schedule', 'create', 'Workdays', ...cron)
  expect((await list()).schedules).toMatchObject([{ id, name: 'Workdays', plan: month }])
  const wrongCron = await runCli(
    ['schedule', 'create', 'Other', '--cron', 'x', ...project],
    options,
  )
  expect(wrongCron.stderr).toContain('`--cron` must have five fields')
  const none = ['schedule', 'create', 'Other', '--cron', '0 6 * * *', '--provider', 'none']
  expect((await runCli([...none, ...project], options)).stderr).toContain('`--provider` must name')
  const off = await run<object>('schedule', 'update', 'workdays', '--off', ...project)
  expect(off).toMatchObject({ id, changed: true })
  expect((await runCli(['schedule', 'list', ...project], options)).stdout).toMatch(
    /^Workdays {2}0 6 \* \* 1-5 UTC {2}off {2}expected cost \$[\d.]+ in 30 days/,
  )
  // A schedule that is off runs when it is asked to.
  const before = providers.questions.length
  expect(await run<object>('schedule', 'run', 'Workdays', '--dry-run', ...project)).toMatchObject({
    questions: 2,
  })
  expect(providers.questions).toHaveLength(before)
  const ran = await run<object>('schedule', 'run', 'Workdays', ...project)
  expect(ran).toMatchObject({ status: 'completed', coverage })
  expect(await run('schedule', 'remove', id, ...project)).toMatchObject({ id, changed: true })
  expect(await list()).toEqual({ schedules: [] })

  providers.always(refusing(402))
  const refused = await runCli(['collect', 'run', ...project], options)
  providers.always(saying('Acme is great.'))
  expect(refused.stdout).toContain(
    '1 question to perplexity failed, with the key perplexity: providers.test answered 402 (a_code): "Wrong: Bearer ***".',
  )

  const [key] = (
    await run<{ providerKeys: { id: string }[] }>('provider-key', 'list', ...workspace)
  ).providerKeys
  expect(await run('provider-key', 'remove', key?.id ?? '')).toMatchObject({ changed: true })
}, 240_000)

test('sentiment is rated again by the model of the project, with its price before', async () => {
  const { id: workspace } = await run('workspace', 'create', '--name', 'Rated')
  const set = ['provider-key', 'set', 'openai', '--base-url', providers.baseUrl('openai')]
  await runCli([...set, '--workspace', workspace], { ...options, input: `${secret}\n` })
  const about = ['--name', 'Acme', '--domain', 'acme.com', '--workspace', workspace]
  const project = ['--project', (await run('project', 'create', ...about)).id]
  await run('prompt', 'add', 'best anvils?', ...project)
  await run<object>('collect', 'run', ...project)
  const price = await run<object>('sentiment', 'rerate', '--preview', ...project)
  const version = expect.stringMatching(/^gpt-5-mini@/)
  expect(price).toMatchObject({ version, calls: 1, cost: expect.any(Number) })
  providers.next(saying('{"ratings":[{"id":1,"quote":"is great","tone":"positive"}]}'))
  const verdicts = { calls: 1, judged: 1, failed: 0, isComplete: true }
  expect(await run<object>('sentiment', 'rerate', ...project)).toMatchObject(verdicts)
}, 120_000)

test('a plan that asks nothing names what is missing, and the command that stores it', async () => {
  const { id: workspace } = await run('workspace', 'create', '--name', 'Empty')
  const about = ['--name', 'Empty', '--domain', 'empty.com', '--workspace', workspace]
  const { id } = await run('project', 'create', ...about)
  const daily = ['schedule', 'create', 'Daily', '--cron', '0 6 * * *', '--project', id]
  expect((await runCli([...daily, '--dry-run'], options)).stdout).toBe(
    'The workspace has no provider key. This stores one: ' +
      `sightline provider-key set openai --workspace ${workspace} < key.txt\n`,
  )
  const noKey = { questions: 0, problem: expect.stringContaining('no provider key') }
  expect(await run<object>('collect', 'run', '--dry-run', '--project', id)).toMatchObject(noKey)
  await run(...daily)
  expect((await runCli(['schedule', 'list', '--project', id], options)).stdout).toContain(
    'The workspace has no provider key.',
  )
  const set = ['provider-key', 'set', 'perplexity', '--base-url', providers.baseUrl('perplexity')]
  await runCli([...set, '--workspace', workspace], { ...options, input: `${secret}\n` })
  expect((await runCli([...daily, '--dry-run'], options)).stdout).toBe(
    `No prompt is tracked. This adds one: sightline prompt add "best anvils?" --project ${id}\n`,
  )
}, 120_000)

test('a wrong provider, key or count is named by its option', async () => {
  const { id: workspace } = await run('workspace', 'create', '--name', 'Wrong')
  const wrong = await runCli(['provider-key', 'set', 'none', '--workspace', workspace], {
    ...options,
    input: secret,
  })
  expect(wrong.stderr).toContain('must be one of openai, anthropic')
})
