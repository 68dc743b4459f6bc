import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { generate } from '@graphql-codegen/cli'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
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

const headers = () => ({ authorization: `Bearer ${key}` })

const page = `query Page($project: ID!, $after: String) {
  project(id: $project) {
    __typename
    id
    prompts(first: 2, after: $after) {
      __typename
      edges { __typename cursor node { __typename id text } }
      pageInfo { __typename hasNextPage endCursor }
    }
  }
}`

interface Page {
  readonly project: {
    readonly prompts: {
      readonly edges: readonly { readonly node: { readonly text: string } }[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
    }
  }
}

const textsOf = (data: unknown) => (data as Page).project.prompts.edges.map(({ node }) => node.text)

test('Apollo Client merges two pages', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${api.url}/graphql`, headers: headers() }),
    cache: new InMemoryCache({
      typePolicies: { Project: { fields: { prompts: relayStylePagination() } } },
    }),
  })
  const query = gql(page)
  const first = await client.query<Page>({ query, variables: { project } })
  expect(textsOf(first.data)).toEqual(texts.slice(0, 2))
  const after = first.data?.project.prompts.pageInfo.endCursor
  await client.query({ query, variables: { project, after }, fetchPolicy: 'network-only' })
  expect(textsOf(client.readQuery({ query, variables: { project } }))).toEqual(texts)
  client.stop()
})

test('urql merges two pages', async () => {
  const none = () => null
  const client = new Client({
    url: `${api.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: () => ({ headers: headers() }),
    exchanges: [
      cacheExchange({
        keys: { PromptConnection: none, PromptEdge: none, PageInfo: none },
        resolvers: { Project: { prompts: relayPagination() } },
      }),
      fetchExchange,
    ],
  })
  const first = await client.query<Page>(page, { project }).toPromise()
  expect(textsOf(first.data)).toEqual(texts.slice(0, 2))
  const after = first.data?.project.prompts.pageInfo.endCursor
  const second = await client.query(page, { project, after }).toPromise()
  expect(textsOf(second.data)).toEqual(texts)
})

/** The code block of a language in the part of the docs about clients. */
async function blockOf(language: string): Promise<string> {
  const docs = await readFile(join(root, 'docs/graphql.md'), 'utf8')
  const [, clients = ''] = docs.split('\n## Clients\n')
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(clients)?.[1] ?? ''
}

test("Relay's compiler makes a query that pages through a connection of any node", async () => {
  const folder = emptyFolder()
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'relay.config.json'), await blockOf('json'))
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
    const { generates } = parse(await blockOf('yaml'))
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
