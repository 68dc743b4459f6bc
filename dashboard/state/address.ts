import { useLocation, useSearch } from 'wouter'
import type { ComparisonMode, Filter, Obtained, Window } from '../documents.ts'

/** All that a link to a page says, beside its path. */
export interface AddressState {
  readonly days?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** `previous_year` or `none`; absent: the previous period. */
  readonly compare?: string | undefined
  /** Names of AI platforms, with commas between them. */
  readonly platforms?: string | undefined
  /** Ids of locations, with commas between them. */
  readonly locations?: string | undefined
  readonly topics?: string | undefined
  /** `yes` or `no`; absent: all prompts. */
  readonly branded?: string | undefined
  /** How answers were obtained: `surface`, `api`, `imported`, with commas between them; absent: any way. */
  readonly how?: string | undefined
  /** For one page only, such as a search. */
  readonly [own: string]: string | undefined
}

export const defaultDays = 30
const shared = [
  'days',
  'from',
  'to',
  'compare',
  'platforms',
  'locations',
  'topics',
  'branded',
  'how',
]

function searchOf(state: AddressState): string {
  const entries = Object.entries(state).filter(([, value]) => value)
  const text = new URLSearchParams(entries as [string, string][]).toString()
  return text && `?${text}`
}

/** The page that makes a project. */
export const newProjectPath = '/new-project'
export const accountPath = '/account'

/** The path of a page, and of what it shows in detail. */
export function pathOf(project: string, page: string, ...detail: readonly string[]): string {
  return ['/projects', project, page, ...detail.map(encodeURIComponent)].join('/')
}

interface Place {
  readonly project: string | undefined
  readonly page: string | undefined
  /** What the page shows in detail, such as a URL. */
  readonly detail: string | undefined
}

/** The parts of a path. The router decodes a detail too early: it may have a slash. */
export function placeOf(path: string): Place {
  const [, , project, page, detail] = path.split('/')
  return { project, page, detail: detail && decodeURIComponent(detail) }
}

export const listOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? []

const ways: readonly Obtained[] = ['surface', 'api', 'imported']

export const waysOf = ({ how }: AddressState): Obtained[] =>
  ways.filter((way) => listOf(how).includes(way))

function filterOf(state: AddressState): Filter {
  const { platforms, locations, topics, branded } = state
  const obtained = waysOf(state)
  return {
    ...(obtained.length > 0 && { obtained }),
    ...(platforms && { platforms: listOf(platforms) }),
    ...(locations && { locationIds: listOf(locations) }),
    ...(topics && { topicIds: listOf(topics) }),
    ...(branded && { branded: branded === 'yes' }),
  }
}

const modes: readonly string[] = ['previous_period', 'previous_year'] satisfies ComparisonMode[]

/** The graph's mode of comparison; null compares with nothing. */
function compareOf(text = 'previous_period'): ComparisonMode | null {
  return modes.includes(text) ? (text as ComparisonMode) : null
}

/** What an address says of the numbers of its page. */
export interface Asked {
  readonly state: AddressState
  readonly window: Window
  readonly filter: Filter
  readonly compare: ComparisonMode | null
}

export interface Address extends Asked {
  /** The address of another page with the same date range and filters. */
  link(path: string, own?: AddressState): string
  set(change: AddressState): void
}

/** @param search the query of an address, such as `?days=90` */
export function askedOf(search: string): Asked {
  const state: AddressState = Object.fromEntries(new URLSearchParams(search))
  const { days, from, to } = state
  return {
    state,
    window: from && to ? { from, to } : { days: Number(days) || defaultDays },
    filter: filterOf(state),
    compare: compareOf(state.compare),
  }
}

export function useAddress(): Address {
  const [path, go] = useLocation()
  const asked = askedOf(useSearch())
  const { state } = asked
  const kept = Object.fromEntries(shared.map((name) => [name, state[name]]))
  return {
    ...asked,
    link: (other, own = {}) => other + searchOf({ ...kept, ...own }),
    set: (change) => go(path + searchOf({ ...state, ...change })),
  }
}
