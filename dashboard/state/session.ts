import { useSyncExternalStore } from 'react'

/** What the service says of the browser in the page itself. */
const says = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content === 'yes'

/** Whether the page offers the sign-in of the organisation. */
export const hasOrganisation = () => says('organisation')

/** Whether the service mails links for new passwords. */
export const hasMail = () => says('mail')

/** `ending` while the service ends the session. */
type State = 'in' | 'out' | 'ending'

let state: State = says('session') ? 'in' : 'out'
const listeners = new Set<() => void>()
/** The other tabs of the browser, which share its session. */
const tabs = new BroadcastChannel('sightline-session')

function set(next: State): void {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

tabs.addEventListener('message', ({ data }) => set(data === 'in' ? 'in' : 'out'))

/** What the service answers instead of a session. */
export class SignInError extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

interface Problem {
  readonly code?: string
  readonly message?: string
}

/**
 * Sends what begins or ends a session.
 * @throws {SignInError}
 */
export function post<R>(path: string, body: object = {}, key?: string): Promise<R> {
  return exchange(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
}

/**
 * Asks for what the service knows of the browser.
 * @throws {SignInError}
 */
export const get = <R>(path: string): Promise<R> =>
  exchange(path, { headers: { Accept: 'application/json' } })

async function exchange<R>(path: string, sent: RequestInit): Promise<R> {
  const response = await fetch(path, sent)
  const text = await response.text()
  const answer = text ? (JSON.parse(text) as R & Problem) : ({} as R & Problem)
  if (response.ok) return answer
  throw new SignInError(answer.message ?? response.statusText, answer.code ?? '')
}

/** The browser has a session now, in each of its tabs. */
export function signedIn(): void {
  tabs.postMessage('in')
  set('in')
}

/** The service knows no session of the browser any more. */
export function signedOut(): void {
  set('out')
}

/** Begins a session that may do what a key may. */
export async function signInByKey(key: string): Promise<void> {
  await post('/sign-in/key', {}, key)
  signedIn()
}

/** Ends the session of the browser. */
export async function signOut(): Promise<void> {
  set('ending')
  // The page goes first and gives up its questions: none of them may reach the service after the session.
  await new Promise((resolve) => setTimeout(resolve))
  try {
    await post('/sign-out')
    tabs.postMessage('out')
    set('out')
  } catch {
    set('in')
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the browser has a session, as far as it knows. */
export const isSignedIn = (): boolean => state === 'in'

export const useSession = (): State => useSyncExternalStore(subscribe, () => state)

/**
 * Takes `#code=…` or `#key=sgl_…` out of the address before anything else sees it, and signs in.
 * @returns false for a code or a key that the service refused
 */
export async function readAddress(): Promise<boolean> {
  const [, kind, value = ''] = /^#(key|code)=([0-9A-Za-z_-]+)$/.exec(location.hash) ?? []
  if (!kind) return true
  history.replaceState(null, '', location.pathname + location.search)
  try {
    const key =
      kind === 'key'
        ? value
        : (await post<{ key: string | null }>('/page-key', { code: value })).key
    if (key === null) signedIn()
    else await signInByKey(key)
    return true
  } catch (error) {
    if (error instanceof SignInError) return false
    throw error
  }
}
