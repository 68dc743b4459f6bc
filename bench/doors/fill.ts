import { makeApiKey } from '../../core/access.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import type { BenchService } from '../service.ts'
import { random } from '../simulations/draws.ts'

const dayMs = 86_400_000
/** How many days ago the last answer is. */
const lastDay = 8

/** A key may ask 600 times a minute: so many keys share the load. */
const keyCount = 4000
/** The requests of one key. */
export const perKey = 550

/** Loads 264 answers of 28 days with five citations each, and makes the keys that ask. */
export async function fill({ db, databaseUrl, warehouse, projectId }: BenchService) {
  const site = () =>
    `https://site${Math.floor(random() * 120)}.com/page/${Math.floor(random() * 9)}`
  const lines = Array.from({ length: 264 }, (_, i) =>
    JSON.stringify({
      prompt: `prompt ${i % 12}`,
      platform: ['chatgpt', 'perplexity', 'gemini'][i % 3],
      collectedAt: new Date(Date.now() - (lastDay + (i % 28)) * dayMs).toISOString(),
      text: 'Sony and Bose are named here.',
      citations: Array.from({ length: 5 }, () => ({ url: site() })),
    }),
  )
  await importAnswers({ db, databaseUrl, warehouse }, { projectId, lines })
  const { workspaceId, userId } = await db.apiKey.findFirstOrThrow()
  const made = Array.from({ length: keyCount }, () => makeApiKey())
  await db.apiKey.createMany({
    data: made.map(({ hash, lastFour }) => ({
      workspaceId,
      userId,
      hash,
      lastFour,
      scopes: ['read'],
    })),
  })
  return made.map(({ key }) => key)
}

/** Windows that hold all answers, each another question. */
export function windows(): string[] {
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
  const before = Array.from({ length: 320 }, (_, i) => day(lastDay + 30 + i))
  const after = Array.from({ length: lastDay }, (_, i) => day(i))
  return after.flatMap((to) => before.map((from) => `from=${from}&to=${to}`))
}
