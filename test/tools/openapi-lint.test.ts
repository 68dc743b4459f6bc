import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, root, runTool } from '../kit/repository.ts'

const document = 'rest/contract/openapi.json'

/** What Spectral finds, warnings and hints too. */
async function spectral(folder: string, name: string) {
  const program = 'node_modules/@stoplight/spectral-cli/dist/index.js'
  const options = ['--ruleset', '.spectral.yaml', '--format', 'json', '--fail-severity', 'hint']
  const { status, stdout, stderr } = await runTool(folder, program, 'lint', name, ...options)
  const found = JSON.parse(stdout.slice(0, stdout.lastIndexOf(']') + 1)) as { code: string }[]
  return { status, found: found.map(({ code }) => code).sort(), stderr }
}

/** What Redocly finds. */
async function redocly(folder: string, name: string) {
  const program = 'node_modules/@redocly/cli/bin/cli.js'
  const { status, stdout } = await runTool(folder, program, 'lint', name, '--format', 'json')
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] }
  return { status, found: problems.map(({ ruleId }) => ruleId).sort() }
}

type Components = Record<string, Record<string, unknown>>

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Components
}

interface Operation {
  operationId?: string
  description?: string
  responses: Record<string, unknown>
}

/** The document with these paths, and the components that they refer to: linters take seconds for the whole. */
function partOf(whole: Document, names: readonly string[]): Document {
  const paths = Object.fromEntries(names.map((name) => [name, whole.paths[name] ?? {}]))
  const components: Components = { securitySchemes: whole.components.securitySchemes ?? {} }
  const add = (from: unknown) => {
    const refs = JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)
    for (const [, kind = '', name = ''] of refs) {
      components[kind] ??= {}
      if (name in components[kind]) continue
      const component = whole.components[kind]?.[name]
      components[kind][name] = component
      add(component)
    }
  }
  add(paths)
  return { ...whole, paths, components }
}

/** A folder with the rules and a document with faults: of names, of a type, and so of examples. */
function plantedFolder(): string {
  const folder = emptyFolder()
  for (const name of ['.spectral.yaml', 'redocly.yaml']) {
    copyFileSync(join(root, name), join(folder, name))
  }
  const project = '/api/mcp/projects/{projectId}'
  const paths = ['/api/mcp/projects', project, `${project}/usage`, `${project}/visibility`]
  const planted = partOf(JSON.parse(readFileSync(join(root, document), 'utf8')), paths)
  const operation = (path: string) => planted.paths[path]?.get ?? { responses: {} }
  operation(`${project}/usage`).operationId = 'listProjects'
  delete operation(project).operationId
  const range = planted.components.schemas?.DateRange as { properties: { from: { type: string } } }
  range.properties.from.type = 'day'
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(planted))
  return folder
}

describe('the document is clean by', () => {
  test('every rule of Spectral but the three that are explained', async () => {
    expect(await spectral(root, document)).toEqual({ status: 0, found: [], stderr: '' })
  })

  test('every rule that Redocly recommends', async () => {
    expect(await redocly(root, document)).toEqual({ status: 0, found: [] })
  })
})

describe('a planted fault is found by', () => {
  const planted = ['operation-operationId', 'operation-operationId-unique']

  test('Spectral', async () => {
    const { status, found } = await spectral(plantedFolder(), 'openapi.json')
    expect(status).toBe(1)
    expect(new Set(found)).toEqual(new Set([...planted, 'oas3-schema', 'oas3-valid-media-example']))
  })

  test('Redocly', async () => {
    const { status, found } = await redocly(plantedFolder(), 'openapi.json')
    expect(status).toBe(1)
    expect(new Set(found)).toEqual(
      new Set([...planted, 'struct', 'no-invalid-media-type-examples']),
    )
  })
})
