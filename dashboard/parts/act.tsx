import { type FormEvent, useId, useState } from 'react'
import type { TypedDocumentString } from '../documents.ts'
import { useChange } from '../state/change.ts'
import { t } from '../texts/texts.ts'

type Change<V> = TypedDocumentString<object, V & { idempotencyKey?: string | null | undefined }>

export interface ActProps<V> {
  readonly label: string
  /** What screen readers need beside the label: the object of the change. */
  readonly of?: string
  readonly document: Change<V>
  readonly variables: V
}

/** Why the graph refused a change. */
export function Fault({ error }: { readonly error: Error | null }) {
  return (
    error && (
      <p className="note" role="alert">
        {error.message}
      </p>
    )
  )
}

/** A button that changes something. */
export function Act<V>({ label, of, document, variables }: ActProps<V>) {
  const change = useChange(document)
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        aria-label={of && `${label}: ${of}`}
        onClick={() => change.mutate(variables)}
      >
        {label}
      </button>
      <Fault error={change.error} />
    </>
  )
}

interface ReasonActProps<V> extends Omit<ActProps<V & { reason: string }>, 'variables'> {
  readonly variables: V
}

/** A button that asks for a reason before it changes something. */
export function ReasonAct<V>({ label, of, document, variables }: ReasonActProps<V>) {
  const change = useChange(document)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason) change.mutate({ ...variables, reason })
  }
  if (!isOpen) {
    return (
      <button type="button" aria-label={of && `${label}: ${of}`} onClick={() => setOpen(true)}>
        {label}
      </button>
    )
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={id}>{t.act.reason}</label>
      <input id={id} name="reason" required maxLength={500} />
      <button type="submit" disabled={change.isPending}>
        {label}
      </button>
      <button type="button" onClick={() => setOpen(false)}>
        {t.act.cancel}
      </button>
      <Fault error={change.error} />
    </form>
  )
}
