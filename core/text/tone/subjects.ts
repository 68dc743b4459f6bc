import type { Lexicon } from './lexicon.ts'

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
  /** Whether praise of the brand before blames these: "faster than Acme". */
  readonly isOutdone: boolean
  readonly start: number
  readonly end: number
}

const isSubject = ({ role, brands }: { readonly role: Role; readonly brands: readonly number[] }) =>
  role === 'subject' && brands.length > 0

/** "Acme's": the name owns something. */
const genitive = /^['’]s(?![\p{L}\p{N}])/u
const lookBack = 40
/** Characters within which a comparison opens a clause: "Compared with the". */
const opening = 24

/** Distinguishes what the names of a clause are for, in one language. */
export class Subjects {
  readonly #compared: RegExp
  readonly #outdone: RegExp
  readonly #example: RegExp
  readonly #aside: RegExp
  /** Before a name they speak of it, though they end as an aside does: "problems with Acme". */
  readonly #subject: RegExp
  /** Before a name that only owns what the subject is compared to or uses: "uses the network of Acme". */
  readonly #owner: RegExp
  /** Between two names of one list: "Acme, Bolt and Cora". */
  readonly #joint: RegExp

  constructor(lexicon: Lexicon) {
    const { comparisons, outdone, examples, asides, subjects, owners, determiners, joints } =
      lexicon
    const optional = String.raw`(?:\s{1,3}(?:${determiners.join('|')}))?`
    const before = (phrases: readonly string[], signs: string) =>
      new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?:${phrases.join('|')})${optional}[\s*_[("“„«'’${signs}]{0,6}$`,
        'iu',
      )
    this.#compared = before(comparisons, '')
    this.#outdone = before(outdone, '')
    this.#example = before(examples, ':')
    this.#aside = before(asides, ':')
    this.#subject = before(subjects, '')
    this.#owner = before(owners, '')
    this.#joint = new RegExp(
      String.raw`^[\s,&+/*_|()[\]’]{0,12}(?:(?:${joints.join('|')})[\s*_[\]("“]{1,6})?(?:(?:${determiners.join('|')})\s)?$`,
      'i',
    )
  }

  #roleOf(text: string, from: number, { start, end }: Naming, isSecond: boolean): Role {
    const before = text.slice(Math.max(from, start - lookBack), start)
    if (this.#compared.test(before)) return 'compared'
    if (this.#example.test(before)) return 'example'
    if (this.#subject.test(before)) return 'subject'
    if (isSecond && (this.#owner.test(before) || genitive.test(text.slice(end, end + 3))))
      return 'aside'
    return this.#aside.test(before) ? 'aside' : 'subject'
  }

  /**
   * Parts a clause at the brands that it names. Names of one list share a stretch.
   * @param text the answer with signs in the place of names
   */
  of(text: string, start: number, end: number, namings: readonly Naming[]): Stretch[] {
    const stretches: Stretch[] = []
    let from = start
    let last: {
      brands: number[]
      role: Role
      isOutdone: boolean
      start: number
      end: number
    } | null = null
    for (const naming of namings) {
      // "Unlike Acme, Bolt is easy": the comparison opens the clause, and the comma closes it.
      const isOver = last?.role === 'compared' && last.start - start < opening
      if (last && !isOver && this.#joint.test(text.slice(last.end, naming.start))) {
        last.brands.push(naming.brand)
        last.end = naming.end
        continue
      }
      stretches.push({
        brands: last?.brands ?? [],
        role: last?.role ?? 'subject',
        isOutdone: last?.isOutdone ?? false,
        start: from,
        end: naming.start,
      })
      from = naming.start
      const role = this.#roleOf(
        text,
        start,
        naming,
        stretches.some(isSubject) || (last !== null && isSubject(last)),
      )
      const before = text.slice(Math.max(start, naming.start - lookBack), naming.start)
      last = {
        brands: [naming.brand],
        role,
        isOutdone: role === 'compared' && this.#outdone.test(before),
        start: naming.start,
        end: naming.end,
      }
    }
    stretches.push({
      brands: last?.brands ?? [],
      role: last?.role ?? 'subject',
      isOutdone: last?.isOutdone ?? false,
      start: from,
      end,
    })
    return stretches
  }
}
