import { randomUUID } from 'node:crypto'
import { execute, isObjectType, isUnionType, parse } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalog, type ErrorCode, Fault } from '../../core/errors.ts'
import { graphFix, problemCodes, problemTypeOf } from '../../core/problem.ts'
import { runCompiled } from '../../plugins/compiled.ts'
import { publicSchema, restSchema } from '../../schema/index.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import type { GraphAnswer } from '../kit/changes.ts'

/** What a mutation answers with when it changes nothing: a type of its union, or an error. */

const api = useApi()

let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace('growth')
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

async function ask(
  text: string,
  headers: Record<string, string> = {},
  as = key,
): Promise<GraphAnswer & { replayed: boolean }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text }),
  })
  expect(response.status).toBe(200)
  const replayed = response.headers.has('x-idempotent-replay')
  return { ...((await response.json()) as GraphAnswer), replayed }
}

const anyProblem = '... on Problem { __typename code message howToFix retryable docsUrl }'

const addTopic = (name: string, of = project) =>
  `mutation { addTopic(projectId: "${of}", name: "${name}") { ... on ProjectChange { changed } ${anyProblem}
    ... on InvalidInput { fields { path message } } ... on Conflict { retryAfter } } }`

describe('every code of the catalog', () => {
  const byPlace = (place: string) =>
    (Object.keys(catalog) as ErrorCode[]).filter(
      (code) => (problemTypeOf(code) ?? 'errors') === place,
    )

  test('is data of one type, or stays in errors', () => {
    expect(byPlace('errors')).toEqual([
      'unauthorized',
      'method_not_allowed',
      'payload_too_large',
      'unsupported_media_type',
      'query_timeout',
      'query_too_large',
      'internal_error',
      'unknown_document',
      'document_not_listed',
      'too_many_streams',
      'query_too_costly',
    ])
    expect(byPlace('InvalidInput')).toEqual(['invalid_argument', 'invalid_country'])
    expect(byPlace('Forbidden')).toEqual(['forbidden', 'missing_scope', 'plan_upgrade_required'])
    expect(byPlace('NotFound')).toEqual(['not_found'])
    expect(byPlace('StaleRevision')).toEqual(['stale_revision'])
    expect(byPlace('QuotaExceeded')).toEqual(['bulk_limit_exceeded', 'quota_exceeded'])
    expect(problemCodes.length + byPlace('errors').length).toBe(Object.keys(catalog).length)
  })
})

describe('every mutation', () => {
  const fields = Object.values(publicSchema.getMutationType()?.getFields() ?? {})

  test('is a nullable union of one object and of problems, which REST does not see', () => {
    for (const { name, type } of fields) {
      expect(`${name} ${isUnionType(type)}`).toBe(`${name} true`)
      const members = isUnionType(type) ? type.getTypes() : []
      const problems = members.filter((member) =>
        member.getInterfaces().some((one) => one.name === 'Problem'),
      )
      expect(`${name} ${members.length - problems.length}`).toBe(`${name} 1`)
      expect(problems.map((one) => one.name)).toEqual(
        expect.arrayContaining(['InvalidInput', 'Forbidden', 'NotFound']),
      )
    }
    const rest = Object.values(restSchema.getMutationType()?.getFields() ?? {})
    expect(rest.filter(({ type }) => !isObjectType(type))).toEqual([])
    expect(restSchema.getType('Problem')).toBeUndefined()
  })

  test('takes an idempotency key', () => {
    const unkeyed = fields.filter(({ args }) => args.every((arg) => arg.name !== 'idempotencyKey'))
    expect(unkeyed.map(({ name }) => name)).toEqual([])
  })

  test('that declares a code has its type', () => {
    for (const { name, type, args, extensions } of fields) {
      const codes = [...((extensions.problems as ErrorCode[] | undefined) ?? [])]
      if (args.some((arg) => arg.name === 'expectedRevision')) codes.push('stale_revision')
      const members = isUnionType(type) ? type.getTypes().map((member) => member.name) : []
      for (const code of codes) {
        const wanted = problemTypeOf(code)
        if (wanted)
          expect(`${name} ${code} ${members.includes(wanted)}`).toBe(`${name} ${code} true`)
      }
    }
  })
})

describe('a mutation that changes nothing', () => {
  test('names the wrong fields', async () => {
    const { data, errors } = await ask(addTopic(' '))
    expect(errors).toBeUndefined()
    expect(data.addTopic).toEqual({
      __typename: 'InvalidInput',
      code: 'invalid_argument',
      message: expect.stringContaining('`name`'),
      howToFix: 'Correct the values that `fields` names.',
      retryable: false,
      docsUrl: expect.stringMatching(/^http.*\/docs\/errors#invalid_argument$/),
      fields: [{ path: 'name', message: expect.any(String) }],
    })
    expect(await api.db.topic.count({ where: { projectId: project } })).toBe(0)
  })

  test('leaves its neighbours their answers', async () => {
    const [first, second] = [addTopic('Neighbour'), addTopic('N', randomUUID())].map((text) =>
      text.slice('mutation {'.length, -1),
    )
    const { data } = await ask(`mutation { a: ${first} b: ${second} }`)
    expect([data.a, data.b?.code]).toEqual([{ changed: true }, 'not_found'])
  })

  test('says what the key, its role or the plan lacks', async () => {
    const forbidden =
      '... on Forbidden { code howToFix missingScope missingCapability requiresUpgrade }'
    const addition = `mutation { addTopic(projectId: "${project}", name: "R") { ${forbidden} } }`
    const drafts = `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "Which?" }]) { ${forbidden} } }`
    const reader = (await workspace.key({ scopes: ['read'] })).key
    const code = 'missing_scope'
    const howToFix = 'Use a key that has `missingScope` or `missingCapability`.'
    const lacking = { code, howToFix, missingScope: null, missingCapability: null }
    const free = { requiresUpgrade: false }
    expect(await ask(addition, {}, reader)).toMatchObject({
      data: { addTopic: { ...lacking, ...free, missingScope: 'admin' } },
    })
    expect(await ask(drafts, {}, reader)).toMatchObject({
      data: { addPrompts: { ...lacking, ...free, missingCapability: 'prompt_draft' } },
    })
    const branding = `mutation { setReportBranding(workspaceId: "${workspace.id}", name: "A") { ${forbidden} } }`
    expect((await ask(branding)).data.setReportBranding).toMatchObject({
      code: 'plan_upgrade_required',
      missingScope: null,
      requiresUpgrade: true,
    })
  })

  test('names what it did not find, by the place in its arguments', async () => {
    const nothing = randomUUID()
    const topic = await api.db.topic.create({ data: { projectId: project, name: 'There' } })
    const missing = '... on NotFound { argument id message howToFix }'
    const found = async (call: string) => {
      const { data } = await ask(`mutation { found: ${call} { ${missing} } }`)
      return data.found
    }
    const lists = '`projects`, which lists the projects of the key.'
    expect(await found(`addTopic(projectId: "${nothing}", name: "A")`)).toEqual({
      argument: 'projectId',
      id: nothing,
      message: `\`projectId\` names nothing that the key reaches; got \`${nothing}\`.`,
      howToFix: `Ask for ${lists}`,
    })
    const prompts = `[{ text: "One?" }, { text: "Two?", topicIds: ["${topic.id}", "${nothing}"] }]`
    const cases = [
      [`addPrompts(projectId: "${project}", prompts: ${prompts})`, 'prompts.1.topicIds.1', nothing],
      [`removeTopic(projectId: "${project}", topicId: "${nothing}")`, 'topicId', nothing],
      [`removeBrandAlias(projectId: "${project}", text: "Nobody")`, 'text', 'Nobody'],
      [`setNameMatch(projectId: "${project}", alias: "Nobody")`, 'alias', 'Nobody'],
      [
        `createKey(workspaceId: "${workspace.id}", scopes: [read], projectId: "${nothing}")`,
        'projectId',
        nothing,
      ],
      [`revokeKey(workspaceId: "${nothing}", keyId: "${nothing}")`, 'workspaceId', nothing],
    ] as const
    for (const [call, argument, id] of cases) {
      expect([call, await found(call)]).toMatchObject([call, { argument, id }])
    }
  })

  test('has no advice that names a field which its type lacks', () => {
    for (const code of problemCodes) {
      const type = publicSchema.getType(problemTypeOf(code) ?? '')
      const named = graphFix(new Fault(code, '')) ?? ''
      const fields = isObjectType(type) ? Object.keys(type.getFields()) : []
      // Arguments of mutations, HTTP headers and examples of values are no fields.
      const others = ['pageIds', 'maxPages', 'DE']
      for (const [, name = ''] of named.matchAll(/`(\w+)`/g)) {
        expect([...fields, ...others]).toContain(name)
      }
      expect(named).not.toContain('Retry-After')
    }
  })

  test.each([
    ['graphql-js', execute],
    ['graphql-jit', runCompiled],
  ] as const)('answers with the same types in %s', async (_name, run) => {
    const contextValue = {
      authorize: async () => {
        throw new Fault('not_found', 'Gone.')
      },
      services: { baseUrl: 'http://x' },
    }
    const result = await run({
      schema: publicSchema,
      document: parse(addTopic('Any', 'PROJECT')),
      contextValue,
    })
    expect(result).toEqual({
      data: {
        addTopic: {
          __typename: 'NotFound',
          code: 'not_found',
          message: '`projectId` names nothing that the key reaches; got `PROJECT`.',
          howToFix: 'Ask for `projects`, which lists the projects of the key.',
          retryable: false,
          docsUrl: 'http://x/docs/errors#not_found',
        },
      },
    })
  })
})

describe('with an idempotency key', () => {
  const withKey = (name: string) => ({ 'idempotency-key': name })

  test('a problem is not stored: the retry runs again', async () => {
    const of = await workspace.project({ name: 'Later' })
    const rename = (
      topicId: string,
    ) => `mutation { renameTopic(projectId: "${of}", topicId: "${topicId}",
      name: "New") { ... on ProjectChange { changed subjectId } ${anyProblem} } }`
    const topic = await api.db.topic.create({ data: { projectId: project, name: 'Old' } })
    const text = rename(topic.id)
    for (const turn of [1, 2, 3]) {
      const { data, replayed } = await ask(text, withKey('p1'))
      expect([turn, data.renameTopic?.code, replayed]).toEqual([turn, 'not_found', false])
    }
    await api.db.topic.update({ where: { id: topic.id }, data: { projectId: of } })
    const done = await ask(text, withKey('p1'))
    expect(done.data.renameTopic).toEqual({ changed: true, subjectId: topic.id })
    const again = await ask(text, withKey('p1'))
    expect([again.data, again.replayed]).toEqual([done.data, true])
  })

  test('another request with the key conflicts, and a running one says when to come back', async () => {
    await ask(addTopic('First'), withKey('p2'))
    const conflict = await ask(addTopic('Second'), withKey('p2'))
    expect(conflict.data.addTopic).toMatchObject({
      __typename: 'Conflict',
      code: 'idempotency_conflict',
      retryAfter: null,
    })
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(addTopic('Twin'), withKey('p3'))))
    const told = answers.map(({ data }) => data.addTopic ?? {})
    expect(told.some(({ changed }) => changed === true)).toBe(true)
    for (const answer of told.filter(({ code }) => code !== undefined)) {
      expect(answer).toMatchObject({
        __typename: 'Conflict',
        code: 'idempotency_in_flight',
        retryable: true,
        retryAfter: 5,
      })
    }
    expect(await api.db.topic.count({ where: { projectId: project, name: 'Twin' } })).toBe(1)
  })
})
