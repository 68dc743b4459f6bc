import { Button, FileButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../texts/texts.ts'

interface DropProps {
  /** Of the place, for those who do not see it. */
  readonly label: string
  /** Of the field behind the button; that of the place, unless it is given. */
  readonly fieldLabel?: string
  readonly accept?: string
  readonly icon?: ReactNode
  readonly isBusy?: boolean
  readonly children: ReactNode
  onFile(file: File): void
}

/** A place to drop a file on, with a button that chooses one. */
export function Drop(props: DropProps) {
  const { label, fieldLabel = label, accept, icon, isBusy = false, children, onFile } = props
  const [isOver, setOver] = useState(false)
  return (
    <section
      className="drop"
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file && !isBusy) onFile(file)
      }}
    >
      {children}
      <FileButton
        onChange={(file) => file && onFile(file)}
        inputProps={{ 'aria-label': fieldLabel }}
        {...(accept !== undefined && { accept })}
      >
        {(button) => (
          <Button {...button} variant="light" disabled={isBusy} leftSection={icon}>
            {t.imports.choose}
          </Button>
        )}
      </FileButton>
    </section>
  )
}
