import type { AnswerLine } from './api.ts'

/** A project whose counts a reader can check by hand. */
export const brand = {
  name: 'Acme',
  domain: 'acme.com',
  competitors: [{ name: 'Bose', domain: 'bose.com' }],
}

export const may = { from: '2025-05-01', to: '2025-05-30' }

/**
 * In May: ten answers, six of ChatGPT (four name Acme) and four of Perplexity (one does). Bose is named in three. Acme
 * is first in four of its five. Before May: four answers, of which one names Acme.
 */
export const answers: AnswerLine[] = [
  ...['2025-05-02', '2025-05-09', '2025-05-16'].map((day) => ({
    prompt: 'best headphones',
    topic: 'Headphones',
    collectedAt: `${day}T08:00:00Z`,
    text: 'Acme is excellent and I love it.',
    citations: [{ url: 'https://acme.com/a' }, { url: 'https://wired.com/a' }],
  })),
  ...['2025-05-03', '2025-05-10'].map((day) => ({
    prompt: 'best headphones',
    topic: 'Headphones',
    collectedAt: `${day}T08:00:00Z`,
    text: 'Nobody knows.',
    citations: [{ url: 'https://wired.com/a' }],
  })),
  {
    prompt: 'quiet earbuds',
    topic: 'Earbuds',
    collectedAt: '2025-05-11T08:00:00Z',
    text: 'Bose leads. Acme is terrible and awful.',
  },
  ...['2025-05-04', '2025-05-12', '2025-05-20'].map((day, i) => ({
    prompt: 'quiet earbuds',
    topic: 'Earbuds',
    platform: 'perplexity',
    collectedAt: `${day}T08:00:00Z`,
    text: i === 0 ? 'Acme comes in a box. Bose does too.' : 'Nothing to say.',
  })),
  {
    prompt: 'best headphones',
    topic: 'Headphones',
    platform: 'perplexity',
    collectedAt: '2025-05-30T08:00:00Z',
    text: 'Bose comes in a box.',
  },
  ...['2025-04-05', '2025-04-06', '2025-04-07', '2025-04-08'].map((day, i) => ({
    prompt: 'best headphones',
    topic: 'Headphones',
    collectedAt: `${day}T08:00:00Z`,
    text: i === 0 ? 'Acme is fine.' : 'Nothing.',
  })),
]

/** A metric of a report as its clients read it. */
export interface MetricBody {
  readonly label: string
  readonly value: number | null
  readonly unit: string
  readonly low: number | null
  readonly high: number | null
  readonly n: number | null
}

export interface ReportBody {
  readonly id: string
  readonly reportType: string
  readonly title: string
  readonly status: string
  readonly shareUrl: string | null
  readonly createdAt: string
  readonly completedAt: string | null
  readonly dateRange: { readonly from: string; readonly to: string }
  readonly sections: readonly { readonly title: string; readonly metrics: readonly MetricBody[] }[]
  readonly error: string | null
  readonly note: string | null
}

/** Label and value of each metric of a section. */
export function valuesOf({ sections }: ReportBody, title: string): [string, number | null][] {
  const section = sections.find((each) => each.title === title)
  return (section?.metrics ?? []).map(({ label, value }) => [label, value])
}
