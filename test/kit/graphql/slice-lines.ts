import type { AnswerLine } from '../api.ts'

/** An answer of an invented project, with the names of all slices that it belongs to. */
export interface SlicedLine extends AnswerLine {
  readonly prompt: string
  readonly platform: string
  readonly topics: readonly string[]
  readonly place: string
  readonly urls: readonly string[]
  readonly searchQueries: string[]
}

const texts = [
  'Acme is great, then Bose.',
  'Acme, Acme. Terrible. JBL is excellent.',
  'Bose alone, and Bose is awful.',
  'Nobody is named here.',
  'JBL leads, Acme follows. A good Bose is third.',
]
const platforms = ['chatgpt', 'perplexity', 'gemini']
const places = ['Berlin, Germany', 'Austin, Texas, US', '']
const queries = ['best headphones', 'Best Headphones', 'quiet shoes', 'long lasting']

const prompts = ['q0', 'q1', 'q2', 'q3', 'Is q4 of Acme?']

/** q0 is of both topics, q1 and the last of the first, q2 of the second, q3 of none. */
const topicsOf = [['T0', 'T1'], ['T0'], ['T1'], [], ['T0']] as const

const urlOf = (n: number) =>
  n % 4 === 0 ? `https://acme.com/page-${n % 3}` : `https://site${n % 4}.com/page-${n % 3}`

/** A number below `below` that follows from `seed` alone, and looks like chance. */
function dice(seed: number, below: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 12)) >>> 0) % below
}

function lineAt(i: number): SlicedLine {
  const roll = (n: number, below: number) => dice(i * 31 + n * 7919 + 1, below)
  const q = roll(1, 5)
  const prompt = prompts[q] ?? ''
  const place = places[roll(2, 3)] ?? ''
  const urls = [...new Set([roll(3, 12), roll(4, 12), roll(5, 12)].slice(0, roll(6, 4)).map(urlOf))]
  const day = 1 + roll(8, 60)
  const date = new Date(Date.UTC(2025, 3, day, 0, i)).toISOString()
  return {
    prompt,
    topics: topicsOf[q] ?? [],
    place,
    urls,
    ...(place === '' ? {} : { location: place }),
    platform: platforms[roll(9, 3)] ?? '',
    collectedAt: date.replace('.000', ''),
    text: texts[roll(10, texts.length)] ?? '',
    citations: urls.map((url, n) => ({ url, position: n + 1 })),
    searchQueries: queries
      .slice(0, roll(11, 3))
      .map((_, n) => queries[(n + roll(12, 4)) % 4] ?? ''),
    ads: [{ advertiser: `Bolt ${roll(13, 3)}`, url: 'https://bolt.com/' }].slice(0, roll(14, 2)),
  }
}

/** One answer for each prompt, topic, platform and place, long before every window: so all projects know the same names. */
export const namesOnly: readonly AnswerLine[] = topicsOf.flatMap((topics, q) =>
  (topics.length === 0 ? [undefined] : topics).map((topic, n) => ({
    prompt: prompts[q] ?? '',
    ...(topic === undefined ? {} : { topic }),
    platform: platforms[q % 3] ?? '',
    ...(places[q % 3] ? { location: places[q % 3] } : {}),
    collectedAt: `2024-06-0${q + 1}T0${n}:00:00Z`,
    text: 'Nothing.',
  })),
)

/** 160 answers in April and May 2025, each of its own minute. */
export const slicedLines: readonly SlicedLine[] = Array.from({ length: 160 }, (_, i) => lineAt(i))

const fold = (query: string) => query.toLowerCase()

/** The names of the objects of each kind, and whether an answer belongs to the object. */
export const kinds = {
  topic: { names: ['T0', 'T1'], has: (line, name) => line.topics.includes(name) },
  prompt: {
    names: prompts,
    has: (line, name) => line.prompt === name,
  },
  platform: { names: platforms, has: (line, name) => line.platform === name },
  location: { names: places.slice(0, 2), has: (line, name) => line.place === name },
  page: {
    names: [0, 1, 2].map((n) => `https://acme.com/page-${n}`),
    has: (line, name) => line.urls.includes(name),
  },
  brand: {
    names: ['Acme', 'Bose', 'JBL'],
    has: (line, name) => line.text?.includes(name) === true,
  },
  sourceUrl: {
    names: [...new Set([1, 2, 3, 5, 6, 7, 9, 10, 11].map(urlOf))],
    has: (line, name) => line.urls.includes(name),
  },
  sourceDomain: {
    names: ['acme.com', 'site1.com', 'site2.com', 'site3.com'],
    has: (line, name) => line.urls.some((url) => url.includes(`//${name}/`)),
  },
  fanoutQuery: {
    names: ['best headphones', 'quiet shoes', 'long lasting'],
    has: (line, name) => line.searchQueries.some((query) => fold(query) === name),
  },
} as const satisfies Record<
  string,
  { names: readonly string[]; has: (line: SlicedLine, name: string) => boolean }
>

export type Kind = keyof typeof kinds
