import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { type Judge, JudgeFault } from '../../imports/judge/client.ts'
import type { JudgeOptions } from '../../imports/judge/judge.ts'
import type { LoadsSince } from '../../imports/judge/judgements.ts'
import type { Db } from '../../prisma/client.ts'
import { noteRefused, openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import {
  loadSentimentMethods,
  loadSentimentSpending,
  noteSentiment,
  type ProjectSentiment,
  renewSentimentVersion,
} from '../../resolvers/sentiment/method.ts'
import type { Work } from '../job.ts'
import { judgeByKey } from './provider.ts'
import { Purse } from './purse.ts'

/** The model of a project, ready to rate. */
export interface ProjectJudge {
  readonly judge: Judge
  readonly provider: AskedProvider
  readonly model: string
  readonly keyId: string
  readonly purse: Purse
  /** Absent where all loads are rated. */
  readonly since: LoadsSince | undefined
}

export const keyIsGone = 'The provider key is gone. Choose another one.'
const capIsReached =
  'The spending cap of the month is reached. Rating goes on next month, or with a higher cap.'

/** Reports are read again so often while a model rates answers. */
const noticeMs = 10_000

/** The provider of a row by a model; null where its key is gone or cannot be opened. */
async function accessOf({ db, secrets }: Pick<Work, 'db' | 'secrets'>, row: ProjectSentiment) {
  if (row.keyId === null || row.model === null) return null
  const access = await openProviderKey(db, row.keyId, secrets.signingSecrets)
  return access && { keyId: row.keyId, access: { ...access, model: row.model } }
}

/**
 * The model that a project chose.
 * @returns null where rules rate its answers; undefined where its key is gone, which the project then says
 */
export async function openProjectJudge(
  work: Pick<Work, 'db' | 'secrets' | 'settings'>,
  projectId: string,
): Promise<ProjectJudge | null | undefined> {
  const { db, settings } = work
  const [row] = await loadSentimentMethods(db, [projectId])
  if (!row || row.version === null) return null
  const found = await accessOf(work, row)
  if (found === null) {
    await noteSentiment(db, projectId, keyIsGone)
    return undefined
  }
  const version = await renewSentimentVersion(db, row)
  const isRenewed = version !== row.version
  const [spending] = await loadSentimentSpending(db, [projectId], new Date())
  const { keyId, access } = found
  const { provider, model } = access
  const { monthCap, ratesOlder } = row
  const [after] = isRenewed ? await loadSentimentMethods(db, [projectId]) : [row]
  return {
    judge: judgeByKey(access, settings.ALLOW_PRIVATE_HOSTS),
    provider,
    model,
    keyId,
    purse: await Purse.open(db, {
      projectId,
      version,
      provider,
      model,
      monthCap,
      spent: spending?.thisMonth ?? 0,
    }),
    since:
      ratesOlder && !isRenewed
        ? undefined
        : after && { afterLoad: after.sinceLoad, except: after.olderLoads },
  }
}

/**
 * Rates by the model of a project under its cap, and writes down what the calls took. What stops it is said at the project.
 * @param rate one run of the judge with these options; true once all mentions were asked about
 * @returns true once nothing is left that the cap allows
 */
export async function underCap(
  db: Db,
  projectId: string,
  { keyId, purse }: ProjectJudge,
  rate: (terms: Pick<JudgeOptions, 'isOver' | 'onCall' | 'onProgress'>) => Promise<boolean>,
): Promise<boolean> {
  let notedAt = performance.now()
  const end = async (problem: string | null) => {
    await purse.close()
    await noteSentiment(db, projectId, problem)
  }
  try {
    const isComplete = await rate({
      isOver: (characters) => !purse.take(characters),
      onCall: (used, call) => purse.pay(used, call),
      onProgress: () => {
        if (performance.now() - notedAt < noticeMs) return
        notedAt = performance.now()
        noteSentiment(db, projectId, null).catch(() => undefined)
      },
    })
    await end(purse.isEmpty ? capIsReached : null)
    return isComplete || purse.isEmpty
  } catch (error) {
    await end(error instanceof JudgeFault ? error.message : null)
    if (error instanceof JudgeFault && error.isOfAccount) {
      await noteRefused(db, keyId, error.message)
    }
    throw error
  }
}
