import { Anchor, Button, Divider, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { EmailField, SecretField, SignInCard, typedText, useTry } from '../parts/sign-in-card.tsx'
import { Loading } from '../parts/states.tsx'
import { hasPasskeys, signInByPasskey } from '../state/passkeys.ts'
import { hasMail, hasOrganisation, post, signedIn, signInByKey } from '../state/session.ts'
import { t } from '../texts/texts.ts'

const Forgotten = lazy(async () => ({ default: (await import('./reset.tsx')).Forgotten }))

type Try = Pick<ReturnType<typeof useTry>, 'attempt' | 'isBusy' | 'setFault'>

function PasswordForm({ attempt, isBusy }: Try) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const body = { email: typedText(form, 'email'), password: typedText(form, 'password') }
    void attempt(async () => {
      await post('/sign-in/password', body)
      signedIn()
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <EmailField />
        <SecretField name="password" label={t.signIn.password} autoComplete="current-password" />
        <Button type="submit" loading={isBusy}>
          {t.signIn.submit}
        </Button>
      </Stack>
    </form>
  )
}

function KeyForm({ attempt, isBusy, setFault }: Try) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const key = typedText(event.currentTarget, 'key').trim()
    if (!/^sgl_[0-9A-Za-z]+$/.test(key)) return setFault(t.signIn.malformed)
    void attempt(() => signInByKey(key))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SecretField name="key" label={t.signIn.key} autoComplete="off" spellCheck={false} />
        <Button type="submit" loading={isBusy}>
          {t.signIn.submit}
        </Button>
      </Stack>
    </form>
  )
}

/** All ways to sign in. Each begins the same session. */
export function SignIn({ notice }: { readonly notice?: string | undefined }) {
  const [byKey, setByKey] = useState(false)
  const [isForgotten, setForgotten] = useState(false)
  const { attempt, isBusy, said, setFault } = useTry(notice)
  const queries = useQueryClient()
  // What one reader may see is not shown to the next.
  useEffect(() => queries.clear(), [queries])
  const Form = byKey ? KeyForm : PasswordForm
  const hasOthers = hasPasskeys() || hasOrganisation()
  if (isForgotten) {
    return (
      <Suspense fallback={<Loading />}>
        <Forgotten back={() => setForgotten(false)} />
      </Suspense>
    )
  }
  return (
    <SignInCard title={t.signIn.title} lead={t.signIn.lead}>
      {said}
      <Form {...{ attempt, isBusy, setFault }} />
      {hasOthers && <Divider label={t.signIn.or} />}
      {hasPasskeys() && (
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() =>
            void attempt(async () => {
              await signInByPasskey()
              signedIn()
            })
          }
        >
          {t.signIn.passkey}
        </Button>
      )}
      {hasOrganisation() && (
        <Button
          component="a"
          variant="default"
          href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}
        >
          {t.signIn.organisation}
        </Button>
      )}
      <Text size="xs" c="dimmed">
        {t.signIn.hint} {!hasMail() && t.signIn.forgotten}
      </Text>
      {hasMail() && !byKey && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          ta="left"
          onClick={() => setForgotten(true)}
        >
          {t.signIn.forgot}
        </Anchor>
      )}
      <Anchor component="button" type="button" size="xs" ta="left" onClick={() => setByKey(!byKey)}>
        {byKey ? t.signIn.usePassword : t.signIn.useKey}
      </Anchor>
    </SignInCard>
  )
}
