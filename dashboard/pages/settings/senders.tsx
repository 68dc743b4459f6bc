import {
  Alert,
  Button,
  Code,
  Group,
  Loader,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  CreateIngestKeyDocument,
  CreateSiteTokenDocument,
  TrackingDocument,
  type TrackingQuery,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { type Credentials, environmentOf, filled, installIn, snippetsIn } from './snippets.ts'

const { senders: texts } = t.settings

/** A service without a public address knows itself by the loopback one; the browser knows how it is reached. */
function reachable(trackerUrl: string): string {
  const url = new URL(trackerUrl)
  if (url.hostname === '127.0.0.1') url.hostname = location.hostname
  return url.href.replace(/\/$/, '')
}

const waitingMs = 3000

/** While no event has come, the project is asked again. */
const pauseOf = ({ project }: TrackingQuery) =>
  project?.trafficStatus?.lastEventAt ? false : waitingMs

/** Whether the site has sent something. */
function FirstEvent({ lastEventAt }: { readonly lastEventAt: string | null }) {
  return lastEventAt === null ? (
    <Alert role="status" color="indigo" icon={<Loader size={18} />} title={texts.waiting}>
      <Text size="sm">{texts.waitingHint}</Text>
    </Alert>
  ) : (
    <Alert role="status" color="teal" icon={<IconCircleCheck aria-hidden />} title={texts.arrived}>
      <Text size="sm">{texts.arrivedAt(t.moment(lastEventAt))}</Text>
    </Alert>
  )
}

/** Code that sends the requests of a server, with the credentials of this project, until its first event is here. */
export function Senders({
  project,
  ingestKey,
}: {
  readonly project: string
  readonly ingestKey?: string
}) {
  const [host, setHost] = useState('')
  const [made, setMade] = useState<Credentials>()
  const { data } = useQuestion(TrackingDocument, { project }, { refetchInterval: pauseOf })
  const key = useChange(CreateIngestKeyDocument)
  const token = useChange(CreateSiteTokenDocument)
  const found = data?.project
  const status = found?.trafficStatus
  const make = useMutation({
    mutationFn: async () => {
      const { createSiteToken: site } = await token.mutateAsync({
        project,
        host: host.trim() || null,
      })
      if (!site || !('siteToken' in site) || !found) return
      const own = ingestKey ?? (await newKey(found.workspace.id, found.name))
      if (own === undefined) return
      setMade({
        tracker: reachable(site.trackerUrl),
        siteToken: site.siteToken,
        ingestKey: own,
        host: host.trim() || `www.${found.domain}`,
      })
    },
  })
  async function newKey(workspace: string, name: string): Promise<string | undefined> {
    const { createIngestKey: answer } = await key.mutateAsync({
      workspace,
      name: texts.keyName(name),
    })
    return answer && 'key' in answer ? answer.key : undefined
  }
  const may = useMay()
  const isConnected = status != null && status.status !== 'not_connected'
  return (
    <Panel title={texts.title} sub={texts.lead}>
      <Stack gap="md">
        {isConnected && <FirstEvent lastEventAt={status.lastEventAt} />}
        {!made && may(CreateIngestKeyDocument) && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              make.mutate()
            }}
          >
            <Group align="flex-end" gap="sm">
              <TextInput
                label={texts.host}
                description={texts.hostHint}
                placeholder={found ? `www.${found.domain}` : undefined}
                value={host}
                onChange={({ currentTarget }) => setHost(currentTarget.value)}
              />
              <Button type="submit" loading={make.isPending} disabled={!found}>
                {ingestKey === undefined ? texts.makeKey : texts.make}
              </Button>
            </Group>
            <Text size="xs" c="dimmed" mt={4}>
              {ingestKey === undefined ? texts.makes : texts.makesToken}
            </Text>
          </form>
        )}
        <Fault error={make.error} />
        {made && <Snippets credentials={made} />}
      </Stack>
    </Panel>
  )
}

/** The code for one kind of server. */
function Snippets({ credentials }: { readonly credentials: Credentials }) {
  const [server, setServer] = useState<string | null>(null)
  const { data: page = '' } = useQuery({
    queryKey: ['senders'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await import('../../../docs/senders.md?raw')).default,
  })
  const snippets = snippetsIn(page)
  const shown = snippets.find(({ title }) => title === server) ?? snippets[0]
  if (!shown) return null
  return (
    <Stack gap="md">
      <Alert color="gray" role="status">
        {texts.once}
      </Alert>
      <Select
        label={texts.server}
        data={snippets.map(({ title }) => title)}
        value={shown.title}
        onChange={setServer}
        allowDeselect={false}
        maw={320}
      />
      {shown.usesPackage && (
        <>
          <Copied title={texts.install} code={installIn(page)} />
          <Copied title={texts.environment} code={environmentOf(credentials)} />
        </>
      )}
      {shown.blocks.map(({ file, code }) => (
        <Copied key={file} title={file} code={filled(code, credentials)} />
      ))}
    </Stack>
  )
}

function Copied({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Title order={3} size="sm">
          {title}
        </Title>
        <Copy value={code} label={t.settings.copy} done={t.settings.copied} of={title} />
      </Group>
      <Code block className="snippet">
        {code}
      </Code>
    </div>
  )
}
