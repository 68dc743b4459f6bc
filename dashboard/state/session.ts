import { useSyncExternalStore } from 'react'

/** Stands for the key of a session by the organisation: the browser sends the key in a cookie that no script reads. */
export const cookieKey = 'cookie'

/** Whether the page offers the sign-in of the organisation. */
export const hasOrganisation = () =>
  document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content === 'organisation'

const hasCookie = () => hasOrganisation() && document.cookie.includes('sightline-signed-in=1')

/** The name under which GraphiQL and the reference keep their key too. */
const kept = 'sightline-key'
/** True while the service ends a session by the organisation. */
let isEnding = false
const listeners = new Set<() => void>()

export function currentKey(): string | null {
  return sessionStorage.getItem(kept) ?? (hasCookie() ? cookieKey : null)
}

function changed(): void {
  for (const listener of listeners) listener()
}

export function signIn(key: string): void {
  sessionStorage.setItem(kept, key)
  changed()
}

/** Forgets the key of this tab, and ends a session by the organisation. */
export async function signOut(): Promise<void> {
  sessionStorage.removeItem(kept)
  isEnding = hasCookie()
  changed()
  if (!isEnding) return
  // The page goes first and gives up its questions: none of them may reach the service after the session.
  await new Promise((resolve) => setTimeout(resolve))
  try {
    await fetch('/sign-out', { method: 'POST' })
  } finally {
    isEnding = false
    changed()
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The key of this tab; null before the sign-in. */
export const useKey = (): string | null => useSyncExternalStore(subscribe, currentKey)

/** True while the service ends the session. */
export const useEnding = (): boolean => useSyncExternalStore(subscribe, () => isEnding)

/**
 * Takes `#code=…` or `#key=sgl_…` out of the address before anything else sees it, and keeps the key.
 * @returns false for a code that the service refused
 */
export async function readAddress(): Promise<boolean> {
  const [, kind, value = ''] = /^#(key|code)=([0-9A-Za-z_-]+)$/.exec(location.hash) ?? []
  if (!kind) return true
  history.replaceState(null, '', location.pathname + location.search)
  if (kind === 'key') {
    sessionStorage.setItem(kept, value)
    return true
  }
  const answer = await fetch('/page-key', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: value }),
  })
  if (!answer.ok) return false
  const { key } = (await answer.json()) as { key: string }
  sessionStorage.setItem(kept, key)
  return true
}
