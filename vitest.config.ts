import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Tests that start services, commands, engines or tools of their own: the long files. */
const processes = ['cli', 'contract', 'fault', 'gates', 'stores', 'web'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

/** Kills in the middle of work, and an outside judge of every answer: `npm run test:long` alone runs them. */
const long = ['test/fault/*-kill.test.ts', 'test/contract/openapi-proxy.test.ts']
const left = process.env.LONG === '1' ? [] : long

// Without it, packages that import `graphql` differently meet two copies of it.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

const common: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/kit/rest/strict-fetch.ts'],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A busy machine may take far longer than a second to show a state.
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks',
  // Tests start hundreds of processes of the same code: it is compiled once.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/sightline-tests') },
  // Each test makes a workspace or a folder of its own: files share a process, and import the product once.
  isolate: false,
  // Many tests wait for a process or a timer: one worker more than the two cores that the suite is made for.
  maxWorkers: 3,
}

export default defineConfig({
  test: {
    // The engines start once, for all projects.
    globalSetup: ['test/kit/engines.ts'],
    // Vitest begins with the first name of the alphabet: the long files first, the short ones fill the gaps.
    projects: [
      { resolve, test: { ...common, name: 'processes', include: processes, exclude: left } },
      {
        resolve,
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: processes,
        },
      },
    ],
  },
})
