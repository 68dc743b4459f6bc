import { folded } from '../document/text.ts'
import { mostEntries } from './finding.ts'
import type { ReadContext } from './site-context.ts'
import type { Tally } from './tally.ts'

/** Other indexable pages with the same text, in the order of the audit. */
export interface Duplicates {
  /** With the same title and another main part. */
  readonly titles: Tally
  /** With the same description and another main part. */
  readonly descriptions: Tally
  /** With the same main part, of 40 words or more. */
  readonly mains: Tally
}

interface Member {
  readonly url: string
  /** The main part, null where it is too short to be compared. */
  readonly main: string | null
}

/** The pages of one text. */
interface Group {
  n: number
  /** Pages by main part. */
  readonly byMain: Map<string, number>
  /** The first pages of each main part: enough for the evidence of any page. */
  readonly first: Member[]
}

/** Pages by a text. Pages without the text are in no group. */
function createGroups() {
  const groups = new Map<string, Group>()
  const sizeOf = ({ byMain }: Group, { main }: Member) =>
    main === null ? 0 : (byMain.get(main) ?? 0)
  return {
    add(text: string | null, member: Member): void {
      if (text === null) return
      const group: Group = groups.get(text) ?? { n: 0, byMain: new Map(), first: [] }
      groups.set(text, group)
      group.n++
      const size = sizeOf(group, member) + 1
      if (member.main !== null) group.byMain.set(member.main, size)
      if (size <= mostEntries + 1) group.first.push(member)
    },
    /** Pages of the same text other than one. Copies have the same main part too. */
    others(text: string | null, member: Member, withCopies: boolean): Tally {
      const group = groups.get(text ?? '')
      if (text === null || group === undefined) return { n: 0, first: [] }
      const left = withCopies ? 1 : Math.max(1, sizeOf(group, member))
      const first: string[] = []
      for (const { url, main } of group.first) {
        if (first.length === mostEntries) break
        const isCopy = main !== null && main === member.main
        if (url !== member.url && (withCopies || !isCopy)) first.push(url)
      }
      return { n: group.n - left, first }
    },
  }
}

const memberOf = ({ page: { url }, document: { mainWords, mainKey } }: ReadContext): Member => ({
  url,
  main: mainWords < 40 ? null : mainKey,
})
const titleOf = ({ document: { title } }: ReadContext) => title && folded(title)
const descriptionOf = ({ document: { description } }: ReadContext) =>
  description && folded(description)

/** Compares the indexable pages of an audit. Ask for no duplicates before all pages are added. */
export function createComparison() {
  const titles = createGroups()
  const descriptions = createGroups()
  const mains = createGroups()
  return {
    add(page: ReadContext): void {
      const member = memberOf(page)
      titles.add(titleOf(page), member)
      descriptions.add(descriptionOf(page), member)
      mains.add(member.main, member)
    },
    duplicates(page: ReadContext): Duplicates {
      const member = memberOf(page)
      return {
        titles: titles.others(titleOf(page), member, false),
        descriptions: descriptions.others(descriptionOf(page), member, false),
        mains: mains.others(member.main, member, true),
      }
    },
  }
}
