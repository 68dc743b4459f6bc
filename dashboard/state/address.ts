import { useLocation, useSearch } from 'wouter'
import type { Filter, Window } from '../documents.ts'

/** All that a link to a page says, beside its path. */
export interface AddressState {
  readonly days?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly assistant?: string | undefined
  /** For one page alone, such as a search. */
  readonly [own: string]: string | undefined
}

export const defaultDays = 30
const shared = ['days', 'from', 'to', 'assistant']

function searchOf(state: AddressState): string {
  const entries = Object.entries(state).filter(([, value]) => value)
  const text = new URLSearchParams(entries as [string, string][]).toString()
  return text && `?${text}`
}

/** The page that makes a project. */
export const newProjectPath = '/new-project'

/** The path of a page, and of what it shows in detail. */
export function pathOf(project: string, page: string, ...detail: readonly string[]): string {
  return ['/projects', project, page, ...detail.map(encodeURIComponent)].join('/')
}

export interface Address {
  readonly state: AddressState
  readonly window: Window
  readonly filter: Filter
  /** The address of another page with the same window and assistant. */
  link(path: string, own?: AddressState): string
  set(change: AddressState): void
}

export function useAddress(): Address {
  const [path, go] = useLocation()
  const state: AddressState = Object.fromEntries(new URLSearchParams(useSearch()))
  const { days, from, to, assistant } = state
  const kept = Object.fromEntries(shared.map((name) => [name, state[name]]))
  return {
    state,
    window: from && to ? { from, to } : { days: Number(days) || defaultDays },
    filter: assistant ? { platforms: [assistant] } : {},
    link: (other, own = {}) => other + searchOf({ ...kept, ...own }),
    set: (change) => go(path + searchOf({ ...state, ...change })),
  }
}
