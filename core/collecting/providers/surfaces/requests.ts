import { z } from 'zod'
import type { Endpoint, ProviderRequest } from '../question.ts'
import { word } from './reply.ts'
import type { TaskSeen } from './service.ts'

/** What the APIs of services have in common. */

/** Requests to an API that has the key in its `authorization` header. Without a body it is a GET. */
export const requestsWith =
  (scheme: 'Bearer' | 'Basic') =>
  ({ baseUrl, secret }: Endpoint, path: string, body: unknown = null): ProviderRequest => ({
    url: `${baseUrl}${path}`,
    headers: { authorization: `${scheme} ${scheme === 'Basic' ? btoa(secret) : secret}` },
    body,
  })

const status = z.object({ status: word })

/** How far a task is, by the word in `status`. A word that is not known counts as running. */
export const seenByStatus =
  (what: string, done: string, failed: readonly string[]) =>
  (body: unknown): TaskSeen => {
    const { status: said } = status.safeParse(body).data ?? {}
    if (said === done) return { state: 'done' }
    if (said != null && failed.includes(said)) {
      return { state: 'failed', reason: `the ${what} has the status ${said}` }
    }
    return { state: 'running' }
  }

/** Reads the id of a task from the field that a service has it in. */
export const idIn = (field: string) => {
  const schema = z.object({ [field]: z.union([z.string(), z.number()]) })
  return (body: unknown): string | null => {
    const id = schema.safeParse(body).data?.[field]
    return id === undefined ? null : String(id)
  }
}
