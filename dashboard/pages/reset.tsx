import { Button, Stack } from '@mantine/core'
import type { FormEvent } from 'react'
import { NewPasswordField, SignInCard, typedText, useTry } from '../parts/sign-in-card.tsx'
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
