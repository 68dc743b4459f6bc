import { createContext, useContext } from 'react'
import type { Permission, TypedDocumentString } from '../documents.ts'

/** What the reader may do with the project of the page. Outside of a project that is nothing. */
export const Permissions = createContext<readonly Permission[]>([])

/** A permission, or a change, which needs one. */
export type Needing = Permission | Pick<TypedDocumentString<never, never>, '__meta__'>

/** Whether the reader may make a change. A control that could only fail is not shown. */
export function useMay(): (what: Needing) => boolean {
  const permissions = useContext(Permissions)
  return (what) => {
    // A change of the reader's own account needs none.
    const needed: unknown = typeof what === 'string' ? what : what.__meta__?.needs
    return needed === undefined || permissions.some((permission) => permission === needed)
  }
}
