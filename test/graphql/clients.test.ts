import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from '@graphql-codegen/cli'
import {
  getNamedType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { emptyFolder, root } from '../kit/repository.ts'

/** Clients of others read the schema, and page through a connection. */

const api = useApi()

let project = ''
let key = ''
const texts = ['One?', 'Two?', 'Three?']

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await api.db.prompt.createMany({
    data: texts.map((text, at) => ({
      projectId: project,
      text,
      createdAt: new Date(Date.UTC(2025, 4, 10 - at)),
    })),
  })
})

interface Page {
  readonly project: {
    readonly prompts: {
      readonly edges: readonly { readonly node: { readonly text: string } }[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
    }
  }
}

const guide = readFileSync(join(root, 'docs/graphql-clients.md'), 'utf8')

/** The first code block of a language in the guide to clients. */
function blockOf(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''
}

test('each piece of code of the guide is a piece of the examples that run', () => {
  const folder = join(root, 'examples/clients')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|json|graphql)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const pieces = [...guide.matchAll(/```(?:ts|json|graphql)\n([\s\S]*?)```/g)].map(
    ([, piece = '']) => piece,
  )
  expect(pieces.length).toBeGreaterThanOrEqual(8)
  const lacking = pieces.filter((piece) => !files.some((file) => file.includes(piece)))
  expect(lacking).toEqual([])
})

test("Relay's compiler makes a query that pages through a connection of any node", async () => {
  const folder = emptyFolder()
  await mkdir(join(folder, 'src'))
  const config = { ...JSON.parse(blockOf('json')), src: 'src', schema: 'schema.graphql' }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
  const schema = await readFile(join(root, 'schema/schema.graphql'), 'utf8')
  await writeFile(join(folder, 'schema.graphql'), schema)
  await writeFile(
    join(folder, 'src/prompts.ts'),
    `export const fragment = graphql\`
      fragment prompts_project on Project
      @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" })
      @refetchable(queryName: "promptsPageQuery") {
        prompts(first: $count, after: $cursor) @connection(key: "prompts_prompts") { edges { node { text } } }
      }\`
    export const query = graphql\`
      query promptsQuery($id: ID!) { project(id: $id) { ...prompts_project } }\``,
  )
  await promisify(execFile)(join(root, 'node_modules/.bin/relay-compiler'), [], { cwd: folder })
  const made = await readFile(join(folder, 'src/__generated__/promptsPageQuery.graphql.ts'), 'utf8')
  const text = JSON.parse(/"text": (".*"),?\n/.exec(made)?.[1] ?? '""') as string
  const ask = async (query: string, variables: object) => {
    const response = await api.graphql(query, key, variables)
    return (await response.json()) as {
      data: { node: Page['project']; project: { nodeId: string } }
    }
  }
  const { nodeId } = (await ask(`{ project(id: "${project}") { nodeId } }`, {})).data.project
  const first = (await ask(text, { nodeId, count: 2, cursor: null })).data.node.prompts
  const { endCursor: cursor } = first.pageInfo
  const second = (await ask(text, { nodeId, count: 2, cursor })).data.node.prompts
  expect([...first.edges, ...second.edges].map(({ node }) => node.text)).toEqual(texts)
})

const own = Object.values(publicSchema.getTypeMap()).filter(
  (type) => isScalarType(type) && !isSpecifiedScalarType(type),
)

/** A fragment of each type that has values of our scalars, with all of them. */
function everyValue(): string {
  const fragments = Object.values(publicSchema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type)) return []
    const values = Object.values(type.getFields()).filter(
      (field) => own.includes(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
    )
    const names = values.map(({ name }) => name).join(' ')
    return names ? [`fragment Every${type.name} on ${type.name} { ${names} }`] : []
  })
  return fragments.join('\n')
}

describe('GraphQL Code Generator', () => {
  const typeOf = (name: string) => publicSchema.getType(name)?.extensions.codegenScalarType

  test('types every field', async () => {
    const { generates } = parse(blockOf('yaml'))
    const { preset, config } = generates['src/gql/']
    const files: { filename: string; content: string }[] = await generate(
      {
        schema: join(root, 'schema/schema.graphql'),
        documents: everyValue(),
        silent: true,
        generates: { './/': { preset, config } },
      },
      false,
    )
    const types = files.find(({ filename }) => filename.endsWith('graphql.ts'))?.content ?? ''
    const [operations = ''] = types.split('export const')
    const untyped = operations
      .split('\n')
      .filter((line) => !/^type Exact<|^ *\/?\*/.test(line) && /\b(unknown|any)\b/.test(line))
    expect(untyped).toEqual([])
    expect(operations).toContain('object | string | number | boolean | null')
    // The types of the examples are the same.
    expect(own.map(({ name }) => name)).toEqual(['SafeInt', 'Date', 'JSON', 'DateTime'])
    for (const { name } of own) expect([name, config.scalars[name]]).toEqual([name, typeOf(name)])
  })

  test('finds what each scalar is in its specification', () => {
    for (const type of own) {
      const url = isScalarType(type) ? type.specifiedByURL : undefined
      expect([type.name, URL.canParse(url ?? '')]).toEqual([type.name, true])
    }
  })
})
