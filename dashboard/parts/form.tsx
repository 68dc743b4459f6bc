import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from 'react'
import type { TypedDocumentString } from '../documents.ts'
import { AskError } from '../state/ask-error.ts'
import { useChange } from '../state/change.ts'
import { useMay } from '../state/may.ts'
import { Fault } from './act.tsx'

/** The rules that the service said were broken, by the names of fields. */
const Wrong = createContext<Readonly<Record<string, string>>>({})

/** The rules of those wrong values that the form has a field for; none unless each has. */
function wrongIn(form: HTMLFormElement, error: Error): Readonly<Record<string, string>> {
  const wrong = error instanceof AskError ? error.wrong : []
  if (!wrong.every(({ name }) => form.elements.namedItem(name))) return {}
  return Object.fromEntries(wrong.map(({ name, rule }) => [name, rule]))
}

interface ChangeFormProps<R extends object, V> {
  readonly document: TypedDocumentString<R, V & { idempotencyKey?: string | null | undefined }>
  /** Variables of the change, by the trimmed texts of the fields. */
  variablesOf(text: (name: string) => string): V
  readonly submit: string
  /** Fields in one line, unless said otherwise. */
  readonly layout?: 'column'
  /** The fields keep their texts after a change. Otherwise they are as at first. */
  readonly keeps?: true
  readonly isDisabled?: boolean
  readonly children: ReactNode
  /** Gets the answer of a change that was made, and the texts that it was made with. */
  onDone?(answer: R, text: (name: string) => string): void
}

/** Fields and a button that changes something, for those who may. */
export function ChangeForm<R extends object, V>({
  document,
  variablesOf,
  submit,
  layout,
  keeps,
  isDisabled = false,
  children,
  onDone,
}: ChangeFormProps<R, V>) {
  const change = useChange<R, V>(document)
  const may = useMay()
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const texts = new FormData(form)
    const text = (name: string) => String(texts.get(name) ?? '').trim()
    setWrong({})
    change.mutate(variablesOf(text), {
      onError: (error) => setWrong(wrongIn(form, error)),
      onSuccess: (answer) => {
        if (!keeps) form.reset()
        onDone?.(answer, text)
      },
    })
  }
  const button = (
    <Button type="submit" loading={change.isPending} disabled={isDisabled}>
      {submit}
    </Button>
  )
  if (!may(document)) return null
  return (
    <Wrong value={wrong}>
      <form onSubmit={send} className="form">
        {layout === 'column' ? (
          <Stack gap="sm" align="stretch">
            {children}
            <Group>{button}</Group>
          </Stack>
        ) : (
          <Group gap="sm" align="flex-end">
            {children}
            {button}
          </Group>
        )}
      </form>
      <Fault error={Object.keys(wrong).length > 0 ? null : change.error} />
    </Wrong>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'number' | 'password'
  readonly isOptional?: boolean
  readonly value?: string | number
  readonly least?: number
  readonly most?: number
  readonly leastCharacters?: number
  readonly mostCharacters?: number
  /** Stands in the field until something is typed. */
  readonly example?: string
  /** A text that explains the field. */
  readonly hint?: string
}

/** A field with its label. */
export function Field(props: FieldProps) {
  const { name, label, type = 'text', isOptional = false, value, hint } = props
  const id = useId()
  const wrong = useContext(Wrong)[name]
  return (
    <TextInput
      {...{ id, name, label, type, defaultValue: value }}
      {...{ min: props.least, max: props.most, maxLength: props.mostCharacters }}
      minLength={props.leastCharacters}
      autoComplete={type === 'password' ? 'new-password' : undefined}
      placeholder={props.example}
      {...(type === 'number' && { step: 'any' })}
      required={!isOptional}
      withAsterisk={false}
      description={hint}
      error={wrong && <span role="alert">{wrong}</span>}
    />
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** Texts by values. */
  readonly choices: Readonly<Record<string, string>>
  /** Of a choice that shows something at once. */
  onChange?(value: string): void
}

/** A list of choices with its label. */
export function Choice({ name, label, choices, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      name={name}
      label={label}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      data={Object.entries(choices).map(([value, text]) => ({ value, label: text }))}
    />
  )
}
