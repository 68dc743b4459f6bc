import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { leanClient } from './lean-client.ts'

const root = join(import.meta.dirname, '..')
const OUTPUTS = ['prisma/generated', 'prisma/pothos.ts']

/** Writes the client and Pothos' types from schema.prisma into `project`. */
function generate(project: string): void {
  const cli = join(root, 'node_modules/prisma-cli/build/index.js')
  execFileSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // The command downloads a schema engine unless this variable names a file. Generating does not use it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  const client = join(project, 'prisma/generated/internal/class.ts')
  writeFileSync(client, leanClient(readFileSync(client, 'utf8')))
}

/** Every generated file under `project`, by its path from there. */
function readOutputs(project: string): Map<string, string> {
  const paths = OUTPUTS.flatMap((output) =>
    output.endsWith('.ts')
      ? [join(project, output)]
      : readdirSync(join(project, output), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
  )
  return new Map(paths.map((path) => [relative(project, path), readFileSync(path, 'utf8')]))
}

/** The generated files that differ from what schema.prisma gives now. */
function findDifferences(): string[] {
  const copy = mkdtempSync(join(tmpdir(), 'sightline-generate-'))
  try {
    cpSync(join(root, 'prisma/schema.prisma'), join(copy, 'prisma/schema.prisma'))
    for (const name of ['package.json', 'prisma.config.ts']) {
      cpSync(join(root, name), join(copy, name))
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    generate(copy)
    const [fresh, kept] = [readOutputs(copy), readOutputs(root)]
    const names = new Set([...fresh.keys(), ...kept.keys()])
    return [...names].filter((name) => fresh.get(name) !== kept.get(name))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
if (values.check) {
  const differing = findDifferences()
  if (differing.length > 0) {
    process.stderr.write(
      `These files differ from what prisma/schema.prisma gives:\n  ${differing.join('\n  ')}\n` +
        'Run: node prisma/generate.ts\n',
    )
    process.exitCode = 1
  }
} else {
  generate(root)
}
