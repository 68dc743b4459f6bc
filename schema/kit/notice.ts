import type { GraphQLResolveInfo } from 'graphql'
import type { Notice } from '../../core/notices.ts'
import type { Context } from './context.ts'

type Path = GraphQLResolveInfo['path']

/** The names on a path, without the numbers of rows. */
export function namesOn(path: Path | undefined): string[] {
  const names: string[] = []
  for (let at = path; at; at = at.prev) if (typeof at.key === 'string') names.unshift(at.key)
  return names
}

const nameOf = ({ code, path, message }: Notice) => JSON.stringify([code, path, message])

/**
 * Says in `extensions.notices` how a field was answered otherwise than it was asked. The rows of a list say it once. REST has
 * no place for it, so nothing happens there.
 * @param path the `path` of the resolver's `info`
 */
export function notice(
  { notices }: Pick<Context, 'notices'>,
  { path, ...rest }: Omit<Notice, 'path'> & { readonly path: Path },
): void {
  if (!notices) return
  const made = { ...rest, path: namesOn(path) }
  notices.set(nameOf(made), made)
}
