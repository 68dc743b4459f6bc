import { Alert, Card, Center, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Logo } from '../shell/logo.tsx'
import { SignInError } from '../state/session.ts'
import { t } from '../texts/texts.ts'

/** The card of a page without a session. */
export function SignInCard({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}) {
  return (
    <Center mih="100vh" p="md" component="main" id="page">
      <Card w="100%" maw={400} padding="xl" shadow="sm">
        <Stack>
          <Group gap="xs">
            <Logo />
            <Text fw={750}>{t.product}</Text>
          </Group>
          <div>
            <Title order={1}>{title}</Title>
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          </div>
          {children}
        </Stack>
      </Card>
    </Center>
  )
}

/** Why there is no session, in words for people. */
function faultText(error: unknown): string {
  if (error instanceof SignInError) return error.message
  if (error instanceof TypeError) return t.unreachable
  return t.signIn.cancelled
}

/** Something that may be refused, with what is said then. */
export function useTry(first?: string) {
  const [fault, setFault] = useState(first)
  const [isBusy, setBusy] = useState(false)
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      setFault(faultText(error))
    } finally {
      setBusy(false)
    }
  }
  const said = fault && (
    <Alert color="red" role="alert" p="xs">
      {fault}
    </Alert>
  )
  return { attempt, isBusy, said, setFault }
}
