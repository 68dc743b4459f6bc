import { Alert, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  AiClientsDocument,
  type AiClientsQuery,
  DisconnectClientDocument,
} from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { aiClients as texts } from '../../texts/connecting.ts'
import { t } from '../../texts/texts.ts'

const { steps } = texts

type Connected = NonNullable<
  NonNullable<AiClientsQuery['project']>['workspace']['connectedClients']
>['nodes'][number]

interface Client {
  readonly first: string
  readonly code: (url: string) => string
  readonly next: string
  /** It connects from the internet, and cannot reach this computer. */
  readonly isRemote?: true
}

const clients: Readonly<Record<string, Client>> = {
  Claude: { first: steps.claude, code: (url) => url, next: steps.claudeNext, isRemote: true },
  'Claude Code': {
    first: steps.claudeCode,
    code: (url) => `claude mcp add --transport http sightline ${url}`,
    next: steps.claudeCodeNext,
  },
  ChatGPT: { first: steps.chatgpt, code: (url) => url, next: steps.chatgptNext, isRemote: true },
  Cursor: {
    first: steps.cursor,
    code: (url) => JSON.stringify({ mcpServers: { sightline: { url } } }, null, 2),
    next: steps.cursorNext,
  },
  'VS Code': {
    first: steps.vscode,
    code: (url) => `code --add-mcp '${JSON.stringify({ name: 'sightline', type: 'http', url })}'`,
    next: steps.vscodeNext,
  },
  Codex: {
    first: steps.codex,
    code: (url) => `codex mcp add sightline --url ${url}\ncodex mcp login sightline`,
    next: steps.codexNext,
  },
}

function Copied({ code, of }: { readonly code: string; readonly of: string }) {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Code block className="snippet line-text">
        {code}
      </Code>
      <Copy value={code} label={t.settings.copy} done={t.settings.copied} of={of} />
    </Group>
  )
}

/** The steps of one client. */
function Steps({ url }: { readonly url: string }) {
  const [name, setName] = useState('Claude Code')
  const client = clients[name]
  if (!client) return null
  const { first, code, next, isRemote } = client
  const isPublic = new URL(url).protocol === 'https:'
  return (
    <Stack gap="xs">
      <Select
        label={texts.client}
        data={Object.keys(clients)}
        value={name}
        onChange={(chosen) => chosen && setName(chosen)}
        allowDeselect={false}
        maw={320}
      />
      {isRemote && !isPublic && (
        <Alert color="yellow" role="status" p="xs">
          {texts.fromInternet}
        </Alert>
      )}
      <Text size="sm">{first}</Text>
      <Copied code={code(url)} of={name} />
      <Text size="sm">{next}</Text>
    </Stack>
  )
}

const columns: readonly Column<Connected>[] = [
  textColumn(texts.client, ({ name }) => name),
  textColumn(texts.host, ({ host }) => host),
  textColumn(texts.by, ({ owner }) => owner.email),
  textColumn(texts.access, ({ scopes, capabilities }) =>
    texts.rights(scopes, capabilities.length > 0),
  ),
  textColumn(texts.project, ({ project: bound }) => bound?.name ?? texts.all),
  timeColumn(texts.used, ({ lastUsedAt }) => lastUsedAt, texts.neverUsed),
  timeColumn(texts.ends, ({ expiresAt }) => expiresAt),
  actColumn(t.columns.actions, DisconnectClientDocument, ({ id, name, host }) => ({
    label: texts.revoke,
    of: `${name} (${host})`,
    document: DisconnectClientDocument,
    variables: { id },
    confirm: texts.revokeAsk,
  })),
]

/** How to connect an AI client, and the clients that are connected. */
export function AiClients({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered query={useQuestion(AiClientsDocument, variables)}>
      {({ toolServer, project: found }) => (
        <>
          <Panel title={texts.title} sub={texts.lead}>
            {toolServer && (
              <Stack gap="md">
                <div>
                  <Text size="sm" fw={500} mb={4}>
                    {texts.address}
                  </Text>
                  <Copied code={toolServer.url} of={texts.address} />
                </div>
                {toolServer.hasSignIn ? (
                  <Steps url={toolServer.url} />
                ) : (
                  <Alert color="gray" role="status">
                    {texts.noSignIn}
                  </Alert>
                )}
              </Stack>
            )}
          </Panel>
          {found && (
            <Part
              title={texts.connected}
              lead={texts.connectedLead}
              empty={texts.none}
              asked={{ document: AiClientsDocument, variables }}
              columns={columns}
              rows={found.workspace.connectedClients?.nodes ?? []}
              keyOf={({ id }) => id}
            />
          )}
        </>
      )}
    </Answered>
  )
}
