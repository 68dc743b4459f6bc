import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  type DataConnectionsQuery,
  RemoveGoogleClientDocument,
  SetGoogleClientDocument,
} from '../../../documents.ts'
import { Act } from '../../../parts/act.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { ChangeForm, Field } from '../../../parts/form.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { connections as texts } from '../../../texts/english/connections.ts'
import { t } from '../../../texts/texts.ts'

type Google = NonNullable<NonNullable<DataConnectionsQuery['project']>['workspace']['google']>

interface ClientProps {
  readonly workspace: string
  readonly google: Google
}

function RedirectUri({ url }: { readonly url: string }) {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" my={4}>
      <Code block className="snippet line-text">
        {url}
      </Code>
      <Copy value={url} label={t.settings.copy} done={t.settings.copied} of={texts.redirectUri} />
    </Group>
  )
}

/** Google takes http addresses of the computer itself alone. */
const isTakenByGoogle = (url: string) =>
  /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/.test(url)

function Steps({ workspace, google, onDone }: ClientProps & { onDone(): void }) {
  const { redirectUri } = google
  return (
    <Stack gap="sm">
      {!isTakenByGoogle(redirectUri) && (
        <Alert color="yellow" role="status" p="xs">
          {texts.noHttps}
        </Alert>
      )}
      <List type="ordered" size="sm" spacing={6}>
        {texts.steps.map((step, at) => (
          <List.Item key={step}>
            {step}
            {at === 3 && <RedirectUri url={redirectUri} />}
          </List.Item>
        ))}
      </List>
      <ChangeForm
        document={SetGoogleClientDocument}
        variablesOf={(text) => ({ workspace, clientId: text('clientId'), secret: text('secret') })}
        submit={texts.saveClient}
        layout="column"
        onDone={onDone}
      >
        <Field name="clientId" label={texts.clientId} example={texts.clientIdExample} />
        <Field name="secret" label={texts.secret} type="password" hint={texts.secretHint} />
      </ChangeForm>
    </Stack>
  )
}

/** The OAuth client of the workspace, or how to get one. */
export function Client({ workspace, google }: ClientProps) {
  const [isReplaced, setReplaced] = useState(false)
  const { client } = google
  return (
    <Panel title={texts.client} sub={client && !isReplaced ? texts.lead : texts.clientLead}>
      {client && !isReplaced ? (
        <Group gap="sm" justify="space-between">
          <Text size="sm" className="wrap">
            {client.clientId}
          </Text>
          <Group gap={4}>
            <Button size="compact-xs" variant="default" onClick={() => setReplaced(true)}>
              {texts.replaceClient}
            </Button>
            <Act
              label={texts.removeClient}
              document={RemoveGoogleClientDocument}
              variables={{ workspace }}
              confirm={texts.removeClientAsk}
            />
          </Group>
        </Group>
      ) : (
        <Steps workspace={workspace} google={google} onDone={() => setReplaced(false)} />
      )}
    </Panel>
  )
}
