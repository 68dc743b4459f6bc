import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  AddDataFeedDocument,
  type DataConnectionsQuery,
  ListBingSitesDocument,
  RemoveBingKeyDocument,
  SetBingKeyDocument,
} from '../../../documents.ts'
import { Act, Fault } from '../../../parts/act.tsx'
import { ChangeForm, Field } from '../../../parts/form.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { Panel } from '../../../parts/panel.tsx'
import { useChange } from '../../../state/change.ts'
import { connections } from '../../../texts/english/connections.ts'
import { t } from '../../../texts/texts.ts'

const texts = connections.bing

type Key = NonNullable<NonNullable<DataConnectionsQuery['project']>['workspace']['bingKey']>

interface BingProps {
  readonly project: string
  readonly workspace: string
  readonly bingKey: Key | null
}

/** Asks Bing which sites the key reads, and lets one be chosen for the project. */
function Choose({ project, workspace }: Omit<BingProps, 'bingKey'>) {
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useChange(ListBingSitesDocument)
  const add = useChange(AddDataFeedDocument)
  const found = list.data?.listBingSites
  const sites = found && 'sites' in found ? found : null
  const site = chosen ?? sites?.sites[0] ?? null
  const load = () =>
    site &&
    add.mutate(
      { project, kind: 'bing_webmaster', account: null, name: site, label: null },
      { onSuccess: () => notifyDone(texts.loading(site)) },
    )
  return (
    <Stack gap="sm" mt="sm">
      <Group gap="sm">
        <Button
          variant="default"
          loading={list.isPending}
          onClick={() => list.mutate({ workspace })}
        >
          {texts.choose}
        </Button>
      </Group>
      <Fault error={list.error} />
      {sites?.refusal && (
        <Alert color="yellow" role="status" p="xs">
          {sites.refusal}
        </Alert>
      )}
      {sites && !sites.refusal && (
        <Group gap="sm" align="flex-end">
          <Select
            label={texts.site}
            placeholder={sites.sites.length === 0 ? texts.none : undefined}
            data={[...sites.sites]}
            value={site}
            onChange={setChosen}
            searchable
            allowDeselect={false}
            w={{ base: '100%', sm: 360 }}
          />
          <Button onClick={load} loading={add.isPending} disabled={!site}>
            {connections.load}
          </Button>
        </Group>
      )}
      <Fault error={add.error} />
    </Stack>
  )
}

function KeyForm({ workspace, onDone }: { readonly workspace: string; onDone(): void }) {
  return (
    <ChangeForm
      document={SetBingKeyDocument}
      variablesOf={(text) => ({ workspace, key: text('key') })}
      submit={texts.save}
      layout="column"
      onDone={onDone}
    >
      <Field name="key" label={texts.key} type="password" hint={texts.keyHint} />
    </ChangeForm>
  )
}

/** The key to Bing Webmaster Tools, and the site that it reads for the project. */
export function Bing({ project, workspace, bingKey }: BingProps) {
  const [isReplaced, setReplaced] = useState(false)
  if (!bingKey || isReplaced) {
    return (
      <Panel title={texts.title} sub={texts.steps}>
        <KeyForm workspace={workspace} onDone={() => setReplaced(false)} />
      </Panel>
    )
  }
  const { lastFour, endedAt } = bingKey
  return (
    <Panel title={texts.title} sub={texts.lead}>
      <Group gap="sm" justify="space-between">
        <Text size="sm" {...(endedAt && { c: 'red' })} className="wrap">
          {endedAt ? texts.ended(lastFour, t.moment(endedAt)) : texts.works(lastFour)}
        </Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="default" onClick={() => setReplaced(true)}>
            {texts.replace}
          </Button>
          <Act
            label={texts.remove}
            document={RemoveBingKeyDocument}
            variables={{ workspace }}
            confirm={texts.removeAsk}
          />
        </Group>
      </Group>
      {!endedAt && <Choose project={project} workspace={workspace} />}
    </Panel>
  )
}
