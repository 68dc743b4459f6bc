import type { ConnectionsQuery } from '../../documents.ts'
import type { Asked } from '../../parts/panel.tsx'

export type Workspace = NonNullable<ConnectionsQuery['project']>['workspace']

/** What each part of the connections of a workspace gets. */
export interface WorkspacePart {
  readonly workspace: Workspace
  readonly asked: Asked<ConnectionsQuery, { project: string }>
}
