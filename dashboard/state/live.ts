import { useQueryClient } from '@tanstack/react-query'
import type { Client } from 'graphql-sse'
import { useEffect } from 'react'
import { ProjectChangedDocument, type ProjectChangedSubscription } from '../documents.ts'

const soonestMs = 2000
/** An audit or an import changes a project many times in a row. A key has 600 units a minute. */
const refreshEveryMs = 5000
const latestMs = 60_000

/** Asks all questions again when something of the project has changed. A lost stream is opened again, later each time. */
export function useLive(project: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let client: Client | undefined
    let isOver = false
    let pauseMs = soonestMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let refresh: ReturnType<typeof setTimeout> | undefined
    function changed() {
      pauseMs = soonestMs
      refresh ??= setTimeout(() => {
        refresh = undefined
        void queries.invalidateQueries({}, { cancelRefetch: false })
      }, refreshEveryMs)
    }
    function again() {
      if (isOver) return
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(pauseMs * 2, latestMs)
    }
    async function follow() {
      // The first numbers do not wait for it.
      const { createClient } = await import('graphql-sse')
      if (isOver) return
      client ??= createClient({
        url: '/graphql',
        // Each end of a stream leads to `again`, also one that the service asks for.
        retryAttempts: 0,
      })
      const question = { query: ProjectChangedDocument.toString(), variables: { project } }
      client.subscribe<ProjectChangedSubscription>(question, {
        next: ({ data }) => data?.projectUpdated && changed(),
        error: again,
        complete: again,
      })
    }
    function start() {
      follow().catch(again)
    }
    start()
    return () => {
      isOver = true
      client?.dispose()
      clearTimeout(timer)
      clearTimeout(refresh)
    }
  }, [queries, project])
}
