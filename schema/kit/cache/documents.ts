import type { Principal } from '../../../core/access.ts'
import { Fault } from '../../../core/errors.ts'
import { dataKinds, versionsOf } from '../../../core/load/data-kinds.ts'
import { authorizeEarly, readProject } from '../authorize.ts'
import type { Services } from '../context.ts'
import { watched } from './watched.ts'

/**
 * Types whose values may change while no data of the project does. They hold what a workspace has, uses or spends, who did
 * something, and what is due.
 */
const unversioned = new Set([
  'Workspace',
  'Usage',
  'CollectingSpending',
  'ProjectSetup',
  'CollectingCost',
  'RunPlan',
  'SchedulePlan',
  'AuditEntry',
  'ReanalysisPreview',
  // The links of reports end, and previews soon do.
  'Report',
  // What is open depends on the rules of each hour, and what is watched on the day.
  'Alarm',
  'AlarmConnection',
  'Monitor',
  'MonitorConnection',
  // A comparison goes on with the days.
  'Mark',
  'MarkConnection',
  // It ends with its time, and what its client does.
  'PlannedChange',
])

/** Whether the versions of a project cover all values of a type. */
const isVersioned = (typeName: string): boolean => !unversioned.has(typeName)

/**
 * The versions of all data of some projects, with the role of the key, as a text.
 * @returns undefined where the key may not read one of them, or nothing remembers projects
 */
async function projectVersions(
  services: Services,
  principal: Principal,
  projectIds: readonly string[],
): Promise<string | undefined> {
  if (!services.projects) return undefined
  const client = { principal, services }
  try {
    const projects = await Promise.all(
      projectIds.map((id) => authorizeEarly(client, readProject, id)),
    )
    const texts = projects.map(
      (project) => project && `${project.role} ${versionsOf(project.dataVersions, dataKinds)}`,
    )
    return texts.includes(undefined) ? undefined : texts.join()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** How the service learns whether an answer may be kept, and until when. */
export const answerCacheRules = (services: Services) => ({
  isVersioned,
  watch: watched,
  versionsOf: (principal: Principal, projectIds: readonly string[]) =>
    projectVersions(services, principal, projectIds),
})
