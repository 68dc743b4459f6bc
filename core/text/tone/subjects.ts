import lexicon from '../../data/tone-lexicon.json' with { type: 'json' }

/** A name in the answer, with the index of its brand. `end` includes the words of a product after the name. */
export interface Naming {
  readonly brand: number
  readonly start: number
  readonly end: number
}

/** What names are in a clause: spoken of, compared with, examples ("stores like Acme"), or aside ("works with Acme"). */
type Role = 'subject' | 'compared' | 'example' | 'aside'

/** A stretch of a clause, from the names that it speaks of to the next. */
export interface Stretch {
  /** Empty before the first name. */
  readonly brands: readonly number[]
  readonly role: Role
  readonly start: number
  readonly end: number
}

const oneOf = (phrases: readonly string[]) =>
  phrases.map((it) => it.replaceAll('.', '\\.')).join('|')
const determiner = String.raw`(?:\s{1,3}(?:the|a|an|on|in|those of|most|other|some|its|their|our|your))?`
const compared = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${oneOf(lexicon.comparisons)})${determiner}[\s*_[("“]{0,6}$`,
  'iu',
)
const example = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${oneOf(lexicon.examples)})${determiner}[\s*_[("“:]{0,6}$`,
  'iu',
)
const aside = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${oneOf(lexicon.asides)})${determiner}[\s*_[("“:]{0,6}$`,
  'iu',
)
/** Before a name they speak of it, though they end as an aside does: "problems with Acme". */
const subject = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${oneOf(lexicon.subjects)})${determiner}[\s*_[("“]{0,6}$`,
  'iu',
)
/** Between two names of one list: "Acme, Bolt and Cora". */
const joint = /^[\s,&+/*_|()[\]’']{0,12}(?:(?:and|or|and\/or)[\s*_[\]("“]{1,6})?(?:the\s)?$/i

const lookBack = 40
/** Characters within which a comparison opens a clause: "Compared with the". */
const opening = 18

function roleOf(text: string, from: number, { start }: Naming): Role {
  const before = text.slice(Math.max(from, start - lookBack), start)
  if (compared.test(before)) return 'compared'
  if (example.test(before)) return 'example'
  if (subject.test(before)) return 'subject'
  return aside.test(before) ? 'aside' : 'subject'
}

/**
 * Parts a clause at the brands that it names. Names of one list share a stretch.
 * @param text the answer with signs in the place of names
 */
export function stretchesOf(
  text: string,
  start: number,
  end: number,
  namings: readonly Naming[],
): Stretch[] {
  const stretches: Stretch[] = []
  let from = start
  let last: { brands: number[]; role: Role; start: number; end: number } | null = null
  for (const naming of namings) {
    // "Unlike Acme, Bolt is easy": the comparison opens the clause, and the comma closes it.
    const isOver = last?.role === 'compared' && last.start - start < opening
    if (last && !isOver && joint.test(text.slice(last.end, naming.start))) {
      last.brands.push(naming.brand)
      last.end = naming.end
      continue
    }
    stretches.push({
      brands: last?.brands ?? [],
      role: last?.role ?? 'subject',
      start: from,
      end: naming.start,
    })
    from = naming.start
    last = {
      brands: [naming.brand],
      role: roleOf(text, start, naming),
      start: naming.start,
      end: naming.end,
    }
  }
  stretches.push({ brands: last?.brands ?? [], role: last?.role ?? 'subject', start: from, end })
  return stretches
}
