import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  EmailField,
  NewPasswordField,
  SignInCard,
  typedText,
  useTry,
} from '../parts/sign-in-card.tsx'
import { post, signedIn } from '../state/session.ts'
import { t } from '../texts/texts.ts'

/** The page of a mailed link: a click, and no visit, uses it, because mail scanners open links. */
export function Reset({ token }: { readonly token: string }) {
  const { attempt, said, isBusy } = useTry()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = typedText(event.currentTarget, 'password')
    void attempt(async () => {
      await post('/reset/password', { token, password })
      signedIn()
      location.replace('/')
    })
  }
  return (
    <SignInCard title={t.reset.title} lead={t.reset.lead}>
      {said}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <NewPasswordField email="" label={t.reset.next} />
          <Button type="submit" loading={isBusy}>
            {t.reset.save}
          </Button>
        </Stack>
      </form>
    </SignInCard>
  )
}

/** Asks for a link by mail. Whether the address has an account stays unknown. */
export function Forgotten({ back }: { readonly back: () => void }) {
  const { attempt, isBusy, said } = useTry()
  const [mailed, setMailed] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = typedText(event.currentTarget, 'email')
    void attempt(async () => {
      await post('/sign-in/forgotten', { email })
      setMailed(email)
    })
  }
  return (
    <SignInCard title={t.signIn.forgotTitle} lead={t.signIn.forgotLead}>
      {said}
      {mailed === undefined ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <EmailField />
            <Button type="submit" loading={isBusy}>
              {t.signIn.mailLink}
            </Button>
          </Stack>
        </form>
      ) : (
        <Text size="sm" role="status">
          {t.signIn.mailed(mailed)}
        </Text>
      )}
      <Anchor component="button" type="button" size="xs" ta="left" onClick={back}>
        {t.signIn.back}
      </Anchor>
    </SignInCard>
  )
}
