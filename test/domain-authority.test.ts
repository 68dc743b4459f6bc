import { beforeAll, describe, expect, test } from 'vitest'
import { importDomainAuthority } from '../imports/content/domain-authority.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn, problemIn } from './kit/changes.ts'
import { clearOfMidnight, dayMs } from './kit/day.ts'
import { askingRest, outcomeOf } from './kit/prompts.ts'
import { sized } from './kit/soak.ts'

await clearOfMidnight()

const api = useApi()

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

let workspace: TestWorkspace
let key = ''
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

async function* bytesOf(text: string | Buffer) {
  yield Buffer.from(text as string)
}

const load = (of: string, text: string | Buffer) =>
  importDomainAuthority(api.db, { projectId: of, bytes: bytesOf(text) })

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

describe('domain authority', () => {
  test('is its history in the window, oldest first, and the newest measurement', async () => {
    const rows = [
      [daysAgo(3), '42.5', '"1,234,567"', '890'],
      [daysAgo(40), '41', '1200000', '880'],
      [daysAgo(500), '30', '5000000000', '70'],
    ]
    const csv = `Date,Domain Rating,Backlinks,Referring domains\r\n${rows.join('\r\n')}\r\n`
    expect(await load(project, csv)).toEqual({ read: 3, loaded: 3, skipped: 0, rejected: [] })
    const latest = { date: daysAgo(3), score: 42.5, backlinks: 1_234_567, referringDomains: 890 }
    const before = { date: daysAgo(40), score: 41, backlinks: 1_200_000, referringDomains: 880 }
    const first = { date: daysAgo(500), score: 30, backlinks: 5_000_000_000, referringDomains: 70 }
    const reference = { id: project, name: 'Acme', domain: 'acme.com' }
    expect((await rest('GET', '/domain-authority')).body).toEqual({
      project: reference,
      latest,
      history: [before, latest],
      dateRange: { from: daysAgo(364), to: daysAgo(0) },
    })
    const short = await rest('GET', '/domain-authority?days=2')
    expect(short.body).toMatchObject({ latest, history: [] })
    const clamped = await rest('GET', '/domain-authority?days=99999')
    expect(clamped.body).toMatchObject({
      history: [first, before, latest],
      dateRange: { from: daysAgo(1094), to: daysAgo(0) },
    })
    const fields = `{ latest { score } history { date backlinks } dateRange { from } }`
    const { data } = await graph(
      `{ project(id: "${project}") { domainAuthority(window: { days: 41 }) ${fields} } }`,
    )
    const expected = {
      latest: { score: 42.5 },
      history: [before, latest].map(({ date, backlinks }) => ({ date, backlinks })),
      dateRange: { from: daysAgo(40) },
    }
    expect(data).toEqual({ project: { domainAuthority: expected } })
  })

  test('of a project without measurements is empty, and a wrong window is named', async () => {
    const of = await workspace.project()
    const empty = await api.get(`/api/mcp/projects/${of}/domain-authority`, key)
    expect(await empty.json()).toMatchObject({ latest: null, history: [] })
    for (const days of ['0', '1.5', 'x']) {
      const answer = await rest('GET', `/domain-authority?days=${days}`)
      expect(outcomeOf(answer)).toBe('400 invalid_argument days')
    }
    expect(
      faultIn(
        await graph(
          `{ project(id: "${of}") { domainAuthority(window: { days: 0 }) { __typename } } }`,
        ),
      ),
    ).toBe('invalid_argument window.days')
  })
})

describe('an import of domain authority', () => {
  test('tells each wrong line, and loads the rest, from UTF-16 with semicolons too', async () => {
    const of = await workspace.project()
    const csv = [
      'DA;Date;RD;Links;Comment',
      '50;2025-05-01;10;100;fine',
      '50;20250502;10;1 000;fine',
      '101;2025-05-03;10;100;',
      '50;2025-02-30;10;100;',
      'high;2025-05-04;10;100;',
      '50;2999-01-01;10;100;',
      '50;2025-05-05;-1;100;',
      '50;2025-05-06;10;1.5;',
      '50;2025-05-07;10',
      '',
      '51;2025-05-01;10;100;replaces the first',
    ].join('\n')
    const bytes = Buffer.from(`\ufeff${csv}`, 'utf16le')
    const { rejected, ...counts } = await load(of, bytes)
    expect(counts).toEqual({ read: 10, loaded: 2, skipped: 1 })
    expect(rejected.map(({ line, reason }) => [line, reason.split('`')[1]])).toEqual([
      [4, 'score'],
      [5, 'date'],
      [6, 'score'],
      [7, 'date'],
      [8, 'referringDomains'],
      [9, 'backlinks'],
      [10, 'backlinks'],
    ])
    const found = await api.db.domainAuthority.findMany({
      where: { projectId: of },
      orderBy: { date: 'asc' },
      omit: { projectId: true, importId: true },
    })
    expect(found).toEqual([
      { date: new Date('2025-05-01'), score: 51, backlinks: 100n, referringDomains: 10n },
      { date: new Date('2025-05-02'), score: 50, backlinks: 1000n, referringDomains: 10n },
    ])
    expect(await load(of, bytes)).toMatchObject({ loaded: 0, skipped: 3 })
  })

  const many = sized({ normal: 3_000, soak: 100_000 })

  test(`takes ${many} lines, and twice is once`, async () => {
    const of = await workspace.project()
    const day = (i: number) =>
      new Date(Date.UTC(2001, 0, 1 + (i % 1000))).toISOString().slice(0, 10)
    const lines = Array.from({ length: many }, (_, i) => `${day(i)},${i % 1000 ? 5 : 'x'},1,1`)
    const bad = Math.ceil(many / 1000)
    const csv = `date,score,backlinks,rd\n${lines.join('\n')}`
    const first = await load(of, csv)
    expect(first).toMatchObject({ read: many, loaded: 999, skipped: many - bad - 999 })
    expect(first.rejected).toHaveLength(bad)
    expect(await load(of, csv)).toMatchObject({ loaded: 0, skipped: many - bad })
  })

  test('is a mutation of the scope admin, which names what lacks', async () => {
    const of = await workspace.project()
    const ask = (csv: string) =>
      graph(
        `mutation { importDomainAuthority(projectId: "${of}", content: ${JSON.stringify(csv)})
          { read loaded skipped rejected { line } } }`,
      )
    const answer = await ask('date,score,backlinks,rd\n2025-05-01,1,2,3\n2025-05-02,x,2,3')
    expect(answer.data).toEqual({
      importDomainAuthority: { read: 2, loaded: 1, skipped: 0, rejected: [{ line: 3 }] },
    })
    const lacking = await ask('date,score\n2025-05-01,1')
    expect(faultIn(lacking)).toBe('invalid_argument csv')
    expect(problemIn(lacking.data)?.message).toContain('"backlinks", "referringDomains"')
    expect(faultIn(await ask(''))).toBe('invalid_argument csv')
  })
})
