import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, changesOf } from '../kit/changes.ts'
import { isSoak } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = ''
let project = ''
let rival = ''

const ask = asking(api, () => admin)
const { change, faultOf, trail } = changesOf(ask, () => project)

beforeAll(async () => {
  workspace = await api.workspace()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

beforeEach(async () => {
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  rival = (await api.db.competitor.findFirstOrThrow({ where: { projectId: project } })).id
})

describe('changes to competitors', () => {
  const tracked = 'competitors { nodes { name domain aliases { text caseSensitive } } }'

  test('are added with their names, once, and need a new analysis', async () => {
    const aliases = 'aliases: [{ text: "TNT", caseSensitive: true }, { text: "Nitro" }]'
    const args = `name: "Nitro Co", domain: "http://nitro.com/x", ${aliases}`
    const made = await change('addCompetitor', args, tracked)
    expect(made).toMatchObject({ changed: true, needsReanalysis: true })
    expect(made?.project).toEqual({
      competitors: {
        nodes: [
          {
            name: 'Nitro Co',
            domain: 'nitro.com',
            aliases: [
              { text: 'Nitro', caseSensitive: true },
              { text: 'TNT', caseSensitive: true },
            ],
          },
          { name: 'Rival', domain: 'rival.com', aliases: [] },
        ],
      },
    })
    expect(await change('addCompetitor', args)).toMatchObject({
      subjectId: made?.subjectId,
      changed: false,
      needsReanalysis: false,
    })
    expect(await trail()).toMatchObject([
      { action: 'competitor.add', subjectId: made?.subjectId, after: { domain: 'nitro.com' } },
    ])
  })

  test('take another name, domain and alias, and go', async () => {
    const id = `competitorId: "${rival}"`
    await change('updateCompetitor', `${id}, name: "Rival Inc"`)
    await change('updateCompetitor', `${id}, domain: "rival.org"`)
    const named = await change('addCompetitorAlias', `${id}, text: "RVL"`, tracked)
    expect(named?.project).toEqual({
      competitors: {
        nodes: [
          {
            name: 'Rival Inc',
            domain: 'rival.org',
            aliases: [{ text: 'RVL', caseSensitive: false }],
          },
        ],
      },
    })
    expect(await change('removeCompetitorAlias', `${id}, text: "RVL"`)).toMatchObject({
      needsReanalysis: true,
    })
    const gone = await change('removeCompetitor', id, tracked)
    expect(gone).toMatchObject({
      needsReanalysis: true,
      project: { competitors: { nodes: [] } },
    })
    expect(await trail()).toMatchObject([
      { action: 'competitor.remove', before: { name: 'Rival Inc', domain: 'rival.org' } },
      { action: 'competitorAlias.remove', before: { text: 'RVL', competitorId: rival } },
      { action: 'competitorAlias.add', after: { text: 'RVL', competitorId: rival } },
      {
        action: 'competitor.update',
        before: { domain: 'rival.com' },
        after: { domain: 'rival.org' },
      },
      { action: 'competitor.update', before: { name: 'Rival' }, after: { name: 'Rival Inc' } },
    ])
  })

  test('of another project are not found, and nothing is written', async () => {
    const other = await workspace.project({ competitors: [{ name: 'Far', domain: 'far.com' }] })
    const far = await api.db.competitor.findFirstOrThrow({ where: { projectId: other } })
    for (const id of [far.id, crypto.randomUUID(), 'none']) {
      const args = `competitorId: "${id}"`
      expect(await faultOf('removeCompetitor', args)).toBe('not_found')
      expect(await faultOf('updateCompetitor', `${args}, name: "X"`)).toBe('not_found')
      expect(await faultOf('addCompetitorAlias', `${args}, text: "X"`)).toBe('not_found')
    }
    expect(await trail()).toEqual([])
    expect(await api.db.competitor.count({ where: { projectId: other } })).toBe(1)
  })

  test.each([
    ['addCompetitor', 'name: "Own", domain: "acme.com"', 'domain'],
    ['addCompetitor', 'name: "Rival", domain: "else.com"', 'name'],
    ['addCompetitor', 'name: "", domain: "?"', 'name domain'],
  ])('%s refuses %s', async (name, args, fields) => {
    expect(await faultOf(name, args)).toBe(`invalid_argument ${fields}`)
  })

  test('cannot take the name of another, or a domain of the brand', async () => {
    await change('addCompetitor', 'name: "Nitro", domain: "nitro.com"')
    await change('addOwnDomain', 'domain: "acme.org"')
    const id = `competitorId: "${rival}"`
    const fault = (args: string) => faultOf('updateCompetitor', `${id}, ${args}`)
    expect(await fault('name: "Nitro"')).toBe('invalid_argument name')
    expect(await fault('domain: "acme.org"')).toBe('invalid_argument domain')
  })

  if (isSoak) {
    test('ten that ask for the same at once make one competitor and one entry', async () => {
      const args = 'name: "Nitro", domain: "nitro.com"'
      const made = await Promise.all(
        Array.from({ length: 10 }, () => change('addCompetitor', args)),
      )
      expect(new Set(made.map((it) => it?.subjectId)).size).toBe(1)
      expect(made.filter((it) => it?.changed)).toHaveLength(1)
      expect(await trail()).toHaveLength(1)
    })
  }
})
