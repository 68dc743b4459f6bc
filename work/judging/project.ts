import type { Judge } from '../../imports/judge/client.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
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
  readonly keyId: string
  readonly purse: Purse
  /** Loads up to this one are left out; absent where all are rated. */
  readonly afterLoad: number | undefined
}

const keyIsGone = 'The provider key is gone. Choose another one.'

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
  const { thisMonth } = await loadSentimentSpending(db, projectId, new Date())
  const { keyId, access } = found
  const { provider, model } = access
  const { monthCap, ratesOlder } = row
  const [after] = isRenewed ? await loadSentimentMethods(db, [projectId]) : [row]
  return {
    judge: judgeByKey(access, settings.ALLOW_PRIVATE_HOSTS),
    keyId,
    purse: await Purse.open(db, {
      projectId,
      version,
      provider,
      model,
      monthCap,
      spent: thisMonth,
    }),
    afterLoad: ratesOlder && !isRenewed ? undefined : after?.sinceLoad,
  }
}
