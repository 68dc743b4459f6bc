import { fillFacts } from './facts.ts'
import { median, say, startBenchService } from './service.ts'

/**
 * node bench/graph.ts
 *
 * Measures one GraphQL request for 50 topics, each with its visibility and its 10 first sources, beside the reports
 * alone. The requests of a round follow each other, and each round has another window. Compare the ratios of the
 * medians, because they depend least on the machine.
 */
const service = await startBenchService()
const { projectId: project } = service
const topics = 50
const rounds = 21
await fillFacts(service, topics)

const visibility = (window: string) =>
  `visibility(${window}) { summary { visibilityScore averagePosition answerCount } }`
const sources = (window: string) =>
  `sources(${window}, first: 10) { nodes { domain citationCount citedIn } }`

/** The fields of the project that each request asks for. */
const requests = {
  'topics, visibility and sources': (window: string) =>
    `topics { nodes { name ${visibility(window)} ${sources(window)} } }`,
  'topics, visibility': (window: string) => `topics { nodes { name ${visibility(window)} } }`,
  'topics, sources': (window: string) => `topics { nodes { name ${sources(window)} } }`,
  'project, visibility': visibility,
  'project, sources': (window: string) =>
    `sourceDomains(${window}, first: 10) { nodes { domain citationCount citedIn } }`,
  'topics, names': () => 'topics { nodes { name } }',
}

type Name = keyof typeof requests
const names = Object.keys(requests) as Name[]
const whole: Name = 'topics, visibility and sources'

let key = ''

async function ask(fields: string): Promise<string> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `query Q($id: ID!) { project(id: $id) { ${fields} } }`,
      variables: { id: project },
    }),
  })
  const text = await response.text()
  if (text.includes('"errors"')) throw new Error(text.slice(0, 500))
  return text
}

const times = new Map<Name, number[]>(names.map((name) => [name, []]))
const serialising: number[] = []

for (let round = -3; round < rounds; round++) {
  // The documents of all rounds cost more than a key has for a minute.
  key = await service.newKey()
  // Another window each round: a repeated statement would be answered from memory.
  const window = `window: { days: ${360 - round} }`
  for (const [i] of names.entries()) {
    // The order turns, so that no request always follows the same one.
    const name: Name = names[(i + round + names.length) % names.length] ?? whole
    const began = performance.now()
    const text = await ask(requests[name](window))
    if (round < 0) continue
    times.get(name)?.push(performance.now() - began)
    if (name !== whole) continue
    const parsed: unknown = JSON.parse(text)
    const serialised = performance.now()
    JSON.stringify(parsed)
    serialising.push(performance.now() - serialised)
  }
}

const medians = new Map(names.map((name) => [name, median(times.get(name) ?? [])]))
for (const [name, ms] of medians) say(`${name.padEnd(34)} p50 ${ms.toFixed(1).padStart(7)} ms`)
say(
  `${'serialising the whole answer'.padEnd(34)} p50 ${median(serialising).toFixed(1).padStart(7)} ms`,
)

const of = (name: Name) => medians.get(name) ?? Number.NaN
const ratio = (alone: readonly Name[]) =>
  (of(whole) / (Math.max(...alone.map(of)) + median(serialising))).toFixed(2)
say(`whole / slowest report of the topics   ${ratio(['topics, visibility', 'topics, sources'])}`)
say(`whole / slowest report of the project  ${ratio(['project, visibility', 'project, sources'])}`)
await service.stop()
