import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, changesOf } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = ''
let project = ''

const ask = asking(api, () => admin)
const { change, faultOf } = changesOf(ask, () => project)

beforeAll(async () => {
  workspace = await api.workspace()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

beforeEach(async () => {
  project = await workspace.project()
})

describe('locations', () => {
  test('are read from a text and are the ones that an import means', async () => {
    const fields = 'locations { nodes { id countryCode city region } }'
    const made = await change('addLocation', 'place: "Austin, Texas, US"', fields)
    const austin = { id: made?.subjectId, countryCode: 'US', city: 'Austin', region: 'Texas' }
    expect(made).toMatchObject({
      needsReanalysis: false,
      project: { locations: { nodes: [austin] } },
    })
    expect(await change('addLocation', 'place: "austin, TEXAS, United States"')).toMatchObject({
      subjectId: made?.subjectId,
      changed: false,
    })
    await workspace.load(project, [{ location: 'Austin, Texas, US' }])
    expect(await api.db.location.count({ where: { projectId: project } })).toBe(1)
    expect(await faultOf('addLocation', 'place: "Nowhere"')).toBe('invalid_argument place')
  })

  test('one that was removed and is met again has its id again: no answer counts twice', async () => {
    const line = { location: 'Bonn, Germany' }
    const made = await change('addLocation', 'place: "Bonn, DE"')
    await workspace.load(project, [line])
    const args = `locationId: "${made?.subjectId}"`
    expect((await change('removeLocation', args, 'locations { nodes { id } }'))?.project).toEqual({
      locations: { nodes: [] },
    })
    expect(await faultOf('removeLocation', args)).toBe('not_found')
    expect(await workspace.load(project, [line])).toMatchObject({ loaded: 0, skipped: 1 })
  })
})
