import type { WorkspaceSettingsQuery } from '../../documents.ts'
import type { Asked } from '../../parts/panel.tsx'

export type Workspace = NonNullable<WorkspaceSettingsQuery['project']>['workspace']

/** What each part of the settings of a workspace gets. */
export interface WorkspacePart {
  readonly workspace: Workspace
  readonly asked: Asked<WorkspaceSettingsQuery, { project: string }>
}
