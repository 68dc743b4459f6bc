import type { KeyObject } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { invalid, notFound } from '../../core/errors.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { type AnswerCounts, claimOf, countsOfMetrics, metrics } from '../../core/proof/claims.ts'
import type { Proof } from '../../core/proof/format.ts'
import { signProof } from '../../core/proof/sign.ts'
import { readAgain } from '../../core/proof/verify.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import { analysed, factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answersToProve, countsOfClaims } from './proof.sql.ts'

/** The texts of more would not fit into memory beside their JSON. */
const mostAnswers = 20_000
/** The service reads their texts again while others wait. */
const mostInService = 5_000
/** Texts that are read in one turn of the process. */
const textsOfTurn = 20

/** What the answers of a proof are chosen by. */
export type ProofArgs = WindowArgs & FilterArgs

interface Row {
  readonly answerId: string
  readonly promptId: string
  readonly ofPlatform: string
  readonly onDay: string
  readonly brands: readonly string[]
  readonly place: number
  readonly text: string
}

const none: AnswerCounts = { answers: 0, mentionedIn: 0, mentions: 0, positions: 0 }

/**
 * The visibility, share of voice and average position of the brand, with all that it takes to count them again elsewhere.
 * @throws {Fault} as `readFilters` does; `invalid_argument` above `most` answers
 */
export async function prove(
  scope: ProjectScope,
  args: ProofArgs,
  key: KeyObject,
  most = mostAnswers,
): Promise<Proof> {
  const { db, warehouse, project, now } = scope
  const window = resolveWindow(args, yearWindow, now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const stored = await db.project.findUnique({ where: { id: project.id }, select: brandFields })
  if (!stored) throw notFound(project.id)
  const brands = brandsOf(stored)
  const parameters = {
    ...factParams(project.id, window, filters, snapshot),
    analysis: project.analysis,
    brands: brands.map(({ id }) => id),
  }
  const of = [factsWhere(filters, snapshot), analysed(true)] as const
  const statement = countsOfClaims(...of)
  const [[found = none], rows] = await Promise.all([
    run<AnswerCounts>(warehouse, {
      id: 'proof.counts',
      settled: true,
      sql: statement,
      params: parameters,
    }),
    run<Row>(warehouse, {
      id: 'proof.answers',
      settled: true,
      sql: answersToProve(...of),
      params: { ...parameters, most: most + 1 },
    }),
  ])
  if (rows.length > most) {
    const fewer = most.toLocaleString('en-US')
    throw invalid('from', `must leave at most ${fewer} answers: choose fewer days or a platform`)
  }
  const counts = countsOfMetrics(found)
  const { from, to, ...chosen } = askedOf(scope, window, args)
  return signProof(
    {
      createdAt: now.toISOString(),
      brand: project.name,
      claims: metrics.map((metric) => claimOf(metric, counts[metric])),
      window: { from, to },
      filters: { ...chosen },
      statement,
      parameters,
      rules: {
        names: rulesVersion.names,
        brands: brands.map(({ id, isOwn, names, domains }) => ({
          id,
          isOwn,
          domains: [...domains],
          names: names.map(({ excludedPhrases = [], byLanguage = false, ...name }) => ({
            ...name,
            byLanguage,
            excludedPhrases: [...excludedPhrases],
          })),
        })),
      },
      answers: rows.map(({ answerId, promptId, ofPlatform, onDay, brands, place, text }) => ({
        id: answerId,
        promptId,
        platform: ofPlatform,
        day: onDay,
        mentions: [...brands],
        position: place || null,
        text,
      })),
    },
    key,
    true,
  )
}

/**
 * The proof where its answers give the same count again by the present names; null where they do not, since the answers were
 * counted by others.
 * @throws {Fault} as `prove` does, above 5,000 answers
 */
export async function proven(
  scope: ProjectScope,
  args: ProofArgs,
  key: KeyObject,
): Promise<Proof | null> {
  const proof = await prove(scope, args, key, mostInService)
  const matcher = compileBrands(proof.rules.brands, await foreignWords())
  for (const [at, answer] of proof.answers.entries()) {
    if (at % textsOfTurn === 0) await setImmediate()
    if (readAgain(matcher, answer).isOther) return null
  }
  return proof
}
