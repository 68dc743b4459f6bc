import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { TypedDocumentString } from '../documents.ts'
import { ask } from './ask.ts'
import { AskError } from './ask-error.ts'
import { sendHeld } from './held.ts'
import { askError, type WrongField } from './problem.ts'

/** A key that no other change has. `crypto.randomUUID` needs HTTPS, which a service at home may lack. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** What the graph answers in place of a result, such as a limit that is reached. */
function problemOf(result: unknown): AskError | undefined {
  if (typeof result !== 'object' || result === null || !('problem' in result)) return undefined
  const { problemCode, fields } = result as {
    readonly problemCode?: string
    readonly fields?: readonly WrongField[]
  }
  return askError(problemCode ?? '', fields)
}

export type Change<R extends object, V> = TypedDocumentString<
  R,
  V & { idempotencyKey?: string | null | undefined }
>

/**
 * Makes a change. A request that is sent again because its answer was lost changes nothing twice.
 * @throws {AskError} with what the graph says instead of a result
 */
export async function makeChange<R extends object, V>(
  document: Change<R, V>,
  variables: V,
  init: Pick<RequestInit, 'keepalive'> = {},
): Promise<R> {
  const asked = { ...variables, idempotencyKey: newKey() }
  const answer = await ask(document, asked, init).catch((error: unknown) => {
    if (error instanceof AskError) throw error
    return ask(document, asked, init)
  })
  const problem = Object.values(answer).map(problemOf).find(Boolean)
  if (problem) throw problem
  return answer
}

/** A change by the reader. All questions are asked again after it. */
export function useChange<R extends object, V>(
  document: Change<R, V>,
): UseMutationResult<R, Error, V> {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(variables: V) {
      await sendHeld()
      return makeChange(document, variables)
    },
    // The change is made: what shows it may still be on its way.
    onSuccess: () => {
      void client.invalidateQueries()
    },
  })
}
