import type { ProjectScope, Snapshot } from '../scope.ts'

/** The current snapshot of the project, or that of the cursor which the request continues. */
export function currentSnapshot(scope: ProjectScope): Snapshot {
  if (scope.pinned) return scope.pinned
  return { load: scope.project.visibleLoad, dead: scope.project.deadLoads }
}

/**
 * The snapshot of a page by offset. The first page of a list sets it, later pages keep it: an import that completes
 * between two pages neither repeats nor hides a row.
 */
export function pageSnapshot(scope: ProjectScope, list: string, offset: number): Snapshot {
  if (scope.pinned) return scope.pinned
  const key = `${scope.reader} ${scope.project.id} ${list}`
  const remembered = offset > 0 ? scope.snapshots.get(key) : undefined
  const snapshot = remembered ?? currentSnapshot(scope)
  scope.snapshots.set(key, snapshot)
  return snapshot
}
