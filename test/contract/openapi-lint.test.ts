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

interface Operation {
  operationId?: string
  description?: string
  responses: Record<string, unknown>
}

/** A folder with the rules and a document with faults: of names, of a type, and so of examples. */
function plantedFolder(): string {
  const folder = emptyFolder()
  for (const name of ['.spectral.yaml', 'redocly.yaml']) {
    copyFileSync(join(root, name), join(folder, name))
  }
  const planted = JSON.parse(readFileSync(join(root, document), 'utf8'))
  const get = (path: string): Operation => planted.paths[path].get
  const project = '/api/mcp/projects/{projectId}'
  get(`${project}/usage`).operationId = 'listProjects'
  delete get(project).operationId
  planted.components.schemas.DateRange.properties.from.type = 'day'
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
