import { setImmediate as nextTurn } from 'node:timers/promises'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands, type Span } from '../../core/text/mentions.ts'
import type { Db } from '../../prisma/client.ts'
import type { AnswerRow } from './whole.ts'

/** Where an answer names a brand. */
export interface AnswerPlace extends Span {
  readonly projectId: string
  readonly brandId: string
}

/** Text that is searched before others have their turn. */
export const mostAtOnce = 100_000

/** Places of one answer. Few texts have more, and those have one name over and over. */
const mostPlaces = 1000

/** A matcher of the present names of each project. */
export async function matchersOf(db: Db, projectIds: readonly string[]) {
  const [projects, words] = await Promise.all([
    db.project.findMany({ where: { id: { in: [...projectIds] } }, select: brandFields }),
    foreignWords(),
  ])
  return new Map(
    projects.map((each) => {
      const brands = brandsOf(each)
      const brandIds = new Set(brands.map(({ id }) => id))
      return [each.id, { ...compileBrands(brands, words), brandIds }]
    }),
  )
}

/** The places of each answer where a present name of a brand counts, in the order of its text: the first thousand. */
export async function placesOfAnswers(
  db: Db,
  answers: readonly AnswerRow[],
): Promise<readonly AnswerPlace[][]> {
  const matchers = await matchersOf(db, [...new Set(answers.map(({ projectId }) => projectId))])
  const found: AnswerPlace[][] = []
  let searched = 0
  for (const { projectId, text, platform } of answers) {
    const places = matchers.get(projectId)?.places(text, platform) ?? []
    const counted = places.filter(({ setAside }) => setAside === null).slice(0, mostPlaces)
    found.push(counted.map(({ brandId, start, end }) => ({ projectId, brandId, start, end })))
    searched += text.length
    if (searched > mostAtOnce) {
      searched = 0
      await nextTurn()
    }
  }
  return found
}
