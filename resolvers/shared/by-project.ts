/** The rows of each workspace, in the order of `workspaceIds`. */
export function groupByWorkspace<Row extends { readonly workspaceId: string }>(
  workspaceIds: readonly string[],
  rows: readonly Row[],
): Row[][] {
  const groups = Map.groupBy(rows, (row) => row.workspaceId)
  return workspaceIds.map((id) => groups.get(id) ?? [])
}

/** The rows of each project, in the order of `projectIds`. */
export function groupByProject<Row extends { readonly projectId: string }>(
  projectIds: readonly string[],
  rows: readonly Row[],
): Row[][] {
  const groups = Map.groupBy(rows, (row) => row.projectId)
  return projectIds.map((id) => groups.get(id) ?? [])
}
