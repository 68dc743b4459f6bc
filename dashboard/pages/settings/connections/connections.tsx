import { DataConnectionsDocument } from '../../../documents.ts'
import { Answered } from '../../../parts/states.tsx'
import { useQuestion } from '../../../state/ask.ts'
import { Bing } from './bing.tsx'
import { Client } from './client.tsx'
import { Feeds } from './feeds.tsx'
import { Accounts } from './google-accounts.tsx'

/** While days are loaded, the progress moves. */
const progressMs = 3000

/** The workspace's ways to Google and Bing, and what is pulled for the project. */
export function Connections({ project }: { readonly project: string }) {
  const variables = { project }
  const asked = { document: DataConnectionsDocument, variables }
  const query = useQuestion(DataConnectionsDocument, variables, {
    refetchInterval: ({ project: found }) =>
      found?.dataFeeds.some(({ state }) => state === 'backfilling') ? progressMs : false,
  })
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found?.workspace.google) return null
        const { id: workspace, google, googleAccounts, bingKey } = found.workspace
        const shared = { project, workspace, accounts: googleAccounts?.nodes ?? [], asked }
        return (
          <>
            <Client workspace={workspace} google={google} />
            {google.client && <Accounts {...shared} />}
            <Bing project={project} workspace={workspace} bingKey={bingKey} />
            {(google.client || bingKey || found.dataFeeds.length > 0) && (
              <Feeds {...shared} name={found.name} feeds={found.dataFeeds} />
            )}
          </>
        )
      }}
    </Answered>
  )
}
