import type { ReactNode } from 'react'

/** An address as a link only if a browser may open it: any other scheme stays text. */
export function Outside({ url, name = url }: { readonly url: string; readonly name?: ReactNode }) {
  if (!/^https?:\/\//i.test(url)) return name
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  )
}
