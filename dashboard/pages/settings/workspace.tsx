import { Alert } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import { ConnectionsDocument, type Permission } from '../../documents.ts'
import { Answered, Loading } from '../../parts/states.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { AiClients } from './ai-clients.tsx'
import { Keys } from './api-keys.tsx'
import { IngestKeys } from './keys.tsx'
import { Members } from './members.tsx'
import { Retention } from './retention.tsx'
import { Trail } from './trail.tsx'
import type { WorkspacePart } from './workspace-part.ts'

interface TabProps {
  readonly project: string
}

/** The keys that servers of sites and schedules use. */
function Connected({
  project,
  Shown,
}: TabProps & { readonly Shown: ComponentType<WorkspacePart & TabProps> }) {
  const variables = { project }
  const asked = { document: ConnectionsDocument, variables }
  return (
    <Answered query={useQuestion(ConnectionsDocument, variables)}>
      {({ project: found }) =>
        found && <Shown workspace={found.workspace} asked={asked} project={project} />
      }
    </Answered>
  )
}

/** Few open it, so its code comes with the first visit. */
const Notifications = lazy(async () => ({
  default: (await import('./notifications/notifications.tsx')).Notifications,
}))

/** Few open it, so its code comes with the first visit. */
const Connections = lazy(async () => ({
  default: (await import('./connections/connections.tsx')).Connections,
}))

interface WorkspaceTabs {
  readonly needs: Permission
  readonly Tab: ComponentType<TabProps>
}

/** The tabs about the workspace, and what a reader needs for each. */
export const workspaceTabs = {
  members: { needs: 'read', Tab: Members },
  keys: { needs: 'own', Tab: Keys },
  clients: { needs: 'read', Tab: AiClients },
  tracking: {
    needs: 'connect',
    Tab: ({ project }) => <Connected project={project} Shown={IngestKeys} />,
  },
  connections: { needs: 'connect', Tab: Connections },
  notifications: { needs: 'connect', Tab: Notifications },
  trail: { needs: 'own', Tab: Trail },
  retention: { needs: 'read', Tab: Retention },
} as const satisfies Record<string, WorkspaceTabs>

export type WorkspaceTab = keyof typeof workspaceTabs

/** A tab about the workspace, or who may see it. */
export function WorkspaceSettings({ project, tab }: TabProps & { readonly tab: WorkspaceTab }) {
  const may = useMay()
  const { needs, Tab } = workspaceTabs[tab]
  if (may(needs)) {
    return (
      <Suspense fallback={<Loading />}>
        <Tab project={project} />
      </Suspense>
    )
  }
  return (
    <Alert color="gray" role="status">
      {needs === 'own' ? t.settings.needsOwner : t.settings.needsEditor}
    </Alert>
  )
}
