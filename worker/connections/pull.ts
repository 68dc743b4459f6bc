import { nextBingDays, nextDays, nextPullAfter, pauseMs } from '../../core/pulling.ts'
import type { JobData } from '../../core/queues.ts'
import { utcDayOf } from '../../core/window.ts'
import { askBing } from '../../imports/analytics/bing.ts'
import { pullBing } from '../../imports/analytics/bing-rows.ts'
import { askGoogle, GoogleRefusal } from '../../imports/analytics/google.ts'
import { accessTokens, googleScopes } from '../../imports/analytics/google-sign-in.ts'
import { isOfProperty, pullDays } from '../../imports/analytics/pull.ts'
import { Refusal } from '../../imports/analytics/refusal.ts'
import {
  type AnalyticsKind,
  type GoogleKind,
  noteProblem,
} from '../../resolvers/connections/analytics.ts'
import { noteBingKeyEnded, openBingKey } from '../../resolvers/connections/bing.ts'
import {
  type Feed,
  type FeedProblem,
  notePulled,
  notePullFailed,
  planPull,
  readFeed,
} from '../../resolvers/connections/feeds.ts'
import { noteAccountEnded, openGoogleAccount } from '../../resolvers/connections/google.ts'
import type { JobSteps, Work, WorkSources } from '../job.ts'

/** Waiting changes nothing before a person signs in again. */
const needPerson = new Set<FeedProblem>(['signInEnded', 'scopeMissing'])

async function fail(
  { db }: Pick<WorkSources, 'db'>,
  { id, failures }: Pick<Feed, 'id' | 'failures'>,
  { problem, text }: { readonly problem: FeedProblem; readonly text: string },
): Promise<void> {
  const nextPullAt = needPerson.has(problem) ? null : new Date(Date.now() + pauseMs(failures))
  await notePullFailed(db, id, { problem, text, nextPullAt })
}

/** How Google is asked for a feed. @throws {GoogleRefusal} */
async function openFeed(feed: Feed, kind: GoogleKind, work: Work) {
  const { db, secrets } = work
  const account = feed.accountId
    ? await db.googleAccount.findUnique({ where: { id: feed.accountId } })
    : null
  const opened = account && (await openGoogleAccount(db, account.id, secrets.signingSecrets))
  if (!account || !opened) {
    throw new GoogleRefusal('signInEnded', 'The Google account was removed: sign in again.')
  }
  if (!account.scopes.includes(googleScopes[kind])) {
    const what = kind === 'searchConsole' ? 'Search Console' : 'Google Analytics'
    throw new GoogleRefusal('scopeMissing', `${account.email} did not allow to read ${what}.`)
  }
  // The feed itself is tried again later.
  const reach = { baseUrl: work.googleUrl, signal: work.signal, retries: 2 }
  return askGoogle(accessTokens(opened.client, opened.refreshToken, reach), reach)
}

const dayOf = (day: Date | null) => day && utcDayOf(day)

/** Pulls the newest days of a feed, then goes back in time until all is loaded. */
async function pullGoogle(feed: Feed, kind: GoogleKind, work: Work): Promise<void> {
  const { db, log } = work
  const { id, projectId, name } = feed
  const ask = await openFeed(feed, kind, work)
  const actor = { userId: feed.userId, keyId: null }
  const signal = AbortSignal.any([work.signal, work.stopping])
  const firstDay = utcDayOf(feed.firstDay)
  let readTo: string | null = null
  for (;;) {
    const now = await readFeed(db, id)
    // It was removed, or is of another site by now.
    if (!now || now.name !== name) return
    const loaded = { firstDay, loadedFrom: dayOf(now.loadedFrom), loadedTo: dayOf(now.loadedTo) }
    const window = nextDays(loaded, readTo, new Date())
    if (window === null) break
    const result = await pullDays(work, actor, { projectId, kind, name, window, ask, signal })
    // An import that was ended early has loaded a part: the next try reads these days again.
    signal.throwIfAborted()
    await notePulled(db, id, { ...window, rows: result.loaded })
    await noteProblem(db, projectId, kind, null)
    readTo = window.to
    log.info({ feedId: id, ...window, rows: result.loaded }, 'days of a feed were pulled')
  }
  await planPull(db, id, nextPullAfter(id, new Date()))
}

/** Pulls all that Bing has of a site, and from then on its last weeks. */
async function pullFromBing(feed: Feed, work: Work): Promise<void> {
  const { db, secrets, log } = work
  const { id, projectId, name } = feed
  const key = await openBingKey(db, feed.project.workspaceId, secrets.signingSecrets)
  if (key === null) {
    throw new Refusal('signInEnded', 'The key to Bing Webmaster Tools was removed.')
  }
  const signal = AbortSignal.any([work.signal, work.stopping])
  const loaded = {
    firstDay: utcDayOf(feed.firstDay),
    loadedFrom: dayOf(feed.loadedFrom),
    loadedTo: dayOf(feed.loadedTo),
  }
  const window = nextBingDays(loaded, new Date())
  const ask = askBing(key, { baseUrl: work.bingUrl, signal, retries: 2 })
  const actor = { userId: feed.userId, keyId: null }
  const result = await pullBing(work, actor, { projectId, site: name, window, ask, signal })
  signal.throwIfAborted()
  const pulled = { from: result.first, to: window.to, rows: result.loaded }
  await notePulled(db, id, pulled)
  await noteProblem(db, projectId, 'bingWebmaster', null)
  log.info({ feedId: id, ...pulled }, 'days of a feed were pulled')
  await planPull(db, id, nextPullAfter(id, new Date()))
}

const pullAll = (feed: Feed, kind: AnalyticsKind, work: Work) =>
  kind === 'bingWebmaster' ? pullFromBing(feed, work) : pullGoogle(feed, kind, work)

const isPulled = (kind: Feed['kind']): kind is AnalyticsKind =>
  kind === 'searchConsole' || kind === 'webAnalytics' || kind === 'bingWebmaster'

/** Ends what Bing or Google refuses until a person acts. */
async function noteEnded({ accountId, kind, project }: Feed, { db }: Work): Promise<void> {
  if (kind === 'bingWebmaster') await noteBingKeyEnded(db, project.workspaceId)
  else if (accountId) await noteAccountEnded(db, accountId)
}

/** Pulls a feed of data from Google or Bing. */
export const pullJob: JobSteps<JobData['pull']> = {
  async run({ feedId }, work) {
    const feed = await readFeed(work.db, feedId)
    if (!feed || !isPulled(feed.kind)) return
    const { kind } = feed
    try {
      await pullAll(feed, kind, work)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { problem, message: text } = error
      await fail(work, feed, { problem, text })
      if (isOfProperty(problem)) await noteProblem(work.db, feed.projectId, kind, problem)
      if (problem === 'signInEnded') await noteEnded(feed, work)
    }
  },
  fail: async ({ feedId }, sources) => {
    const feed = await readFeed(sources.db, feedId)
    if (!feed) return
    const text = 'The service failed. Its log has the error.'
    await fail(sources, feed, { problem: 'unavailable', text })
  },
}
