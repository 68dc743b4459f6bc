import {
  Button,
  Card,
  Center,
  Divider,
  Group,
  PasswordInput,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { ShellDocument } from '../documents.ts'
import { Logo } from '../shell/logo.tsx'
import { ask } from '../state/ask.ts'
import { hasOrganisation, signIn, signOut } from '../state/session.ts'
import { t } from '../texts/texts.ts'

/** Asks for a key, and keeps the key only if the service knows it. */
export function SignIn({ notice }: { readonly notice?: string | undefined }) {
  const [fault, setFault] = useState(notice)
  const [isBusy, setBusy] = useState(false)
  const queries = useQueryClient()
  // What one key may read is not shown to the next.
  useEffect(() => queries.clear(), [queries])
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (!/^sgl_[0-9A-Za-z]+$/.test(key)) return setFault(t.signIn.malformed)
    setBusy(true)
    try {
      await ask(ShellDocument, {}, undefined, key)
      signIn(key)
    } catch {
      await signOut()
      setFault(t.signIn.refused)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Center mih="100vh" p="md" component="main" id="page">
      <Card w="100%" maw={400} padding="xl" shadow="sm">
        <Stack>
          <Group gap="xs">
            <Logo />
            <Text fw={750}>{t.product}</Text>
          </Group>
          <div>
            <Title order={1}>{t.signIn.title}</Title>
            <Text size="sm" c="dimmed">
              {t.signIn.lead}
            </Text>
          </div>
          {hasOrganisation() && (
            <>
              <Button
                component="a"
                href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}
              >
                {t.signIn.organisation}
              </Button>
              <Divider label={t.signIn.or} />
            </>
          )}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <PasswordInput
                name="key"
                label={t.signIn.key}
                autoComplete="off"
                spellCheck={false}
                required
                withAsterisk={false}
                error={fault && <span role="alert">{fault}</span>}
              />
              <Button
                type="submit"
                loading={isBusy}
                variant={hasOrganisation() ? 'default' : 'filled'}
              >
                {t.signIn.submit}
              </Button>
            </Stack>
          </form>
          <Text size="xs" c="dimmed">
            {t.signIn.hint}
          </Text>
        </Stack>
      </Card>
    </Center>
  )
}
