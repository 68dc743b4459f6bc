import type { Settings } from '../core/settings.ts'
import { askGraph } from '../rest/handler/local.ts'
import { publicSchema } from '../schema/index.ts'
import { type DigestContent, type DigestWeek, digestContent } from './content.ts'
import { contextOf, type Stores } from './context.ts'
import { DigestDocument, type DigestQuery } from './documents.ts'

const dayMs = 24 * 3600 * 1000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The seven whole UTC days before a time, or those before them. */
function weekBefore(now: Date, weeks = 0): DigestWeek {
  const end = now.getTime() - weeks * 7 * dayMs
  return { from: dayOf(end - 7 * dayMs), to: dayOf(end - dayMs) }
}

/**
 * The digest of the week before a time, from the graph as an owner reads it.
 * @returns null for a project that is gone
 */
export async function makeDigest(
  settings: Settings,
  stores: Stores,
  projectId: string,
  now: Date,
): Promise<DigestContent | null> {
  const owner = await contextOf(settings, stores, projectId)
  if (!owner) return null
  const week = weekBefore(now)
  const previous = weekBefore(now, 1)
  const variables = {
    project: projectId,
    window: week,
    previous,
    until: week.to,
    untilBefore: previous.to,
  }
  const { project } = await askGraph<DigestQuery>(
    publicSchema,
    owner,
    String(DigestDocument),
    variables,
    ['traffic_not_connected'],
  )
  return project && digestContent(projectId, project, week)
}
