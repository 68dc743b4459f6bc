import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationFor } from '../../rest/handler/operation.ts'
import { scriptSchema } from '../../schema/index.ts'
import { adminProject } from '../../schema/kit/authorize.ts'
import { useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { withProblemFragments } from '../kit/graphql/mutations.ts'
import { plantingBuilder } from '../kit/graphql/planted.ts'
import { type PromptPlace, pathsOf } from '../kit/rest/prompt-writes.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'

/** The revision that a write expects, in the header of both doors. */

const api = useApi()

let place: PromptPlace
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  const projectId = await workspace.project()
  const prompt = await api.db.prompt.create({ data: { projectId, text: 'as it was' } })
  place = { projectId, promptId: prompt.id }
  key = (await workspace.key({ capabilities: ['prompt:draft'] })).key
})

describe('If-Match', () => {
  const send = (headers: Record<string, string>, body: unknown = {}) =>
    sendWrite(api, {
      path: pathsOf('updatePrompt', place)[0] ?? '',
      key,
      method: 'PATCH',
      body,
      headers,
    }).then(tellOf)
  const revision = async () =>
    (await api.db.prompt.findUniqueOrThrow({ where: { id: place.promptId } })).currentRevision

  test('takes the revision bare, quoted and weak', async () => {
    for (const write of [
      (n: number) => `${n}`,
      (n: number) => `"${n}"`,
      (n: number) => `W/"${n}"`,
    ]) {
      const told = await send({ 'if-match': write(await revision()) }, { isBranded: true })
      expect(told.status).toBe(200)
      const stale = await send({ 'if-match': write((await revision()) - 1) }, { isBranded: true })
      expect([stale.status, stale.code]).toEqual([409, 'stale_revision'])
    }
  })

  test.each(['*', '"5", "6"', '', '0', 'five'])('"%s" is 400 by its name', async (text) => {
    const told = await send({ 'if-match': text }, { isBranded: true })
    expect([told.status, told.fields]).toEqual([400, ['If-Match']])
  })

  test('may not differ from the body, and says nothing where nothing is expected', async () => {
    const expectedRevision = await revision()
    const same = await send({ 'if-match': `"${expectedRevision}"` }, { expectedRevision })
    expect(same.status).toBe(200)
    const other = await send({ 'if-match': '"99"' }, { expectedRevision })
    expect([other.status, other.fields]).toEqual([400, ['If-Match']])
    const [path = ''] = pathsOf('addPrompts', place)
    const body = { prompts: [{ text: 'new' }] }
    const added = await sendWrite(api, { path, key, body, headers: { 'if-match': '*' } })
    expect(added.status).toBe(200)
  })

  test('is heard by GraphQL where one field is asked for', async () => {
    const ask = (query: string, ifMatch: string) =>
      fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'if-match': ifMatch,
        },
        body: JSON.stringify({ query: withProblemFragments(query) }),
      }).then(async (response) => [
        response.status,
        faultIn((await response.json()) as GraphAnswer),
      ])
    const { projectId, promptId } = place
    const field = `updatePrompt(projectId: "${projectId}", promptId: "${promptId}", isBranded: true) { __typename }`
    await send({}, { isBranded: false })
    const current = await revision()
    expect(await ask(`mutation { ${field} }`, `"${current - 1}"`)).toEqual([200, 'stale_revision'])
    expect(await ask(`mutation { ${field} }`, `W/"${current}"`)).toEqual([200, 'none'])
    expect(await ask(`mutation { ${field} }`, '*')).toEqual([200, 'invalid_argument If-Match'])
    const two = `mutation { a: ${field} b: ${field} }`
    expect(await ask(two, `"${current}"`)).toEqual([200, 'invalid_argument If-Match'])
    expect(await revision()).toBe(current + 1)
  })
})

describe('a write that is declared in part does not build', () => {
  test('that expects a revision and does not check it', () => {
    const builder = plantingBuilder()
    builder.mutationType({})
    builder.mutationField('unchecked', (t) =>
      t.boolean({
        description: 'Planted.',
        access: adminProject,
        args: { expectedRevision: t.arg.int() },
        body: z.object({ text: z.string() }),
        resolve: () => true,
      }),
    )
    expect(() => builder.toSchema()).toThrow('Mutation.unchecked does not check expectedRevision')
  })

  test('that REST serves and that says nothing of its body', () => {
    const route = { operationId: 'x', method: 'POST', path: '/x', field: 'addTopic' } as const
    expect(() => operationFor(scriptSchema, route)).toThrow('x: addTopic says nothing of its body')
  })
})
