import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../../dashboard/pages/imports/samples.ts'
import { fileKinds } from '../../imports/uploads/kinds.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { zipOf } from './zip.ts'

const api = useApi()
let workspace: TestWorkspace
let project = ''
let admin = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ domain: 'example.com' })
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

async function send(query: string, variables: object, key = admin): Promise<GraphAnswer> {
  return (await api.graphql(query, key, { project, ...variables })).json() as Promise<GraphAnswer>
}

const previewed = async (content: string, more: object = {}) =>
  (
    await send(
      `mutation($project: ID!, $content: String!, $kind: FileKind, $isBase64: Boolean) {
        previewUpload(projectId: $project, content: $content, kind: $kind, isBase64: $isBase64) {
          kind candidates columns lines { line cells } read accepted isCut readProblem rejected { line reason } } }`,
      { content, ...more },
    )
  ).data.previewUpload

const imported = (content: string, kind: string, file = 'a file') =>
  send(
    `mutation($project: ID!, $content: String!, $kind: FileKind!, $file: String) {
      importUpload(projectId: $project, content: $content, kind: $kind, file: $file) {
        read loaded skipped rejected { line reason } import { id file kind status } } }`,
    { content, kind, file },
  )

const imports = () => api.db.import.count({ where: { projectId: project } })

describe('a file that somebody drops', () => {
  test.each(fileKinds)(
    'of the sample of %s is recognised and read whole, and stores nothing',
    async (kind) => {
      const before = await imports()
      const { content } = sampleOf(kind)
      const found = await previewed(content)
      expect(found).toMatchObject({ kind, readProblem: null, rejected: [], isCut: false })
      expect(found?.accepted).toBeGreaterThan(0)
      expect(found?.columns).not.toEqual([])
      expect(await imports()).toBe(before)
      expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(0)
    },
  )

  test('shows its rows as they would be read, and what is wrong by line', async () => {
    const csv = 'url,title\nhttps://example.com/a,A\nno address,B\n'
    expect(await previewed(csv)).toEqual({
      kind: 'pages',
      candidates: ['pages'],
      columns: ['Page', 'Title'],
      lines: [{ line: 2, cells: ['https://example.com/a', 'A'] }],
      read: 2,
      accepted: 1,
      isCut: false,
      readProblem: null,
      rejected: [{ line: 3, reason: expect.stringContaining('url') }],
    })
  })

  test('may be a log that was cut before its header, or a table that lacks what it needs', async () => {
    const fixture = (name: string) =>
      readFile(join(import.meta.dirname, '../fixtures', name), 'utf8')
    expect(await previewed(await fixture('iis/u_ex.txt'))).toMatchObject({
      kind: 'access_log',
      readProblem: null,
    })
    const queries = await previewed(await fixture('search-console/Queries.csv'))
    expect(queries).toMatchObject({ kind: 'search_console', lines: [] })
    expect(queries?.readProblem).toContain('ZIP')
  })

  test('that may be several things waits for an answer', async () => {
    const table = 'address of mine,number\nx,1\n'
    expect(await previewed(table)).toMatchObject({
      kind: null,
      candidates: expect.arrayContaining(['prompts', 'answers']),
      lines: [],
    })
    const asked = await previewed(table, { kind: 'domain_authority' })
    expect(asked).toMatchObject({ kind: 'domain_authority', accepted: 0 })
    expect(asked?.readProblem).toEqual(expect.any(String))
    expect(faultIn(await imported(table, 'domain_authority'))).toMatch(/^invalid_argument/)
  })

  test('may be the ZIP of Search Console', async () => {
    const name = 'Chart.csv'
    const csv = await readFile(join(import.meta.dirname, '../fixtures/search-console', name))
    const content = zipOf({ [name]: csv }).toString('base64')
    expect(await previewed(content, { isBase64: true })).toMatchObject({
      kind: 'search_console',
      readProblem: null,
    })
  })

  test('that no import reads says so', async () => {
    const workbook = zipOf({ 'xl/workbook.xml': '<workbook/>' }).toString('base64')
    const found = await previewed(workbook, { isBase64: true })
    expect(found).toMatchObject({ kind: null, candidates: [] })
    expect(found?.readProblem).toContain('Save its sheet as CSV')
    expect((await previewed('%PDF-1.7'))?.readProblem).toContain('Export the data as CSV')
  })

  test('is imported under its name, and a broken one changes nothing', async () => {
    const { content } = sampleOf('answers')
    const answer = await imported(`${content}not JSON\n`, 'answers', 'august.jsonl')
    expect(answer.data.importUpload).toEqual({
      read: 3,
      loaded: 2,
      skipped: 0,
      rejected: [{ line: 3, reason: expect.any(String) }],
      import: {
        id: expect.any(String),
        file: 'august.jsonl',
        kind: 'answers',
        status: 'finished',
      },
    })
    const before = await imports()
    const broken = await imported('{"not": "a list', 'web_analytics')
    expect(faultIn(broken)).toMatch(/^invalid_argument/)
    const person = sampleOf('access_log').content.replace(/Mozilla[^\n]*GPTBot[^\n]*/, 'Firefox"')
    expect(await previewed(person)).toMatchObject({ kind: 'access_log', read: 2, accepted: 1 })
    const log = await imported(person, 'access_log', 'access.log')
    expect(log.data.importUpload).toMatchObject({ read: 2, loaded: 1, skipped: 1 })
    expect(
      await api.db.import.count({
        where: { projectId: project, file: 'a file', finishedAt: { not: null } },
      }),
    ).toBe(0)
    expect(await imports()).toBeGreaterThan(before)
  })

  test('of prompts needs the right to edit prompts, not all rights', async () => {
    const { key } = await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })
    // Larger than a body of a key that only reads.
    const rows = Array.from({ length: 2000 }, (_, at) => `"Which anvil is number ${at} of all?"`)
    const content = ['text', ...rows].join('\n')
    const answer = await send(
      'mutation($project: ID!, $content: String!) { previewPrompts(projectId: $project, content: $content) { created } }',
      { content },
      key,
    )
    expect(answer.data.previewPrompts).toEqual({ created: 2000 })
    const few = await send(
      'mutation($project: ID!, $content: String!) { importPrompts(projectId: $project, content: $content) { created } }',
      { content: 'text\nWhich anvil?' },
      key,
    )
    expect(few.data.importPrompts).toEqual({ created: 1 })
  })
})
