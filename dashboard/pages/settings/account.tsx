import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getParser } from 'bowser'
import type { FormEvent } from 'react'
import {
  EndSessionDocument,
  RemovePasskeyDocument,
  SessionsDocument,
  type SessionsQuery,
} from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Panel } from '../../parts/panel.tsx'
import { NewPasswordField, SecretField, typedText, useTry } from '../../parts/sign-in-card.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { hasPasskeys, makePasskey } from '../../state/passkeys.ts'
import { post } from '../../state/session.ts'
import { t } from '../../texts/texts.ts'

type Session = NonNullable<SessionsQuery['sessions']>['nodes'][number]

/** A browser as people call it, such as “Firefox on macOS”. */
function browserText({ browser }: Session): string {
  if (!browser) return t.settings.unknownBrowser
  const parser = getParser(browser)
  const name = parser.getBrowserName()
  const system = parser.getOSName()
  return name && system ? t.settings.browserOn(name, system) : name || browser
}

const columns: readonly Column<Session>[] = [
  textColumn(t.settings.browser, browserText),
  textColumn(t.settings.signedInBy, ({ keyName }) => keyName ?? t.settings.asPerson),
  timeColumn(t.settings.signedInAt, ({ createdAt }) => createdAt),
  timeColumn(t.settings.used, ({ lastUsedAt }) => lastUsedAt),
  timeColumn(t.settings.expires, ({ expiresAt }) => expiresAt),
  actColumn(t.columns.actions, EndSessionDocument, (session) =>
    session.isCurrent
      ? t.settings.thisBrowser
      : {
          label: t.settings.signOut,
          of: browserText(session),
          document: EndSessionDocument,
          variables: { id: session.id },
          confirm: t.settings.signOutAsk,
        },
  ),
]

type Passkey = NonNullable<SessionsQuery['account']>['passkeys'][number]

const passkeyColumns: readonly Column<Passkey>[] = [
  textColumn(t.account.passkey, ({ id }) => t.account.passkeyName(id)),
  timeColumn(t.settings.made, ({ createdAt }) => createdAt),
  timeColumn(t.settings.used, ({ lastUsedAt }) => lastUsedAt),
  actColumn(t.columns.actions, RemovePasskeyDocument, ({ id }) => ({
    label: t.account.remove,
    of: t.account.passkeyName(id),
    document: RemovePasskeyDocument,
    variables: { id },
    confirm: t.account.removeAsk,
  })),
]

/** Adds a passkey of this device. */
function NewPasskey() {
  const { attempt, isBusy, said } = useTry()
  const queries = useQueryClient()
  if (!hasPasskeys()) {
    return (
      <Text size="sm" c="dimmed">
        {t.account.noPasskeysHere}
      </Text>
    )
  }
  return (
    <Stack gap="sm" align="flex-start" mt="sm">
      <Button
        variant="default"
        loading={isBusy}
        onClick={() =>
          void attempt(async () => {
            const path = '/account/passkey'
            await post(path, await makePasskey(`${path}/options`))
            await queries.invalidateQueries()
          })
        }
      >
        {t.account.addPasskey}
      </Button>
      {said}
    </Stack>
  )
}

/** A form for the first password, or the next. */
function Password({
  email,
  hasPassword,
}: {
  readonly email: string
  readonly hasPassword: boolean
}) {
  const { attempt, isBusy, said } = useTry()
  const queries = useQueryClient()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const body = { current: typedText(form, 'current'), password: typedText(form, 'password') }
    void attempt(async () => {
      await post('/account/password', body)
      form.reset()
      notifyDone(t.account.saved)
      await queries.invalidateQueries()
    })
  }
  return (
    <Panel
      title={t.account.password}
      sub={hasPassword ? t.account.passwordLead : t.account.noPassword}
    >
      <form onSubmit={submit}>
        <Stack gap="sm" maw={360}>
          {hasPassword && (
            <SecretField name="current" label={t.account.current} autoComplete="current-password" />
          )}
          <NewPasswordField email={email} label={t.account.next} />
          {said}
          <Group>
            <Button type="submit" loading={isBusy}>
              {t.account.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

/** How the reader signs in, and the browsers that are signed in. */
export function Account() {
  const query = useQuestion(SessionsDocument, {})
  const asked = { document: SessionsDocument, variables: {} }
  return (
    <Answered query={query}>
      {({ account, sessions }) => (
        <Stack>
          <Text c="dimmed" size="sm">
            {account ? t.account.email(account.email) : t.account.byKey}
          </Text>
          {account && (
            <>
              <Password email={account.email} hasPassword={account.hasPassword} />
              <Part
                title={t.account.passkeys}
                lead={t.account.passkeysLead}
                empty={t.account.noPasskeys}
                asked={asked}
                columns={passkeyColumns}
                rows={account.passkeys}
                keyOf={({ id }) => id}
                after={<NewPasskey />}
              />
            </>
          )}
          <Part
            title={t.settings.sessions}
            lead={t.settings.sessionsLead}
            asked={asked}
            columns={columns}
            rows={sessions?.nodes ?? []}
            keyOf={({ id }) => id}
          />
        </Stack>
      )}
    </Answered>
  )
}
