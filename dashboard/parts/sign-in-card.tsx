import {
  Alert,
  Card,
  Center,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
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

/** The text of a field of a form, as it was typed. */
export const typedText = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '')

/** The field of a password, and of a key, which is hidden alike. */
export function SecretField(props: {
  readonly name: string
  readonly label: string
  readonly autoComplete: string
  readonly spellCheck?: false
}) {
  return <PasswordInput {...props} required withAsterisk={false} />
}

/** The field of the address that somebody signs in with. */
export function EmailField() {
  return (
    <TextInput
      name="email"
      type="email"
      label={t.signIn.email}
      autoComplete="username"
      required
      withAsterisk={false}
    />
  )
}

/** The field of a new password of an account. A password manager stores the address with it. */
export function NewPasswordField({
  email,
  label,
}: {
  readonly email: string
  readonly label: string
}) {
  return (
    <>
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PasswordInput
        name="password"
        label={label}
        description={t.join.passwordHint}
        autoComplete="new-password"
        minLength={10}
        required
        withAsterisk={false}
      />
    </>
  )
}
