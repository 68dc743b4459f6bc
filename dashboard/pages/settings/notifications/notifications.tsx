import { NotificationsDocument } from '../../../documents.ts'
import { Answered } from '../../../parts/states.tsx'
import { useQuestion } from '../../../state/ask.ts'
import { Channels } from './channels.tsx'
import { Deliveries } from './deliveries.tsx'
import { Digests } from './digests.tsx'

/** Where the workspace sends what happens, and what it has sent. */
export function Notifications({ project }: { readonly project: string }) {
  const variables = { project }
  const asked = { document: NotificationsDocument, variables }
  return (
    <Answered query={useQuestion(NotificationsDocument, variables)}>
      {({ project: found }) => {
        if (!found) return null
        const { id: workspace, channels, deliveries } = found.workspace
        const shared = { workspace, channels: channels?.nodes ?? [], asked }
        return (
          <>
            <Channels {...shared} />
            <Digests {...shared} project={project} />
            <Deliveries {...shared} deliveries={deliveries?.nodes ?? []} />
          </>
        )
      }}
    </Answered>
  )
}
