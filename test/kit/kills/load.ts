import { setTimeout as sleep } from 'node:timers/promises'
import { plainFetch } from '../rest/checked-fetch.ts'
import { sendHits } from '../tracker/service.ts'
import { type Ledger, makeLedger, type WriteKind, writeKinds } from './ledger.ts'
import type { Place } from './place.ts'

/** Each client has a key of its own, which may ask 600 times a minute. */
const pauseMs = 110
/** A busy machine may take a minute to start what was killed, and another part is killed meanwhile. */
const patienceMs = 240_000

export interface Load {
  readonly ledgers: Readonly<Record<WriteKind, Ledger>>
  readonly reads: { right: number; refused: number; unanswered: number }
  /** Numbers that differ, with what was expected. */
  readonly wrongReads: string[]
  /** Answers to writes that are neither an acknowledgement nor a reason to retry. */
  readonly surprises: string[]
  /** Resolves when each write that was begun has its answer. */
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** Undefined when there was no answer, or half of one. */
async function ask(url: string, init: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await plainFetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
    return { status: response.status, headers: response.headers, body: await response.json() }
  } catch {
    return undefined
  }
}

interface GraphBody {
  readonly data?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null
  readonly errors?: readonly {
    readonly extensions: { readonly code: string; readonly retryable?: boolean }
  }[]
}

/** What an answer to a write means: the id that it gives, "again", or undefined for a surprise. */
type Reading = (answer: Answer) => string | undefined

const again = 'again'

/** REST: `idOf` reads the answer of a success. */
const byRest =
  (idOf: (body: never) => string | undefined): Reading =>
  ({ status, body }) => {
    if (status < 300) return idOf(body as never)
    return (body as { retryable?: boolean }).retryable ? again : undefined
  }

/** GraphQL: `idOf` reads the result of the only field. */
const byGraph =
  (idOf: (result: never) => string | undefined): Reading =>
  ({ body }) => {
    const { data, errors } = body as GraphBody
    if (errors) return errors.every(({ extensions }) => extensions.retryable) ? again : undefined
    // While the API is away, what holds its port answers with a problem.
    const result = data ? Object.values(data)[0] : (body as { retryable?: boolean })
    if (!result) return undefined
    return result.retryable === true ? again : idOf(result as never)
  }

interface Write {
  readonly kind: WriteKind
  /** What makes it the only one: it is the idempotency key too. */
  readonly text: string
  readonly path: string
  readonly body: object
  readonly read: Reading
  /** What is noted of it; default its text alone. */
  readonly notes?: readonly string[]
}

const problem = '... on Problem { code message retryable }'

function graphWrite(
  kind: WriteKind,
  text: string,
  query: string,
  variables: object,
  idOf: (result: never) => string | undefined,
): Write {
  return { kind, text, path: '/graphql', body: { query, variables }, read: byGraph(idOf) }
}

interface OnePrompt {
  readonly prompts?: readonly { readonly id: string }[]
}

const firstPrompt = ({ prompts }: OnePrompt) => prompts?.[0]?.id

/** How each kind of write looks. */
function writesOf({
  projectId,
}: Place): Record<Exclude<WriteKind, 'events'>, (at: number) => Write> {
  const $p = projectId
  const place = `/api/mcp/projects/${projectId}`
  return {
    restPrompts: (at) => {
      const text = `rest prompt ${at}?`
      return {
        kind: 'restPrompts',
        text,
        path: `${place}/prompts`,
        body: { prompts: [{ text }] },
        read: byRest(firstPrompt),
      }
    },
    restReports: (at) => {
      const text = `report ${at}`
      const body = { reportType: 'visibility', title: text, from: '2025-05-01', to: '2025-05-31' }
      const read = byRest(({ report }: { report?: { id: string } }) => report?.id)
      return { kind: 'restReports', text, path: `${place}/reports`, body, read }
    },
    graphPrompts: (at) => {
      const text = `graph prompt ${at}?`
      const query = `mutation ($p: ID!, $text: String!) { addPrompts(projectId: $p, prompts: [{ text: $text }]) { ... on PromptAddition { prompts { id } } ${problem} } }`
      return graphWrite('graphPrompts', text, query, { p: $p, text }, firstPrompt)
    },
    graphTopics: (at) => {
      const text = `topic ${at}`
      const query = `mutation ($p: ID!, $name: String!) { addTopic(projectId: $p, name: $name) { ... on ProjectChange { subjectId } ${problem} } }`
      return graphWrite(
        'graphTopics',
        text,
        query,
        { p: $p, name: text },
        ({ subjectId }: { subjectId?: string }) => subjectId,
      )
    },
    imports: (at) => {
      const notes = [0, 1, 2].map((line) => `imported ${at}.${line}?`)
      const line = {
        platform: 'chatgpt',
        collectedAt: '2025-05-10T12:00:00Z',
        text: 'Acme is best.',
      }
      const lines = notes.map((prompt) => JSON.stringify({ ...line, prompt })).join('\n')
      const query = `mutation ($p: ID!, $lines: String!) { importAnswers(projectId: $p, lines: $lines) { ... on ImportResult { loaded skipped } ${problem} } }`
      const isWhole = ({ loaded, skipped }: { loaded?: number; skipped?: number }) =>
        Number(loaded) + Number(skipped) === 3 ? '' : undefined
      return { ...graphWrite('imports', `import ${at}`, query, { p: $p, lines }, isWhole), notes }
    },
  }
}

/** Writes and reads at both doors, and events to the tracker, until it is stopped. */
export function startLoad(place: Place): Load {
  const { url, trackerUrl, keys, sender } = place
  const ledgers = Object.fromEntries(writeKinds.map((kind) => [kind, makeLedger()])) as Record<
    WriteKind,
    Ledger
  >
  const reads = { right: 0, refused: 0, unanswered: 0 }
  const wrongReads: string[] = []
  const surprises: string[] = []
  let isStopped = false
  const freeKeys = [...keys]
  const keyOfClient = () => {
    const key = freeKeys.pop()
    if (key === undefined) throw new Error('Each client needs a key of its own.')
    return key
  }

  /** Sends a write until it has an answer: whatever is lost, its repetition finds. */
  async function write(key: string, { kind, text, path, body, read, notes = [text] }: Write) {
    const ledger = ledgers[kind]
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // An import needs no key: a repetition skips what is there.
      ...(kind === 'imports' ? {} : { 'idempotency-key': text }),
    }
    const began = performance.now()
    for (const note of notes) ledger.unknown.add(note)
    for (;;) {
      const answer = await ask(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const meaning = answer ? read(answer) : again
      if (meaning === undefined) {
        surprises.push(`${kind} ${text}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
        return
      }
      if (meaning !== again) {
        if (answer?.headers.get('x-idempotent-replay') === 'true') ledger.replayed++
        for (const note of notes) {
          ledger.unknown.delete(note)
          ledger.acknowledged.set(note, meaning)
        }
        return
      }
      ledger.retries++
      if (performance.now() - began > patienceMs) {
        ledger.givenUp++
        return
      }
      await sleep(2 * pauseMs)
    }
  }

  async function writer(make: (at: number) => Write): Promise<void> {
    const key = keyOfClient()
    for (let at = 0; !isStopped; at++) {
      await write(key, make(at))
      await sleep(pauseMs)
    }
  }

  /** An event is sent once: the tracker has no word for a repetition. */
  async function tracked(client: number): Promise<void> {
    const { acknowledged, unknown } = ledgers.events
    for (let at = 0; !isStopped; at++) {
      const paths = [0, 1, 2].map((event) => `/${client}-${at}-${event}`)
      for (const path of paths) unknown.add(path)
      const status = await sendHits(trackerUrl, sender, paths).catch(() => 0)
      if (status !== 0) for (const path of paths) unknown.delete(path)
      if (status === 202) for (const path of paths) acknowledged.set(path, '')
      await sleep(pauseMs / 2)
    }
  }

  async function reader({
    path,
    init,
    numbersOf,
    expected,
  }: Place['reads'][number]): Promise<void> {
    const authorization = `Bearer ${keyOfClient()}`
    while (!isStopped) {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await ask(url + path, { ...init, headers })
      const numbers = answer && JSON.stringify(numbersOf(answer.body as never))
      if (answer === undefined) reads.unanswered++
      else if (numbers === expected) reads.right++
      else if (isRefusal(answer)) reads.refused++
      else wrongReads.push(`${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`)
      await sleep(pauseMs)
    }
  }

  const clients = [
    ...Object.values(writesOf(place)).map(writer),
    ...[0, 1].map(tracked),
    ...place.reads.map(reader),
  ]
  return {
    ledgers,
    reads,
    wrongReads,
    surprises,
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

/** Whether an answer says that the service cannot answer now. */
function isRefusal({ status, body }: Answer): boolean {
  const { errors = [] } = body as GraphBody
  if (errors.length > 0) return errors.every(({ extensions }) => extensions.retryable)
  return [502, 503, 504].includes(status) && (body as { retryable?: boolean }).retryable === true
}
