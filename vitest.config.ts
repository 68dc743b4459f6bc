import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Pure code: no store, no service. */
const unit = [
  'test/access/limiter.test.ts',
  'test/checks/*.test.ts',
  'test/collecting/{asking,protocols}.test.ts',
  'test/contract/{openapi,operations}.test.ts',
  'test/core/**/*.test.ts',
  'test/site/{document,guard,pages,robots,sitemap,targets}.test.ts',
  'test/gates/*.test.ts',
  'test/graphql/conventions.test.ts',
  'test/graphql/lists/plain-lists.test.ts',
  'test/imports/{analysis,lines}.test.ts',
  'test/judge/{client,passages}.test.ts',
  'test/observability/{log,published}.test.ts',
  'test/rest/{csv,params}.test.ts',
  'test/tracker/{bots,event-fields,fair-share,key,read-hits}.test.ts',
  'test/web/{locale,marks,redirect,workbook}.test.ts',
  'test/worker/audit-transitions.test.ts',
]

/** They start services, commands, browsers or other processes, and kill some. */
const service = [
  'test/**/*-kill.test.ts',
  'test/{cli,fault,tools,machines,web}/**/*.test.ts',
  'test/{channels,collecting}/cli.test.ts',
  'test/collecting/replay.test.ts',
  'test/demo/collecting.test.ts',
  'test/graphql/clients.test.ts',
  'test/observability/idle-*.test.ts',
  'test/opportunities/commands.test.ts',
  'test/reports/share.test.ts',
  'test/rest/large-memory.test.ts',
  'test/stores/{catalog,cluster,warehouse-process}.test.ts',
  'test/tracker/{frameworks,nats,senders,snippets}.test.ts',
  'test/worker/retention.test.ts',
]

/** They take longest of their projects, and are short: a first run would begin them last, and wait for them alone. */
const longest = [
  'test/cli/{cli,first-steps,load-kill,supervisor}.test.ts',
  'test/web/dashboard.test.ts',
]

/** Only the soak has them. Each part of a service is killed once in the normal run: `test/cli/load-kill.test.ts`. */
const soak = [
  'test/real/*.test.ts',
  'test/**/!(load)-kill.test.ts',
  'test/tools/*.test.ts',
  'test/fault/**/*.test.ts',
  'test/access/connection.test.ts',
  'test/audits/edges.test.ts',
  'test/cli/backup/*.test.ts',
  'test/cli/{access-log,analytics,connections,data-dir,import-content,import-prompts,keep-running,pull,reports}.test.ts',
  'test/cli/{shaping,site,tracker,tracking,wrong-addresses,wrong-files}.test.ts',
  'test/cli/commands/records.test.ts',
  'test/{channels,collecting}/cli.test.ts',
  'test/collecting/replay.test.ts',
  'test/contract/openapi-examples.test.ts',
  'test/demo/{ads,answers,collecting,site}.test.ts',
  'test/graphql/{clients,edges,questions,request-work}.test.ts',
  'test/imports/{killed-analytics,lost-rows}.test.ts',
  'test/machines/*.test.ts',
  'test/members/guessing.test.ts',
  'test/observability/idle-*.test.ts',
  'test/prompts/{concurrency,one-question}.test.ts',
  'test/rest/{body-fuzz,csv-parsers,data-kinds,large-lists,large-memory}.test.ts',
  'test/sources/kept-urls.test.ts',
  'test/stores/{cluster,readers,warehouse-process}.test.ts',
  'test/tracker/{ahead,frameworks,nats,processes,senders}.test.ts',
  'test/{traffic,visibility}/many.test.ts',
  'test/web/dashboard-{answers,collecting,notifications,numbers,pages,parts,roles}.test.ts',
  'test/web/{answer-words,bing,collect-data,connect,examples,first-hour,first-report,graphiql,page-codes,rating,undo}.test.ts',
  'test/worker/{audit-faults,retention}.test.ts',
  'test/writes/locked.test.ts',
]

/** The soak has them too, in a larger size or with more tests: they ask `test/kit/soak.ts`. */
const hasSoak = (file: string) => readFileSync(file, 'utf8').includes('kit/soak.ts')

const isSoak = Boolean(process.env.SOAK)
/** Whoever names files or folders gets all of their tests. */
const isNamed = process.argv.some((argument) => argument.startsWith('test/'))

const matches = (file: string, patterns: readonly string[]) =>
  patterns.some((pattern) => matchesGlob(file, pattern))

function isOfRun(file: string): boolean {
  if (isNamed) return true
  if (matches(file, soak)) return isSoak
  return !isSoak || hasSoak(file)
}

function projectOf(file: string): 'unit' | 'api' | 'service' {
  if (matches(file, unit)) return 'unit'
  return matches(file, service) ? 'service' : 'api'
}

const files = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter(isOfRun)
const engines = ['test/kit/engines.ts']
const pages = files.some((file) => matchesGlob(file, 'test/web/*.test.ts'))
  ? ['test/kit/web/dashboard.ts']
  : []

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      matches(relative(import.meta.dirname, moduleId), longest)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** A project runs after the one before: a worker keeps what it imported for files of its own project alone. */
function project(
  name: ReturnType<typeof projectOf>,
  groupOrder: number,
  options: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const include = files.filter((file) => projectOf(file) === name)
  return { extends: true, test: { name, include, sequence: { groupOrder }, ...options } }
}

export default defineConfig({
  // Without it, packages that import `graphql` differently meet two copies of it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    setupFiles: ['test/kit/rest/strict-fetch.ts', 'test/kit/compile-cache.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A busy machine may take far longer than a second to show a state.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Thousands of short requests make much garbage at once: fewer, larger collections save a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests start hundreds of processes of the same code: it is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/sightline-tests') },
    // Each test makes a workspace or a folder of its own: files share a process, and import the product once.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      project('unit', 0, { maxWorkers: 2 }),
      // Two compute while others wait for a store.
      project('api', 1, { maxWorkers: 4, globalSetup: engines }),
      // They wait for processes more than they compute.
      project('service', 2, { maxWorkers: 6, globalSetup: [...engines, ...pages] }),
    ],
  },
})
