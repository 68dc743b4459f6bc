import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const graph = asking(api, () => key)

const load = (of: string, profile: object | string) => {
  const text = typeof profile === 'string' ? profile : JSON.stringify(profile)
  return graph(
    `mutation { importBrandProfile(projectId: "${of}", content: ${JSON.stringify(text)})
      { changed needsReanalysis } }`,
  )
}

async function profileOf(of: string) {
  const response = await api.get(`/api/mcp/projects/${of}/brand-profile`, key)
  return (await response.json()) as { brandProfile: Record<string, unknown> }
}

const whole = {
  name: 'Lumora Audio',
  aliases: ['Lumora', { text: 'LUM', caseSensitive: true }],
  domains: ['https://www.lumora.com/de', 'lumora.shop', 'lumora.io'],
  description: 'Headphones.',
  industry: 'Consumer audio',
}

const trailOf = async (of: string) => {
  const entries = await api.db.auditEntry.findMany({
    where: { projectId: of },
    orderBy: { id: 'asc' },
  })
  return entries.map(({ action }) => action).filter((action) => action !== 'project.create')
}

describe('an import of a brand profile', () => {
  test('makes the profile what the file says, on record, and twice changes nothing', async () => {
    const of = await workspace.project()
    expect((await load(of, whole)).data).toEqual({
      importBrandProfile: { changed: true, needsReanalysis: true },
    })
    expect((await profileOf(of)).brandProfile).toMatchObject({
      name: 'Lumora Audio',
      aliases: ['LUM', 'Lumora'],
      domains: ['lumora.com', 'lumora.io', 'lumora.shop'],
      description: 'Headphones.',
      industry: 'Consumer audio',
      updatedAt: expect.any(String),
    })
    const trail = await trailOf(of)
    expect(trail).toEqual([
      'project.update',
      'brandAlias.add',
      'brandAlias.add',
      'ownDomain.add',
      'ownDomain.add',
    ])
    expect((await load(of, whole)).data).toEqual({
      importBrandProfile: { changed: false, needsReanalysis: false },
    })
    expect(await trailOf(of)).toEqual(trail)
  })

  test('takes back what the report gave', async () => {
    const of = await workspace.project()
    await load(of, whole)
    const given = await profileOf(of)
    await load(of, { name: 'Other', aliases: ['X'], domains: ['x.com'], industry: null })
    expect((await profileOf(of)).brandProfile).toMatchObject({
      name: 'Other',
      aliases: ['X'],
      domains: ['x.com'],
      industry: null,
      description: 'Headphones.',
    })
    await load(of, given)
    const { updatedAt: _now, ...again } = (await profileOf(of)).brandProfile
    const { updatedAt: _then, ...before } = given.brandProfile
    expect(again).toEqual(before)
  })

  test('leaves what it does not name, and the case of an alias that it names again', async () => {
    const of = await workspace.project()
    await load(of, whole)
    await load(of, { aliases: ['LUM'] })
    expect((await profileOf(of)).brandProfile).toMatchObject({
      name: 'Lumora Audio',
      aliases: ['LUM'],
      domains: ['lumora.com', 'lumora.io', 'lumora.shop'],
    })
    const alias = await api.db.brandAlias.findFirstOrThrow({ where: { projectId: of } })
    expect(alias.caseSensitive).toBe(true)
  })

  test('changes nothing when anything is wrong, and names it', async () => {
    const of = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
    const before = await profileOf(of)
    const cases = [
      ['no json', 'invalid_argument profile'],
      ['[]', 'invalid_argument profile'],
      [{ name: '' }, 'invalid_argument name'],
      [{ name: 'New', domains: [] }, 'invalid_argument domains'],
      [{ name: 'New', domains: ['acme.com', 'no domain'] }, 'invalid_argument domains.1'],
      [{ name: 'New', aliases: ['fine', 7] }, 'invalid_argument aliases.1'],
      [{ name: 'New', domains: ['acme.com', 'rival.com'] }, 'invalid_argument domain'],
    ] as const
    for (const [profile, outcome] of cases) {
      expect(faultIn(await load(of, profile))).toBe(outcome)
    }
    expect(await profileOf(of)).toEqual(before)
    expect(await trailOf(of)).toEqual([])
  })
})
