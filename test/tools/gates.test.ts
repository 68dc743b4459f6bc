import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { recordFile } from '../../codegen/migrations.ts'
import { generate } from '../../codegen.ts'
import { emptyFolder, ourFiles, plantedFolder, root, runTool } from '../kit/repository.ts'

const depcruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
const rules = '.dependency-cruiser.cjs'

interface Cruise {
  readonly modules: readonly { source: string }[]
  readonly summary: {
    readonly violations: readonly { from: string; to: string; rule: { name: string } }[]
  }
}

async function cruise(folder: string): Promise<Cruise> {
  const args = ['.', '--config', rules, '--output-type', 'json']
  return JSON.parse((await runTool(folder, depcruise, ...args)).stdout)
}

/** The planted tree of imports, with a package where the packages are. */
function plantedImports(): string {
  const folder = plantedFolder('boundaries', [rules, 'tsconfig.json'])
  const graphql = join(folder, 'node_modules/graphql')
  mkdirSync(graphql, { recursive: true })
  writeFileSync(join(graphql, 'package.json'), '{"name": "graphql", "main": "index.js"}')
  writeFileSync(join(graphql, 'index.js'), 'exports.GraphQLError = Error')
  writeFileSync(join(folder, 'package.json'), '{"dependencies": {"graphql": "*"}}')
  return folder
}

/** One line a planted fault. What else stands in the tree is allowed. */
const plantedViolations = [
  'layer-core: core/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-core: core/renders-a-page.ts → web/serve.ts',
  'layer-disk: disk/knows-an-error.ts → core/errors.ts',
  'layer-observability: observability/asks-the-warehouse.ts → warehouse/run.ts',
  'layer-prisma: prisma/asks-the-warehouse.ts → warehouse/run.ts',
  'layer-warehouse: warehouse/asks-the-catalog.ts → prisma/client.ts',
  'layer-resolvers: resolvers/visibility/visibility.ts → schema/kit/builder.ts',
  'layer-site: site/asks-the-catalog.ts → prisma/client.ts',
  'layer-worker: worker/serves-rest.ts → rest/handler/handler.ts',
  'layer-imports: imports/serves-rest.ts → rest/handler/handler.ts',
  'layer-imports: imports/asks-the-tracker.ts → ingest/writer/writer.ts',
  // An import may call named writes of the catalog: not their statements, nor any report.
  'layer-imports: imports/asks-a-report.ts → resolvers/sources/sources.ts',
  'layer-imports: imports/reads-statements.ts → resolvers/prompts/import.sql.ts',
  'layer-schema: schema/asks-the-warehouse.ts → warehouse/run.ts',
  'layer-plugins: plugins/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-rest: rest/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-mcp: mcp/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-oauth: oauth/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-digest: digest/asks-a-resolver.ts → resolvers/sources/sources.ts',
  'layer-sending: sending/asks-the-catalog.ts → prisma/client.ts',
  'layer-demo: demo/asks-the-command-line.ts → cli/main.ts',
  'layer-ingest: ingest/speaks-graphql.ts → schema/kit/builder.ts',
  'layer-web: web/asks-the-catalog.ts → prisma/client.ts',
  'layer-dashboard: dashboard/asks-the-catalog.ts → prisma/client.ts',
  'layer-examples: examples/uses-our-code.ts → core/errors.ts',
  'layer-packages: packages/sender/uses-our-code.ts → core/errors.ts',
  'core-is-pure: core/reads-a-file.ts → fs/promises',
  'resolvers-know-no-graphql: resolvers/sentiment/sentiment.ts → node_modules/graphql/index.js',
  'resolvers-take-the-client-from-their-context: resolvers/competitors.ts → prisma/client.ts',
  'resolvers-take-the-client-from-their-context: resolvers/topics.ts → prisma/generated/client.ts',
  'one-stem: resolvers/answers/answers.ts → resolvers/sources/sources.ts',
  'one-stem: resolvers/ads/ads.ts → resolvers/sources/sources.sql.ts',
  'one-stem: resolvers/shared/filters.ts → resolvers/sources/sources.ts',
  'one-stem: resolvers/usage.ts → resolvers/projects/reads.ts',
  'composed-areas-never-import-foreign-sql: resolvers/reports/reports.ts → resolvers/sources/sources.sql.ts',
  'facts-of-many-by-facts-of: resolvers/fanout/fanout.ts → resolvers/shared/many.sql.ts',
  'tests-are-not-imported: cli/tests-itself.ts → test/kit/api.ts',
  'no-circular: core/egg.ts → core/hen.ts',
  // A circle of types alone is a circle too.
  'no-circular: core/even.ts → core/odd.ts',
  'resolvable: core/leads-nowhere.ts → ./nothing.ts',
]

describe('the gate of imports', () => {
  test('finds every planted fault under the name of its rule, and nothing else', async () => {
    const { summary } = await cruise(plantedImports())
    const found = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`)
    expect(found.sort()).toEqual([...plantedViolations].sort())
  })

  test('has a planted fault for each of its rules, and each is an error', () => {
    const { forbidden } = createRequire(import.meta.url)(join(root, rules)) as {
      forbidden: { name: string; severity: string }[]
    }
    const planted = new Set(plantedViolations.map((line) => line.split(':')[0]))
    expect(new Set(forbidden.map(({ name }) => name))).toEqual(planted)
    expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([])
  })

  test('fails the command that the package script runs', async () => {
    const { status, stdout } = await runTool(plantedImports(), depcruise, '.', '--config', rules)
    expect(status).toBe(plantedViolations.length)
    expect(stdout).toContain('error layer-core: core/asks-a-resolver.ts')
  })

  test('sees every file of ours, so that it cannot be green for want of sight', async () => {
    const seen = new Set((await cruise(root)).modules.map(({ source }) => source))
    const ours = ourFiles().filter(
      (path) => /[.](ts|js|cjs)$/.test(path) && !path.startsWith('prisma/generated/'),
    )
    expect(ours.length).toBeGreaterThan(150)
    expect(ours.filter((path) => !seen.has(path) && path !== rules)).toEqual([])
  })
})

describe('the gate of style', () => {
  const biome = 'node_modules/@biomejs/biome/bin/biome'

  test('finds every planted fault, and fails', async () => {
    const folder = plantedFolder('lint', ['biome.json', '.gitignore'])
    const args = ['check', '--error-on-warnings', '--reporter=github', '.']
    const { status, stdout } = await runTool(folder, biome, ...args)
    const found = [...stdout.matchAll(/title=([\w/]+),file=[^,]*?([\w-]+)[.]ts,/g)]
    expect(status).toBe(1)
    expect(found.map(([, rule, file]) => `${file}: ${rule}`).sort()).toEqual([
      'any: lint/suspicious/noExplicitAny',
      'assertion: lint/style/noNonNullAssertion',
      'console: lint/suspicious/noConsole',
      'default: lint/style/noDefaultExport',
      'format: format',
      'import-type: lint/style/useImportType',
      'unused-import: lint/correctness/noUnusedImports',
      'unused-variable: lint/correctness/noUnusedVariables',
    ])
  })

  test('sees every file of ours', async () => {
    const { stdout, stderr } = await runTool(root, biome, 'check', '--verbose', '.')
    const seen = new Set([...(stdout + stderr).matchAll(/^ +- (\S+)$/gm)].map(([, path]) => path))
    const generated =
      /^(prisma\/(generated\/|pothos[.]ts$)|(examples\/(client\/schema|graphql\/documents)|dashboard\/documents)[.]ts$)/
    const ours = ourFiles().filter((path) => /[.](ts|js|cjs)$/.test(path) && !generated.test(path))
    expect(ours.filter((path) => !seen.has(path))).toEqual([])
  })
})

describe('the gate of types', () => {
  test('finds every planted fault, and fails', async () => {
    const folder = plantedFolder('types', ['tsconfig.json'])
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const { status, stdout } = await runTool(folder, 'node_modules/typescript7/bin/tsc')
    const found = [...stdout.matchAll(/^([\w-]+)[.]ts\(.*error (TS\d+)/gm)]
    expect(status).not.toBe(0)
    expect(found.map(([, file, code]) => `${file}: ${code}`).sort()).toEqual([
      'erasable: TS1294',
      'fallthrough: TS7029',
      'implicit-any: TS7006',
      'import-type: TS1484',
      'null: TS18047',
      'optional: TS2375',
      'override: TS4114',
      'unchecked-index: TS2322',
    ])
  })

  test('sees every file of ours', async () => {
    const tsc = 'node_modules/typescript7/bin/tsc'
    const projects = ['.', 'dashboard'].map((path) =>
      runTool(root, tsc, '-p', path, '--listFilesOnly'),
    )
    const lists = await Promise.all(projects)
    const seen = new Set(lists.flatMap(({ stdout }) => stdout.split('\n')))
    const ours = ourFiles().filter((path) => /[.]tsx?$/.test(path))
    expect(ours.filter((path) => !seen.has(join(root, path)))).toEqual([])
  })
})

describe('the gate of what nobody uses', () => {
  test('finds planted exports, files and packages, and fails', async () => {
    const folder = plantedFolder('unused', ['knip.json', 'tsconfig.json'])
    const knip = await runTool(folder, 'node_modules/knip/bin/knip.js', '--reporter', 'json')
    const { issues } = JSON.parse(knip.stdout) as {
      issues: ({ file: string } & Record<string, { name: string }[]>)[]
    }
    const found = issues.flatMap(({ file, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, names]) =>
        names.map(({ name }) => `${file}: ${kind}: ${name}`),
      ),
    )
    expect(knip.status).toBe(1)
    expect(found.sort()).toEqual([
      'cli/sightline.js: unlisted: not-listed',
      'core/greet.ts: exports: forgotten',
      'core/greet.ts: types: Greeting',
      'core/left-behind.ts: files: core/left-behind.ts',
      'package.json: dependencies: left-over',
      'package.json: devDependencies: left-over-too',
    ])
  })
})

describe('the gate of what is generated', () => {
  test('passes what it has just written, and names the files that are out of step', async () => {
    const folder = emptyFolder()
    expect(await generate(folder, { check: false })).toEqual([])
    expect(await generate(folder, { check: true })).toEqual([])
    const paths = [
      'schema/schema.graphql',
      'docs/errors.md',
      'docs/audits.md',
      'rest/contract/openapi.json',
    ]
    for (const path of paths) appendFileSync(join(folder, path), '\n')
    const written = paths.map((path) => readFileSync(join(folder, path), 'utf8'))
    expect(await generate(folder, { check: true })).toEqual([
      `Out of date: ${paths.join(', ')}. Run: npm run codegen\n`,
    ])
    expect(paths.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(written)
  })

  test('fails the command that the package script runs where a file lacks', async () => {
    const folder = emptyFolder()
    const args = ['--check', '--into', folder]
    const { status, stderr } = await runTool(folder, 'codegen.ts', ...args)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Out of date: schema\/schema\.graphql, .+docs\/errors\.md, .+\. Run: /m)
  })

  test('never takes over a change of a landed migration', async () => {
    const folder = emptyFolder()
    await generate(folder, { check: false })
    const record = join(folder, recordFile)
    const planted = readFileSync(record, 'utf8').replace(/^\w/, (digit) =>
      digit === '0' ? '1' : '0',
    )
    writeFileSync(record, planted)
    for (const check of [true, false]) {
      expect(await generate(folder, { check })).toEqual([
        expect.stringMatching(
          /^Migrations:\n {2}prisma\/migrations\/\S+ was changed after it landed/,
        ),
      ])
    }
    expect(readFileSync(record, 'utf8')).toBe(planted)
  })
})

describe('the gates of the catalog', () => {
  const run = promisify(execFile)

  /** A copy of prisma/ whose schema has one column more. */
  function changedProject(): string {
    const project = emptyFolder()
    for (const name of ['core', 'disk', 'prisma', 'package.json', 'prisma.config.ts']) {
      cpSync(join(root, name), join(project, name), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    const schema = join(project, 'prisma/schema.prisma')
    const text = readFileSync(schema, 'utf8')
    writeFileSync(schema, text.replace('model User {', 'model User {\n  planted Int?'))
    return project
  }

  test('prisma/diff.ts finds a schema that no migration makes', async () => {
    const check = run(process.execPath, [join(changedProject(), 'prisma/diff.ts'), '--check'])
    await expect(check).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /ADD COLUMN +"planted" INTEGER;[\s\S]*node prisma\/diff\.ts NAME/,
      ),
    })
  })
})
