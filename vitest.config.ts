import { join, matchesGlob, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Only the long run has these: kills in the middle of work, faults of disks, networks and processes, and judges of what is
 * published. And most tests that start a service or a browser of their own. The normal run starts some of each.
 */
const long = [
  'test/**/*-kill.test.ts',
  'test/judges/*.test.ts',
  'test/fault/**/*.test.ts',
  'test/checks/planted-site.test.ts',
  'test/cli/backup/*.test.ts',
  'test/cli/connections.test.ts',
  'test/cli/data-dir.test.ts',
  'test/cli/first-steps.test.ts',
  'test/cli/import-prompts.test.ts',
  'test/cli/keep-running.test.ts',
  'test/cli/pull.test.ts',
  'test/cli/shaping.test.ts',
  'test/cli/site.test.ts',
  'test/cli/supervisor.test.ts',
  'test/cli/tracker.test.ts',
  'test/cli/tracking.test.ts',
  'test/collecting/cli.test.ts',
  'test/collecting/replay.test.ts',
  'test/contract/openapi-examples.test.ts',
  'test/demo/collecting.test.ts',
  'test/graphql/slice-values.test.ts',
  'test/machines/kills.test.ts',
  'test/projects/delete.test.ts',
  'test/rest/large-memory.test.ts',
  'test/tracker/frameworks.test.ts',
  'test/tracker/nats.test.ts',
  'test/tracker/senders.test.ts',
  'test/traffic/many.test.ts',
  'test/visibility/many.test.ts',
  ...['answers', 'collecting', 'pages', 'parts'].map((of) => `test/web/dashboard-${of}.test.ts`),
  ...['answer-words', 'examples', 'first-report', 'graphiql', 'page-codes'].map(
    (of) => `test/web/${of}.test.ts`,
  ),
  'test/work/audit-faults.test.ts',
  'test/work/planted-audit.test.ts',
  'test/work/retention.test.ts',
]

/** They ask for more in the long run. */
const larger = [
  'test/access/access.test.ts',
  'test/articles.test.ts',
  'test/core/text/mentions.test.ts',
  'test/domain-authority.test.ts',
  'test/graphql/edges.test.ts',
  'test/graphql/kept-answers.test.ts',
  'test/imports/pages.test.ts',
  'test/imports/search-console.test.ts',
  'test/imports/web-analytics.test.ts',
  'test/rest/body-fuzz.test.ts',
  'test/rest/data-kinds.test.ts',
  'test/rest/remembered-replies.test.ts',
  'test/sitemap/site.test.ts',
  'test/sources/content.test.ts',
  'test/stores/warehouse-literals.test.ts',
]

/** `1` runs all tests, each in its large size, and `only` those that the normal run lacks. */
const { LONG } = process.env
/** Whoever names files or folders gets all of their tests. */
const isNamed = process.argv.some((argument) => argument.startsWith('test/'))

/** Tests that start services, commands, engines or tools of their own. */
const ofProcesses = /\/test\/(cli|contract|fault|judges|stores|web)\/|-kill\.test\.ts$/

/** Evenly spread, each list in its order. */
const spread = <T>(list: readonly T[]) => list.map((item, i) => ({ item, at: i / list.length }))

/**
 * Files of processes wait more than they compute, and the others compute: beside each other they leave no core idle.
 * The longest of both come first, and short ones fill the gaps at the end.
 */
class WaitingBesideComputing extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      long.some((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern))
    const byTime = await super.sort(files)
    const sorted = [...byTime.filter(isLong), ...byTime.filter((file) => !isLong(file))]
    const waits = ({ moduleId }: TestSpecification) => ofProcesses.test(moduleId)
    const [waiting, computing] = [sorted.filter(waits), sorted.filter((file) => !waits(file))]
    return [...spread(waiting), ...spread(computing)]
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item)
  }
}

export default defineConfig({
  // Without it, packages that import `graphql` differently meet two copies of it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // The engines start once, for all files.
    globalSetup: ['test/kit/engines.ts'],
    include: LONG === 'only' ? [...long, ...larger] : ['test/**/*.test.ts'],
    exclude: LONG || isNamed ? [] : long,
    setupFiles: ['test/kit/rest/strict-fetch.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A busy machine may take far longer than a second to show a state.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Thousands of short requests make much garbage at once: fewer, larger collections save a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests start hundreds of processes of the same code: it is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/sightline-tests') },
    // Each test makes a workspace or a folder of its own: files share a process, and import the product once.
    isolate: false,
    sequence: { sequencer: WaitingBesideComputing },
    // Many tests wait for a process or a timer: one worker more than the two cores that the suite is made for. Tests that
    // kill wait more, and leave room for another one.
    maxWorkers: LONG ? 4 : 3,
  },
})
