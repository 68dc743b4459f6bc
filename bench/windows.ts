import { fieldsOf } from './reports/documents.ts'
import { type Days, daysUntil, fillProject, nameOf } from './reports/project.ts'
import { median, say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/windows.ts [REPORT]
 *
 * Measures every report over 7, 30, 90 and 365 days: of all answers, with a filter, and by GraphQL. Medians in
 * milliseconds of one client, who asks what nobody has asked before. Last are 365 days again: the requests a second of
 * 32 clients, and then both from memory. The workspace has 50 small projects beside the one with a million citations.
 */
const windows = [7, 30, 90, 365] as const
const rounds = 7
const clients = 32
const service = await startBenchService()
const { projectId: project } = service
const { paths } = await fillProject(service, { neighbours: 50 })

type Ask = (days: Days, key: string) => Promise<void>

async function reply(url: string, init: RequestInit & { headers: Record<string, string> }) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok || text.includes('"errors":[')) throw new Error(`${url}: ${text.slice(0, 300)}`)
}

const byRest =
  (path: string): Ask =>
  ({ from, to }, key) =>
    reply(
      `${service.url}/api/mcp/projects/${project}/${withQuery(path, `from=${from}&to=${to}`)}`,
      {
        headers: { authorization: `Bearer ${key}` },
      },
    )

const byGraphql =
  (fields: string): Ask =>
  (days, key) =>
    reply(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `query Q($id: ID!, $window: Window) { project(id: $id) { ${fields.replace('WINDOW', 'window: $window')} } }`,
        variables: { id: project, window: days },
      }),
    })

/** Traffic is filtered by host, and answers by assistant. */
const filtered = (path: string) =>
  withQuery(path, path.startsWith('traffic') ? 'host=store.sony.com' : 'platform=chatgpt')

/**
 * Medians of what was not asked before, and of the same asked again. Each window ends on another day: rows that another way
 * has asked for come from memory.
 */
async function alone(
  ask: Ask,
  place: number,
  days: number,
): Promise<{ cold: number; remembered: number }> {
  const key = await service.newKey()
  const times: { cold: number[]; remembered: number[] } = { cold: [], remembered: [] }
  for (let round = -2; round < rounds; round++) {
    const window = daysUntil((rounds + 2) * place + round + 2, days)
    for (const kind of ['cold', 'remembered'] as const) {
      const began = performance.now()
      await ask(window, key)
      if (round >= 0) times[kind].push(performance.now() - began)
    }
  }
  return { cold: median(times.cold), remembered: median(times.remembered) }
}

/** Requests a second of all clients at once, each with its own key and window; and the same ones again. */
async function together(ask: Ask, place: number): Promise<{ cold: number; remembered: number }> {
  const keys = await Promise.all(Array.from({ length: clients }, () => service.newKey()))
  const rate = async (times: number) => {
    const began = performance.now()
    await Promise.all(
      keys.map(async (key, i) => {
        for (let time = 0; time < times; time++)
          await ask(daysUntil(clients * (place + 1) + i, 365), key)
      }),
    )
    return (clients * times * 1000) / (performance.now() - began)
  }
  return { cold: await rate(1), remembered: await rate(20) }
}

const line = (name: string, cells: readonly string[]) =>
  say([name.padEnd(58), ...cells.map((cell) => cell.padStart(6))].join(' '))
const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)

const only = process.argv[2] ?? ''
const dated = paths.filter((path) => path !== 'topics' && path !== 'traffic/status')
line('report', [...windows.map((days) => `${days} d`), '×32/s', 'again', '×32/s'])
for (const path of dated.filter((name) => name.startsWith(only))) {
  const fields = fieldsOf[path]
  const ways: [string, Ask][] = [
    ['', byRest(path)],
    ...(path.includes('host=')
      ? []
      : [[' filtered', byRest(filtered(path))] satisfies [string, Ask]]),
    ...(fields ? [[' GraphQL', byGraphql(fields)] satisfies [string, Ask]] : []),
  ]
  for (const [place, [way, ask]] of ways.entries()) {
    const each = []
    for (const days of windows) each.push(await alone(ask, place, days))
    const all = await together(ask, place)
    line(`${nameOf(path)}${way}`, [
      ...each.map(({ cold }) => ms(cold)),
      ms(all.cold),
      ms(each.at(-1)?.remembered ?? Number.NaN),
      all.remembered.toFixed(0),
    ])
  }
}
await service.stop()
