import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // Without it, packages that import `graphql` differently meet two copies of it.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/kit/engines.ts'],
    setupFiles: ['test/kit/rest/strict-fetch.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Many files start, kill and restart whole services: side by side they would starve each other.
    fileParallelism: false,
  },
})
