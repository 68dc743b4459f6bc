import type { ShellQuery } from '../documents.ts'

export type Project = ShellQuery['projects']['nodes'][number]

/** What every page gets. */
export interface PageProps {
  readonly project: Project
  /** The rest of the path, such as the id of a prompt. */
  readonly detail?: string | undefined
}
