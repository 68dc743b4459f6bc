import { Anchor, type AnchorProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type AddressState, pathOf, useAddress } from '../state/address.ts'

export interface PageLinkProps extends AnchorProps {
  readonly project: string
  /** The page, and what it shows in detail. */
  readonly to: readonly [page: string, ...detail: readonly string[]]
  /** What the page is opened with, such as a filter, beside the date range and filters of this one. */
  readonly state?: AddressState
  readonly title?: string
  readonly children: ReactNode
}

/** A link to a page of the project. It is as large as the text around it, unless it says its size. */
export function PageLink({ project, to, state, ...looks }: PageLinkProps) {
  const { link } = useAddress()
  const href = link(pathOf(project, ...to), state)
  return <Anchor component={Link} href={href} inherit={looks.size === undefined} {...looks} />
}

type ObjectLinkProps = Omit<PageLinkProps, 'to' | 'children'>

interface PromptLinkProps extends ObjectLinkProps {
  readonly prompt: { readonly id: string; readonly text: string }
}

/** A prompt by its text. */
export const PromptLink = ({ prompt, ...looks }: PromptLinkProps) => (
  <PageLink to={['prompts', prompt.id]} {...looks}>
    {prompt.text}
  </PageLink>
)

/** A cited domain. */
export const DomainLink = ({ domain, ...looks }: ObjectLinkProps & { readonly domain: string }) => (
  <PageLink to={['sources', domain]} {...looks}>
    {domain}
  </PageLink>
)
