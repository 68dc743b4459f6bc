import type { ProjectScope, Snapshot } from './scope.ts'

/** What a reader of the project sees now. */
export function currentSnapshot(scope: ProjectScope): Snapshot {
  return { load: scope.project.visibleLoad, dead: scope.project.deadLoads }
}

/**
 * The snapshot for a page that is asked by offset. The first page fixes it, later pages of the same walk
 * keep it, so that an import that completes in between neither repeats nor hides a row.
 */
export function pageSnapshot(scope: ProjectScope, list: string, offset: number): Snapshot {
  const walk = `${scope.reader} ${scope.project.id} ${list}`
  const remembered = offset > 0 ? scope.snapshots.get(walk) : undefined
  const snapshot = remembered ?? currentSnapshot(scope)
  scope.snapshots.set(walk, snapshot)
  return snapshot
}
