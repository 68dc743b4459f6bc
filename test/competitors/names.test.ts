import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProject } from '../../resolvers/projects/create.ts'
import { signingSecret, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, changesOf } from '../kit/changes.ts'

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

/** The own brand is Acme, also "Roadster Labs"; the competitors are Best Buy and Zorvik, also "Zork". */
beforeEach(async () => {
  project = await workspace.project({
    aliases: [{ text: 'Roadster Labs' }],
    competitors: [
      { name: 'Best Buy', domain: 'bestbuy.com' },
      { name: 'Zorvik', domain: 'zorvik.com', aliases: [{ text: 'Zork' }] },
    ],
  })
  const where = { projectId: project, name: 'Zorvik' }
  rival = (await api.db.competitor.findFirstOrThrow({ where })).id
})

describe('a name is of one brand of a project', () => {
  test.each([
    ['addCompetitor', 'name: "Acme", domain: "other.com"', 'name'],
    ['addCompetitor', 'name: "Roadster-Labs", domain: "other.com"', 'name'],
    ['addCompetitor', 'name: "Zôrk", domain: "other.com"', 'name'],
    ['addCompetitor', 'name: "Bestbuy", domain: "other.com"', 'name'],
    ['addCompetitor', 'name: "Other", domain: "zorvik.com"', 'domain'],
    ['addCompetitor', 'name: "Other", domain: "other.com", aliases: [{ text: "zork" }]', 'aliases'],
    ['addBrandAlias', 'text: "best-buy"', 'text'],
    ['addBrandAlias', 'text: "zorvik.com"', 'text'],
    ['addOwnDomain', 'domain: "bestbuy.com"', 'domain'],
    ['updateProject', 'name: "Zork"', 'name'],
  ])('%s refuses %s', async (name, args, field) => {
    expect(await faultOf(name, args)).toBe(`invalid_argument ${field}`)
    expect(await trail()).toEqual([])
  })

  test.each([
    ['updateCompetitor', 'name: "Acme"', 'name'],
    ['updateCompetitor', 'domain: "bestbuy.com"', 'domain'],
    ['addCompetitorAlias', 'text: "Roadster labs"', 'text'],
    ['addCompetitorAlias', 'text: "BestBuy"', 'text'],
  ])('%s refuses %s', async (name, args, field) => {
    expect(await faultOf(name, `competitorId: "${rival}", ${args}`)).toBe(
      `invalid_argument ${field}`,
    )
    expect(await trail()).toEqual([])
  })

  test('the refusal names both names and the brand that has the other', async () => {
    const { data } = await ask(
      `mutation { addBrandAlias(projectId: "${project}", text: "best-buy") { changed } }`,
    )
    const message =
      '`text` must not be the same as `Best Buy` of the competitor `Best Buy`; got `best-buy`.'
    expect(data.addBrandAlias).toMatchObject({ message })
  })

  test('a brand may have a name twice, and names that only begin alike', async () => {
    await change('addBrandAlias', 'text: "ACME"')
    await change('addBrandAlias', 'text: "Best Buyers"')
    await change('addCompetitorAlias', `competitorId: "${rival}", text: "ZORK"`)
    await change('addCompetitor', 'name: "Acme Foods", domain: "acmefoods.com"')
    expect(await trail()).toHaveLength(4)
  })

  test('names in exact case differ by their case', async () => {
    await change('addBrandAlias', 'text: "GAP", caseSensitive: true')
    await change('addCompetitor', 'name: "Gap", domain: "gap.com"')
    const wider = 'match: any_case, alias: "GAP"'
    expect(await faultOf('setNameMatch', wider)).toBe('invalid_argument text')
  })

  test('a name is free once its brand is gone', async () => {
    await change('removeCompetitor', `competitorId: "${rival}"`)
    await change('addBrandAlias', 'text: "Zork"')
  })

  test('a new project refuses competitors with names of each other or of the brand', async () => {
    const input = (competitors: { name: string; domain: string }[]) => ({
      workspaceId: workspace.id,
      name: 'Acme',
      domain: 'acme.com',
      competitors,
    })
    const made = (competitors: { name: string; domain: string }[]) =>
      createProject(api.db, input(competitors), signingSecret)
    await expect(made([{ name: 'Acme', domain: 'rival.com' }])).rejects.toThrow(
      'has `Acme`, the same as `Acme` of the brand',
    )
    await expect(
      made([
        { name: 'Best Buy', domain: 'bestbuy.com' },
        { name: 'BestBuy', domain: 'rival.com' },
      ]),
    ).rejects.toThrow('has `BestBuy`, the same as `Best Buy` of `Best Buy`')
  })
})
