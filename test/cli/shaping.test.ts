import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmptyService } from '../kit/data-folders.ts'
import { type CliOptions, runCli, runJson, type TestService } from '../kit/service.ts'

interface Made {
  id: string
  key: string
}

let service: TestService
let options: CliOptions
let workspace = ''
let project = ''

const run = <T = Record<string, unknown>>(...args: string[]) => runJson<T>(args, options)
const ofProject = (...args: string[]) => run<Made>(...args, '--project', project)
const ofWorkspace = (...args: string[]) => run<Made>(...args, '--workspace', workspace)

beforeAll(async () => {
  service = await startEmptyService()
  options = { env: service.env }
  workspace = (await run<Made>('workspace', 'create', '--name', 'Acme')).id
  const brand = ['--name', 'Acme', '--domain', 'acme.com']
  project = (await ofWorkspace('project', 'create', ...brand)).id
})
afterAll(() => service.stop())

const changed = { id: expect.any(String), changed: true, needsReanalysis: true }
const listed = { ...changed, needsReanalysis: false }
const unknown = '00000000-0000-4000-8000-000000000000'

describe('while the service runs', () => {
  test('a brand and its competitors are changed, and shown as they are since', async () => {
    const bose = ['--name', 'Bose', '--domain', 'bose.com', '--alias', '=QC']
    const rival = await ofProject('competitor', 'add', ...bose)
    expect(rival).toEqual(changed)
    const again = await ofProject('competitor', 'add', ...bose)
    expect(again).toEqual({ id: rival.id, changed: false, needsReanalysis: false })
    expect(await ofProject('alias', 'add', 'Bose QC', '--competitor', rival.id)).toEqual(changed)
    const competitor = {
      id: rival.id,
      name: 'Bose',
      domain: 'bose.com',
      aliases: [
        { text: 'Bose QC', caseSensitive: false },
        { text: 'QC', caseSensitive: true },
      ],
    }
    expect(await ofProject('competitor', 'list')).toEqual({ competitors: [competitor] })
    expect(await ofProject('alias', 'add', '=AC')).toEqual(changed)
    expect(await ofProject('own-domain', 'add', 'acme.store')).toEqual(changed)
    expect(await ofProject('own-domain', 'remove', 'acme.store')).toEqual(changed)
    const rename = ['rename', project, '--name', 'Apex', '--keep-old-name', '--domain', 'apex.com']
    expect(await run('project', ...rename)).toEqual({ ...changed, id: project })
    const topic = await ofProject('topic', 'add', 'Audio')
    expect(await ofProject('topic', 'rename', topic.id, 'Sound')).toEqual({ ...listed, ...topic })
    const place = await ofProject('location', 'add', 'Berlin, Germany')
    expect(place).toEqual(listed)
    expect(await run('project', 'show', project)).toMatchObject({
      name: 'Apex',
      domain: 'apex.com',
      aliases: [
        { text: 'AC', caseSensitive: true },
        { text: 'Acme', caseSensitive: true },
      ],
      ownDomains: [],
      competitors: [competitor],
      topics: [{ id: topic.id, name: 'Sound' }],
      locations: [{ id: place.id, city: 'Berlin', countryCode: 'DE' }],
    })
    const { stdout } = await runCli(['project', 'show', project], options)
    expect(stdout).toContain(`\n  ${rival.id}  Bose  bose.com  Bose QC, =QC\n`)
    expect(stdout).toContain(`\nLocations\n  ${place.id}  Berlin, DE\n`)
    expect(await ofProject('topic', 'remove', topic.id)).toEqual(listed)
    expect(await ofProject('location', 'remove', place.id)).toEqual(listed)
    expect(await ofProject('alias', 'remove', '=AC')).toEqual(changed)
    expect(await ofProject('competitor', 'remove', rival.id)).toEqual(changed)
  })

  test('people are told when the answers need a new analysis', async () => {
    const added = ['alias', 'add', 'Peak', '--project', project]
    const { stdout } = await runCli(added, options)
    expect(stdout).toMatch(/^Added alias [0-9a-f-]{36}\n/)
    expect(stdout).toContain(`\`npx sightline recount --project ${project}\``)
    expect((await runCli(added, options)).stdout).toMatch(/^Nothing to change: .+\n$/)
  })

  test('a rotated key gives way to the new one, at once or after a while', async () => {
    const path = `/api/mcp/projects/${project}/sources/domains`
    const status = async ({ key }: Made) => (await service.get(path, key)).status
    const first = await ofWorkspace('key', 'create', '--scope', 'read')
    const second = await ofWorkspace('key', 'rotate', first.id, '--grace', '24h')
    expect([await status(first), await status(second)]).toEqual([200, 200])
    const third = await ofWorkspace('key', 'rotate', second.id)
    expect(await status(third)).toBe(200)
    // The API hears of another process's write by a notice, a moment after it.
    await expect.poll(() => status(second)).toBe(401)
    const { keys } = await run<{ keys: Made[] }>('key', 'list', '--workspace', workspace)
    expect(keys.map(({ id }) => id)).toEqual([third.id, second.id, first.id])
    expect(JSON.stringify(keys)).not.toMatch(/hash/)
    expect(await ofWorkspace('key', 'rotate', third.id, '--grace', 'soon')).toMatchObject({
      error: { code: 'invalid_argument' },
    })
  })

  test('a member comes, takes another role and goes; the last owner stays', async () => {
    const ann = await ofWorkspace('member', 'add', 'ann@example.com')
    expect(await ofWorkspace('member', 'role', ann.id, 'admin')).toEqual({ ...ann, changed: true })
    interface Member {
      userId: string
      role: string
    }
    const list = () => run<{ members: Member[] }>('member', 'list', '--workspace', workspace)
    const { members } = await list()
    // The second owner is who opens the dashboard of `npm start`.
    expect(members.map(({ role }) => role)).toEqual(['owner', 'owner', 'admin'])
    const [first = '', last = ''] = members.map(({ userId }) => userId)
    expect(await ofWorkspace('member', 'remove', ann.id)).toEqual({ ...ann, changed: true })
    expect(await ofWorkspace('member', 'remove', first)).toMatchObject({ changed: true })
    expect(await ofWorkspace('member', 'remove', last)).toMatchObject({
      error: { code: 'invalid_argument' },
    })
    expect((await list()).members).toHaveLength(1)
  })

  test('a project is archived and deleted; its changes stay in the trail', async () => {
    expect(await run('project', 'archive', project)).toEqual({ ...listed, id: project })
    const state = { id: project, status: 'archived' }
    expect(await ofWorkspace('project', 'list')).toMatchObject({ projects: [state] })
    const refused = await run('project', 'delete', project)
    expect(refused).toMatchObject({ error: { code: 'usage' } })
    const answer = { prompt: 'p', platform: 'chatgpt', text: 'Apex.', collectedAt: '2025-05-10' }
    const input = JSON.stringify(answer)
    const load = ['import', 'answers', '-', '--project', project]
    expect(await runJson(load, { ...options, input })).toMatchObject({ loaded: 1 })
    const gone = { id: project, changed: true }
    expect(await run('project', 'delete', project, '--yes')).toEqual(gone)
    expect(await run('project', 'show', project)).toMatchObject({ error: { code: 'not_found' } })
    expect(await ofProject('activity', '--limit', '3')).toMatchObject({
      entries: [
        { action: 'project.delete', keyId: null, userId: null },
        { action: 'import.add' },
        { action: 'project.archive', before: { status: 'active' } },
      ],
      pagination: { hasMore: true },
    })
  })

  test('what is unknown is not found', async () => {
    const lines = [
      ['project', 'pause', unknown],
      ['project', 'list', '--workspace', unknown],
      ['project', 'delete', unknown, '--yes'],
      ['competitor', 'list', '--project', 'nonsense'],
      ['topic', 'add', 'Audio', '--project', unknown],
      ['key', 'list', '--workspace', unknown],
      ['activity', '--project', unknown],
    ]
    const answers = await Promise.all(lines.map((line) => run(...line)))
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: 'not_found' } })
  })
})
