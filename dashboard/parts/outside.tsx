import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface OutsideProps {
  readonly url: string
  readonly name?: ReactNode
  /** For screen readers, where the name alone says too little. */
  readonly label?: string
}

/** An address as a link only if a browser may open it: any other scheme stays text. */
export function Outside({ url, name = url, label }: OutsideProps) {
  if (!/^https?:\/\//i.test(url)) return name
  return (
    <Anchor
      href={url}
      aria-label={label}
      target="_blank"
      rel="noopener noreferrer"
      className="wrap"
      inherit
    >
      {name}
      <IconExternalLink size={12} aria-hidden className="outside" />
    </Anchor>
  )
}
