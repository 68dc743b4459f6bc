import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes `prisma/generated` and `prisma/pothos.ts` from schema.prisma: the client, and what Pothos knows of it. */
function generate(): void {
  execFileSync(
    process.execPath,
    [fileURLToPath(import.meta.resolve('prisma-cli/build/index.js')), 'generate', '--no-hints'],
    {
      cwd: join(import.meta.dirname, '..'),
      // The command names its configuration on standard error. A failure shows that text.
      stdio: 'pipe',
      env: {
        ...process.env,
        // The command downloads a schema engine unless this variable names a file. Generating does not use it.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    },
  )
}

if (import.meta.main) generate()
