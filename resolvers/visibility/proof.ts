import type { KeyObject } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { invalid, notFound } from '../../core/errors.ts'
import { rounded, share } from '../../core/metrics.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import type { Proof } from '../../core/proof/format.ts'
import { signProof } from '../../core/proof/sign.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { resolveWindow, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import { analysed, factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { VisibilityArgs } from './counts.ts'
import { answersToProve, mentionedOfAll } from './proof.sql.ts'

/** The texts of more would not fit into memory beside their JSON. */
const mostAnswers = 20_000
/** The service reads their texts again while others wait. */
const mostInService = 5_000
/** Texts that are read in one turn of the process. */
const textsOfTurn = 20

interface Row {
  readonly answerId: string
  readonly promptId: string
  readonly ofPlatform: string
  readonly onDay: string
  readonly mentions: number
  readonly text: string
}

/**
 * The visibility of the brand with all that it takes to count it again elsewhere.
 * @throws {Fault} as `readFilters` does; `invalid_argument` above `most` answers
 */
export async function proveVisibility(
  scope: ProjectScope,
  args: VisibilityArgs,
  key: KeyObject,
  most = mostAnswers,
): Promise<Proof> {
  const { db, warehouse, project, now } = scope
  const window = resolveWindow(args, yearWindow, now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const parameters = {
    ...factParams(project.id, window, filters, snapshot),
    analysis: project.analysis,
  }
  const of = [factsWhere(filters, snapshot), analysed(true)] as const
  const statement = mentionedOfAll(...of)
  const [[found], rows, stored] = await Promise.all([
    run<{ numerator: number; denominator: number }>(warehouse, {
      id: 'visibility.proven',
      settled: true,
      sql: statement,
      params: parameters,
    }),
    run<Row>(warehouse, {
      id: 'visibility.proof',
      settled: true,
      sql: answersToProve(...of),
      params: { ...parameters, most: most + 1 },
    }),
    db.project.findUnique({ where: { id: project.id }, select: brandFields }),
  ])
  if (!stored) throw notFound(project.id)
  if (rows.length > most) {
    const answers = most.toLocaleString('en-US')
    throw invalid('from', `must leave at most ${answers} answers: choose fewer days or a platform`)
  }
  const { numerator = 0, denominator = 0 } = found ?? {}
  const { from, to, ...chosen } = askedOf(scope, window, args)
  return signProof(
    {
      createdAt: now.toISOString(),
      claim: {
        metric: 'visibility',
        brand: project.name,
        numerator,
        denominator,
        value: rounded(share(numerator, denominator)),
      },
      window: { from, to },
      filters: { ...chosen },
      statement,
      parameters,
      rules: {
        names: rulesVersion.names,
        brands: brandsOf(stored).map(({ id, isOwn, names, domains }) => ({
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
      answers: rows.map(({ answerId, promptId, ofPlatform, onDay, mentions, text }) => ({
        id: answerId,
        promptId,
        platform: ofPlatform,
        day: onDay,
        isMentioned: mentions === 1,
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
 * @throws {Fault} as `proveVisibility` does, above 5,000 answers
 */
export async function provenVisibility(
  scope: ProjectScope,
  args: VisibilityArgs,
  key: KeyObject,
): Promise<Proof | null> {
  const proof = await proveVisibility(scope, args, key, mostInService)
  const matcher = compileBrands(proof.rules.brands, await foreignWords())
  for (const [at, { text = '', platform, isMentioned }] of proof.answers.entries()) {
    if (at % textsOfTurn === 0) await setImmediate()
    if (matcher.find(text, platform).some(({ isOwn }) => isOwn) !== isMentioned) return null
  }
  return proof
}
