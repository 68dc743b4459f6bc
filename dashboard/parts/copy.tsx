import { Button, CopyButton } from '@mantine/core'

interface CopyProps {
  readonly value: string
  readonly label: string
  /** What the button says for a moment after. */
  readonly done: string
  /** What is copied, where there are several buttons. */
  readonly of?: string
  readonly variant?: 'default' | 'light'
}

/** A button that copies a text. */
export function Copy({ value, label, done, of, variant = 'default' }: CopyProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant={variant}
          {...(of !== undefined && { 'aria-label': `${label}: ${of}` })}
          onClick={copy}
        >
          {copied ? done : label}
        </Button>
      )}
    </CopyButton>
  )
}
