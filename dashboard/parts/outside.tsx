import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** An address as a link only if a browser may open it: any other scheme stays text. */
export function Outside({ url, name = url }: { readonly url: string; readonly name?: ReactNode }) {
  if (!/^https?:\/\//i.test(url)) return name
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
      {name}
      <IconExternalLink size={12} aria-hidden className="outside" />
    </Anchor>
  )
}
