import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ProjectChangedDocument } from '../documents.ts'
import { questionHeaders } from './ask.ts'

const soonestMs = 2000
/** An audit or an import changes a project many times in a row. A key has 600 units a minute. */
const refreshEveryMs = 5000
const latestMs = 60_000

/** Reads server-sent events, and calls for each event with data. */
async function listen(project: string, signal: AbortSignal, onEvent: () => void): Promise<void> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: questionHeaders('text/event-stream'),
    body: JSON.stringify({
      query: ProjectChangedDocument.toString(),
      variables: { project },
    }),
    signal,
  })
  if (!response.ok || !response.body) throw new Error(response.statusText)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    if (events.some((event) => event.includes('"projectUpdated":{'))) onEvent()
  }
}

/** Asks all questions again when something of the project has changed. A lost stream is opened again, later each time. */
export function useLive(project: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const end = new AbortController()
    let pauseMs = soonestMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let refresh: ReturnType<typeof setTimeout> | undefined
    async function follow() {
      await listen(project, end.signal, () => {
        pauseMs = soonestMs
        refresh ??= setTimeout(() => {
          refresh = undefined
          void client.invalidateQueries({}, { cancelRefetch: false })
        }, refreshEveryMs)
      }).catch(() => undefined)
      if (end.signal.aborted) return
      timer = setTimeout(follow, pauseMs)
      pauseMs = Math.min(pauseMs * 2, latestMs)
    }
    void follow()
    return () => {
      end.abort()
      clearTimeout(timer)
      clearTimeout(refresh)
    }
  }, [client, project])
}
