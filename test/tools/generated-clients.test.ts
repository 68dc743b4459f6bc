import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compile,
  type DemoService,
  linkPackages,
  runProgram,
  startDemoService,
} from '../kit/programs.ts'
import { root } from '../kit/repository.ts'
import {
  type ApiDocument,
  callsOf,
  knownOf,
  type OperationCall,
} from '../kit/rest/operation-calls.ts'

/** What others generate of the document compiles, and calls every operation of a service that runs. */

let service: DemoService
let document: ApiDocument
let calls: OperationCall[]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-clients-'))
  linkPackages(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  service = await startDemoService()
  document = (await (await service.get('/openapi.json', null)).json()) as ApiDocument
  calls = callsOf(document, await knownOf(service, document))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const prelude = `
const { SIGHTLINE_URL: baseUrl = '', SIGHTLINE_KEY: key = '' } = process.env
const told: { operationId: string; status: number; hasData: boolean; error: unknown }[] = []
function tell(
  operationId: string,
  { data, error, response }: { data?: unknown; error?: unknown; response?: Response },
): void {
  told.push({ operationId, status: response?.status ?? 0, hasData: data !== undefined, error })
}
`
const postlude = `process.stdout.write(JSON.stringify(told))\n`

/** A program by openapi-typescript, whose types openapi-fetch reads. */
async function writeFetchProgram(place: string): Promise<void> {
  const tree = await openapiTS(JSON.stringify(document), { defaultNonNullable: false })
  await writeFile(join(place, 'schema.ts'), astToString(tree))
  const lines = calls.map(({ operationId, method, path, params, body }) => {
    const given = JSON.stringify({ params, body })
    return `tell('${operationId}', await client.${method}('${path}', ${given}))`
  })
  await writeFile(
    join(place, 'main.ts'),
    `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'
${prelude}
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
${lines.join('\n')}
${postlude}`,
  )
}

/** A program by Hey API, which makes a function of each operation. */
async function writeSdkProgram(place: string): Promise<void> {
  const input = join(place, 'openapi.json')
  await writeFile(input, JSON.stringify(document))
  await createClient({
    input,
    output: { path: join(place, 'sdk'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  })
  const lines = calls.map(({ operationId, params, body }) => {
    const given = JSON.stringify({ ...params, body })
    return `tell('${operationId}', await sdk.${operationId}(${given}))`
  })
  await writeFile(
    join(place, 'main.ts'),
    `import { client } from './sdk/client.gen.ts'
import * as sdk from './sdk/index.ts'
${prelude}
client.setConfig({ baseUrl, auth: () => key })
${lines.join('\n')}
${postlude}`,
  )
}

/** A program with our own package, which throws what is refused. It repeats nothing: a job that runs is refused for long. */
async function writeOwnProgram(place: string): Promise<void> {
  const lines = calls.map(({ operationId, method, path, params, body }) => {
    const given = JSON.stringify({ params, body })
    return `await hear('${operationId}', sightline.${method.toLowerCase()}('${path}', ${given}))`
  })
  await writeFile(
    join(place, 'main.ts'),
    `import { Sightline } from ${JSON.stringify(join(root, 'packages/client/src/client.ts'))}
${prelude}
let response: Response | undefined
const sightline = new Sightline({
  url: baseUrl,
  key,
  retries: { attempts: 1 },
  fetch: async (request) => (response = await fetch(request)),
})
async function hear(operationId: string, answer: Promise<unknown>): Promise<void> {
  const result = await answer.then((data) => ({ data }), (error: unknown) => ({ error }))
  tell(operationId, { data: undefined, error: undefined, ...result, ...(response && { response }) })
}
${lines.join('\n')}
${postlude}`,
  )
}

interface Told {
  readonly operationId: string
  readonly status: number
  readonly hasData: boolean
  readonly error?: unknown
}

describe.each([
  ['openapi-typescript', writeFetchProgram],
  ['@hey-api/openapi-ts', writeSdkProgram],
  ['@sightline/client', writeOwnProgram],
])('the client of %s', (name, write) => {
  let place: string

  beforeAll(async () => {
    place = join(folder, name.replaceAll(/\W/g, '-'))
    await mkdir(place)
    await write(place)
  })

  const flags = [
    '--noEmit',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ]

  test('compiles under strict', async () => {
    const { code, stdout } = await compile(place, [...flags, 'main.ts'])
    expect([code, stdout]).toEqual([0, ''])
  })

  test('does not compile with a wrong name, type or value', async () => {
    const program = await readFile(join(place, 'main.ts'), 'utf8')
    const faults = [
      ['"projectId"', '"project"'],
      ['"limit":50', '"limit":"fifty"'],
      ['"action":"archive"', '"action":"delete"'],
      ['"text":', '"words":'],
    ] as const
    const names = faults.map((_, i) => `wrong-${i}.ts`)
    for (const [i, [right, wrong]] of faults.entries()) {
      expect(program).toContain(right)
      await writeFile(join(place, `wrong-${i}.ts`), program.replace(right, wrong))
    }
    const { code, stdout } = await compile(place, [...flags, ...names])
    const found = [...stdout.matchAll(/^(wrong-\d\.ts)\(\d+,\d+\): error TS2/gm)]
    expect([code, [...new Set(found.map(([, name]) => name))].sort()]).toEqual([1, names])
  })

  test('calls every operation, each of which answers as the document promises', async () => {
    const env = { SIGHTLINE_URL: service.url, SIGHTLINE_KEY: service.key }
    const { code, stdout, stderr } = await runProgram([join(place, 'main.ts')], { env })
    expect([code, stderr]).toEqual([0, ''])
    const told: Told[] = JSON.parse(stdout)
    // A project runs one job of a kind at a time: the same operation at its second path may be refused.
    const begun = expect.toBeOneOf([202, 429])
    expect(told).toMatchObject(
      calls.map(({ operationId, success }) =>
        success === 202
          ? { operationId, status: begun }
          : { operationId, status: success, hasData: true },
      ),
    )
  })
})

test('every operation of the document is called', () => {
  const listed = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(calls.map(({ operationId }) => operationId)).toEqual(listed)
  expect(listed.length).toBeGreaterThan(60)
})
