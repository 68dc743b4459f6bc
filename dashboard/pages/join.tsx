import { Button, Divider, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import type { Role } from '../documents.ts'
import { NewPasswordField, SignInCard, typedText, useTry } from '../parts/sign-in-card.tsx'
import { Loading } from '../parts/states.tsx'
import { hasPasskeys, makePasskey } from '../state/passkeys.ts'
import { hasOrganisation, post, signedIn, signOut, useSession } from '../state/session.ts'
import { t } from '../texts/texts.ts'
import { SignIn } from './sign-in.tsx'

interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly workspace: string
  readonly state: 'new' | 'known' | 'mine' | 'other'
}

type Try = ReturnType<typeof useTry>

/** The person has a session, and reads what the workspace has. */
function joined(): void {
  signedIn()
  location.replace('/')
}

/** A new person chooses how to sign in. */
function Newcomer({
  token,
  invitation,
  attempt,
  isBusy,
}: { readonly token: string; readonly invitation: Invitation } & Try) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = typedText(event.currentTarget, 'password')
    void attempt(async () => {
      await post('/join/accept', { token, password })
      joined()
    })
  }
  const hasOthers = hasPasskeys() || hasOrganisation()
  return (
    <>
      <Text size="sm">{t.join.choose}</Text>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <NewPasswordField email={invitation.email} label={t.join.newPassword} />
          <Button type="submit" loading={isBusy}>
            {t.join.withPassword}
          </Button>
        </Stack>
      </form>
      {hasOthers && <Divider label={t.signIn.or} />}
      {hasPasskeys() && (
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() =>
            void attempt(async () => {
              const passkey = await makePasskey('/join/passkey/options', { token })
              await post('/join/accept', { token, passkey })
              joined()
            })
          }
        >
          {t.join.withPasskey}
        </Button>
      )}
      {hasOrganisation() && <Organisation invitation={invitation} />}
    </>
  )
}

function Organisation({ invitation }: { readonly invitation: Invitation }) {
  return (
    <Button component="a" variant="default" href={`/sign-in?invitation=${invitation.id}`}>
      {t.join.withOrganisation}
    </Button>
  )
}

/** The page of an invitation: its link works in any browser, once. */
export function Join({ token }: { readonly token: string }) {
  const session = useSession()
  const [invitation, setInvitation] = useState<Invitation>()
  const tried = useTry()
  const { attempt, said, isBusy } = tried
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each session
  useEffect(() => {
    void attempt(async () => setInvitation(await post<Invitation>('/join/invitation', { token })))
  }, [session])
  if (!invitation) {
    return said ? (
      <SignInCard title={t.join.missing} lead="">
        {said}
      </SignInCard>
    ) : (
      <Loading />
    )
  }
  const { email, role, workspace, state } = invitation
  if (state === 'known') return <SignIn notice={t.join.known(email)} />
  return (
    <SignInCard title={t.join.title(workspace)} lead={t.join.as(email, t.settings.roles[role])}>
      {said}
      {state === 'new' && <Newcomer {...tried} token={token} invitation={invitation} />}
      {state === 'mine' && (
        <Button
          loading={isBusy}
          onClick={() =>
            void attempt(async () => {
              await post('/join/accept', { token })
              joined()
            })
          }
        >
          {t.join.accept}
        </Button>
      )}
      {state === 'other' && (
        <>
          <Text size="sm">{t.join.other(email)}</Text>
          <Button variant="default" onClick={() => void signOut()}>
            {t.join.signOut}
          </Button>
        </>
      )}
    </SignInCard>
  )
}
