import { useId } from 'react'
import { useAddress } from '../../state/address.ts'

interface StatePickerProps {
  readonly label: string
  /** The part of the address that holds the choice. */
  readonly name: string
  readonly states: Readonly<Record<string, string>>
  readonly value: string
}

/** Chooses which objects a list shows; the address keeps the choice. */
export function StatePicker({ label, name, states, value }: StatePickerProps) {
  const { set } = useAddress()
  const id = useId()
  return (
    <p className="line">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => set({ [name]: target.value })}>
        {Object.entries(states).map(([state, text]) => (
          <option key={state} value={state}>
            {text}
          </option>
        ))}
      </select>
    </p>
  )
}
