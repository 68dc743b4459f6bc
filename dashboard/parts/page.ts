import type { ComponentType } from 'react'
import type { ShellQuery } from '../documents.ts'
import type { Asked } from '../state/address.ts'
import type { Prefetch } from '../state/ask.ts'

export type Project = ShellQuery['projects']['nodes'][number]

/** What every page gets. */
export interface PageProps {
  readonly project: Project
  /** The rest of the path, such as the id of a prompt. */
  readonly detail?: string | undefined
}

/** The address of a page: its project, and what it says of its numbers. */
export interface Visit extends Asked {
  readonly project: string
  readonly detail?: string | undefined
}

/** What a page asks first; nothing where the address shows one thing in detail. */
export type Opening = (visit: Visit) => Prefetch | undefined

/** The code of a page. */
export interface PageCode {
  readonly Page: ComponentType<PageProps>
  readonly opening?: Opening
}
