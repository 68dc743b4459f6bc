import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { ShellDocument } from '../documents.ts'
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
    <main className="sign-in" id="page">
      <p className="brand">{t.product}</p>
      <h1>{t.signIn.title}</h1>
      {hasOrganisation() && (
        <p>
          <a
            className="button"
            href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}
          >
            {t.signIn.organisation}
          </a>
        </p>
      )}
      <p className="lead">{t.signIn.lead}</p>
      <form onSubmit={submit}>
        <label htmlFor="key">{t.signIn.key}</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby={fault ? 'fault' : 'hint'}
        />
        <button type="submit" disabled={isBusy}>
          {t.signIn.submit}
        </button>
      </form>
      {fault && (
        <p id="fault" className="note" role="alert">
          {fault}
        </p>
      )}
      <p id="hint" className="lead">
        {t.signIn.hint}
      </p>
    </main>
  )
}
