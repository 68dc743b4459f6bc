import { Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CreateSiteTokenDocument } from '../../documents.ts'
import { Copy } from '../../parts/copy.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/texts.ts'
import { snippetsIn } from './snippets.ts'

interface Credentials {
  readonly tracker: string
  readonly ingestKey: string | undefined
  readonly siteToken: string
}

function environmentOf({ tracker, ingestKey, siteToken }: Credentials): string {
  return [
    `SIGHTLINE_TRACKER=${tracker}`,
    `SIGHTLINE_INGEST_KEY=${ingestKey ?? t.settings.senders.yourKey}`,
    `SIGHTLINE_SITE_TOKEN=${siteToken}`,
  ].join('\n')
}

/** A service without a public address knows itself by the loopback one; the browser knows how it is reached. */
function reachable(trackerUrl: string): string {
  const url = new URL(trackerUrl)
  if (url.hostname === '127.0.0.1') url.hostname = location.hostname
  return url.href.replace(/\/$/, '')
}

/** Code that sends the requests of a server, with the credentials of this project. */
export function Senders(props: { readonly project: string; readonly ingestKey?: string }) {
  const [made, setMade] = useState<Omit<Credentials, 'ingestKey'>>()
  const [server, setServer] = useState('')
  const { data: snippets = [] } = useQuery({
    queryKey: ['snippets'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => snippetsIn((await import('../../../docs/senders.md?raw')).default),
    enabled: made !== undefined,
  })
  const shown = snippets.find(({ title }) => title === server) ?? snippets[0]
  return (
    <Panel title={t.settings.senders.title} sub={t.settings.senders.lead}>
      <ChangeForm
        document={CreateSiteTokenDocument}
        variablesOf={(text) => ({ project: props.project, host: text('host') || null })}
        submit={t.settings.senders.make}
        keeps
        onDone={({ createSiteToken: answer }) => {
          if (answer && 'siteToken' in answer) {
            setMade({ tracker: reachable(answer.trackerUrl), siteToken: answer.siteToken })
          }
        }}
      >
        <Field name="host" label={t.settings.senders.host} isOptional />
      </ChangeForm>
      <div role="status">
        {made && (
          <Copied
            title={t.settings.senders.environment}
            code={environmentOf({ ...made, ingestKey: props.ingestKey })}
          />
        )}
      </div>
      {shown && (
        <>
          <Group mt="md">
            <Choice
              name="server"
              label={t.settings.senders.server}
              choices={Object.fromEntries(snippets.map(({ title }) => [title, title]))}
              onChange={setServer}
            />
          </Group>
          <Copied title={shown.title} code={shown.code} />
        </>
      )}
    </Panel>
  )
}

function Copied({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <>
      <Group justify="space-between" mt="md" mb={4}>
        <Title order={3} size="sm">
          {title}
        </Title>
        <Copy value={code} label={t.settings.copy} done={t.settings.copied} of={title} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need focus */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </>
  )
}
