import type { Label, LabelKind } from './labels.ts'
import { type Notes, weighed } from './ledger.ts'
import { type Line, linesOf } from './lines.ts'
import { mendedOf, type Opinion, turned } from './opinions.ts'
import { english, type ToneRules } from './rules.ts'
import type { Naming, Stretch } from './subjects.ts'

const nobody: readonly number[] = []
const nothing: Opinion = { good: 0, bad: 0, words: 0 }

const isOpinion = (opinion?: Opinion): opinion is Opinion =>
  opinion !== undefined && opinion.good + opinion.bad > 0

/** The brands that the text speaks of at a place, until it turns to something else. */
interface Topic {
  readonly brands: readonly number[]
  /** Depth of its heading; 7 for a bold line, 8 for a list item. */
  readonly level: number
  readonly indent: number
}

const noTopic: Topic = { brands: nobody, level: 9, indent: 0 }
const itemLevel = 8
/** The price and the stars of a product card. */
const card = /\$\d[\d.,]{0,20}[^()]{0,80}\(\d[\d.,k+]{0,8}\)$/
/** The places of the cells of a table's row. */
function cellsOf(text: string, start: number, end: number): [start: number, end: number][] {
  const cells: [number, number][] = []
  let from = text.indexOf('|', start) + 1
  while (from > 0 && from <= end) {
    const next = text.indexOf('|', from)
    const to = next < 0 || next > end ? end : next
    if (to > from) cells.push([from, to])
    from = to + 1
  }
  return cells
}

/** What stands around the only name of a clause is read as one: "I would not call Acme reliable". */
function aroundName(stretches: readonly Stretch[], words: string[][]): string[][] {
  const [before, after] = stretches
  const isOne = stretches.length === 2 && before?.brands.length === 0 && after?.role === 'subject'
  return isOne ? [[], words.flat()] : words
}

/** Words before a name with which a line may begin to be about the brand. */
const wordsToBegin = 4

/** Reads the clauses of an answer in order and notes what each says of the brands. */
export class Reader {
  readonly #text: string
  readonly #namings: readonly Naming[]
  readonly #notes: Notes
  readonly #rules: ToneRules
  #next = 0
  #topic = noTopic
  /** The brands of this line so far. */
  #current: readonly number[] = nobody
  #label: LabelKind = 'detail'
  /** Opinion of a title or label without a brand, for the brands that begin the lines below: "Best value". */
  #pending = nothing
  /** Whether it is a label's, which speaks of the list below it alone. */
  #isOfLabel = false
  /** The brands of the columns of a table, by their place; none where its rows are about brands. */
  #columns: readonly (readonly number[])[] = []
  /** What the clause before said, of the same sentence. */
  #last: { readonly owner: readonly number[]; readonly opinion: Opinion } | null = null

  /** @param namings in the order of the text, which has signs in their places */
  constructor(text: string, namings: readonly Naming[], notes: Notes, rules = english()) {
    this.#text = text
    this.#namings = namings
    this.#notes = notes
    this.#rules = rules
  }

  #opinionOfTitle(words: readonly string[]): Opinion {
    const opinion = this.#rules.opinions.of(words)
    const title = this.#rules.labels.titleOf(words)
    return title === undefined ? opinion : { ...opinion, ...weighed(opinion, title) }
  }

  /** What a clause concedes weighs less than its main part: "Although it is dear, it is the best". */
  #opinionOf(words: readonly string[], isConceded: boolean, isPast: boolean): Opinion {
    const found = this.#rules.opinions.of(words)
    const opinion = isPast ? turned(found) : found
    if (!isConceded) return opinion
    return { ...opinion, good: opinion.good / 2, bad: opinion.bad / 2 }
  }

  read(): void {
    let wasRow = false
    for (const line of linesOf(this.#text, this.#rules.labels)) {
      this.#openLine(line)
      if (!line.isRow) this.#columns = []
      else if (!wasRow) this.#columns = this.#columnsOf(line)
      wasRow = line.isRow
      this.#last = null
      if (line.isRow && this.#columns.length > 0) {
        this.#cells(line)
        continue
      }
      let isFirst = true
      for (const [start, end] of this.#rules.clauses.of(this.#text, line)) {
        this.#clause(line, start, end, isFirst)
        isFirst = false
      }
    }
  }

  /** The brands that the head of a table names in its columns, but for the first: "| | Acme | Bolt |". */
  #columnsOf({ start, end }: Line): (readonly number[])[] {
    const namings = this.#namings.filter((naming) => naming.start >= start && naming.start < end)
    const columns = cellsOf(this.#text, start, end).map(([from, to]) => {
      const named = namings.filter((naming) => naming.start >= from && naming.start < to)
      return [...new Set(named.map(({ brand }) => brand))]
    })
    const isOfBrands =
      columns[0]?.length === 0 && columns.filter((it) => it.length === 1).length > 1
    return isOfBrands ? columns : []
  }

  /** A row under columns of brands: each cell is about the brand of its column, the first is a label. */
  #cells(line: Line): void {
    for (const [index, [start, end]] of cellsOf(this.#text, line.start, line.end).entries()) {
      this.#namingsUntil(end)
      const text = this.#text.slice(start, end)
      const words = this.#rules.wordsOf(text)
      if (index === 0) {
        const kind = this.#rules.labels.of(`${text.replaceAll('*', '').trim()}:`)?.kind
        this.#label = kind === undefined || kind === 'unknown' ? 'detail' : kind
        continue
      }
      this.#notes.at(start, end)
      this.#notes.add(this.#columns[index] ?? nobody, this.#rules.opinions.of(words), this.#label)
    }
    this.#label = 'detail'
  }

  #openLine(line: Line): void {
    const { level } = this.#topic
    const isOver =
      line.isRule ||
      line.isRow ||
      (line.level > 0 && line.level <= level) ||
      (level === itemLevel && line.indent <= this.#topic.indent && line.isItem)
    if (isOver) {
      this.#topic = noTopic
      this.#label = 'detail'
    }
    if (line.isRule || (this.#isOfLabel && !line.isItem)) this.#pending = nothing
    this.#isOfLabel &&= line.isItem
    this.#current = this.#topic.brands
  }

  #namingsUntil(end: number): Naming[] {
    const found: Naming[] = []
    for (let naming = this.#namings[this.#next]; naming && naming.start < end; ) {
      found.push(naming)
      naming = this.#namings[++this.#next]
    }
    return found
  }

  #clause(line: Line, start: number, end: number, isFirst: boolean): void {
    const namings = this.#namingsUntil(end)
    this.#notes.at(start, end)
    const label = this.#rules.labels.of(this.#text.slice(start, end))
    const isOfNobody = namings.length === 0 && this.#current.length === 0 && line.level === 0
    if (isOfNobody && (label === null || this.#titleOf(label, start) === undefined)) return
    const isName = namings[0] !== undefined && namings[0].start < start + (label?.length ?? 0)
    let from = start
    if (label !== null && isName) this.#label = 'detail'
    if (label !== null && !isName) from = this.#takeLabel(label, start)
    if (card.test(this.#text.slice(start, end))) {
      this.#current = this.#topic.brands
      return
    }
    const stretches = this.#withoutGuests(
      line,
      from,
      this.#rules.subjects.of(this.#text, from, end, namings),
    )
    const words = stretches.map((one) => this.#rules.wordsOf(this.#text.slice(one.start, one.end)))
    if (this.#rules.labels.beginsSection(words[0] ?? [])) this.#leave()
    const isFree = this.#topic === noTopic && namings.length === 0 && from === start
    if (isFree && !this.#rules.labels.goesOn(this.#text.slice(start, end), words[0] ?? []))
      this.#current = nobody
    const opens = stretches.find(({ role, brands }) => role === 'subject' && brands.length > 0)
    const lead = words[0]?.length ?? 0
    if (opens && isFirst && !line.isRow && lead <= wordsToBegin) this.#beginTopic(line, opens)
    else if (line.level > 0 && isFirst && !opens && from === start && this.#topic === noTopic) {
      this.#pending = this.#opinionOfTitle(words[0] ?? [])
    }
    const clause = this.#text.slice(start, end)
    const isConceded =
      this.#rules.clauses.concededLength(clause) === end - start ||
      (opens === undefined && this.#rules.clauses.isConcession(clause))
    const isPast = words.some((each) => this.#rules.opinions.isPast(each))
    const isDismissed = words.some((each) => this.#rules.opinions.dismisses(each))
    const isMended = words.some((each) => this.#rules.opinions.isMended(each))
    const opinions = aroundName(stretches, words)
      .map((each) => this.#opinionOf(each, isConceded, isPast))
      .map((each) => (isMended ? mendedOf(each) : each))
      .map((each) => (isDismissed ? { ...each, bad: 0 } : each))
    const isTurn = this.#rules.clauses.isTurn(clause)
    if (isTurn && isDismissed) this.#takeBack(0)
    else if (isTurn && isMended) this.#takeBack(1)
    this.#enter(stretches, opinions, isTurn)
  }

  /**
   * What the clause before blames counts no more: "Some call it slow, but wrongly".
   * @param mended the part of it that is mended, which is praise: "It was slow, but that has been fixed"
   */
  #takeBack(mended: number): void {
    if (this.#last === null) return
    const { owner, opinion } = this.#last
    const { good } = mendedOf({ ...opinion, good: 0 })
    this.#notes.add(owner, { ...opinion, good: mended * good, bad: -opinion.bad }, 'detail')
    this.#last = null
  }

  /** Within the part of one brand, or under a label, other names do not take over: "Pros: works with Bolt". */
  #withoutGuests(line: Line, from: number, stretches: Stretch[]): Stretch[] {
    const isHosted = this.#topic.brands.length > 0 ? line.level === 0 : this.#label !== 'detail'
    if (!isHosted || this.#current === nobody) return stretches
    return stretches.map((one) => {
      const lead = this.#rules.wordsOf(this.#text.slice(from, one.start)).length
      const isGuest = one.role === 'subject' && one.brands.length > 0 && lead > 0
      return isGuest ? { ...one, role: 'aside' as const } : one
    })
  }

  #titleOf({ length }: Label, start: number) {
    return this.#rules.labels.titleOf(this.#rules.wordsOf(this.#text.slice(start, start + length)))
  }

  /** @returns where the clause goes on */
  #takeLabel(label: Label, start: number): number {
    const words = this.#rules.wordsOf(this.#text.slice(start, start + label.length))
    if (this.#current.length === 0 && this.#rules.labels.titleOf(words) !== undefined) {
      this.#pending = this.#opinionOfTitle(words)
      this.#isOfLabel = true
      return start + label.length
    }
    if (label.kind !== 'unknown') {
      this.#label = label.kind
      return start + label.length
    }
    this.#label = 'detail'
    const { good, bad } = this.#rules.opinions.of(words)
    // A label without an opinion is somebody else's name, but under a title an attribute.
    if (good + bad === 0 && this.#topic === noTopic) this.#current = nobody
    return start
  }

  #leave(): void {
    this.#topic = noTopic
    this.#current = nobody
    this.#label = 'detail'
    this.#pending = nothing
  }

  #beginTopic(line: Line, { brands }: Stretch): void {
    this.#label = 'detail'
    const level = line.level > 0 ? line.level : itemLevel
    if (line.level > 0 || line.isItem) this.#topic = { brands, level, indent: line.indent }
    if (this.#pending.good + this.#pending.bad > 0) this.#notes.add(brands, this.#pending, 'detail')
  }

  #enter(stretches: readonly Stretch[], opinions: readonly Opinion[], isTurn: boolean): void {
    const isOfOpinion = opinions.some(isOpinion)
    const first = stretches.findIndex(({ role, brands }) => role === 'subject' && brands.length > 0)
    const example = stretches.find(({ role }) => role === 'example')?.brands
    let owner = this.#current
    // "Customers complain about support at Acme": nobody else can be meant.
    if (owner.length === 0 && first < 0 && isOfOpinion) owner = example ?? nobody
    // What stands before the first subject is about it: "Best overall: Acme".
    if (first >= 0 && (stretches[0]?.brands.length === 0 || first > 0)) {
      owner = stretches[first]?.brands ?? nobody
    }
    // "Cheap, but it breaks": the first half weighs less than the second.
    const last = isTurn && this.#label === 'detail' ? this.#last : null
    if (last && isOfOpinion && first < 0 && last.owner === owner) {
      const { good, bad, words } = last.opinion
      this.#notes.add(owner, { good: -good / 2, bad: -bad / 2, words }, 'detail')
    }
    for (const [at, { brands, role }] of stretches.entries()) {
      const opinion = opinions[at] ?? nothing
      if (brands.length > 0 && role === 'subject') {
        owner = brands
        this.#current = brands
      }
      if (role === 'compared') this.#compare(stretches, opinions, at)
      this.#notes.add(owner, opinion, this.#label)
      this.#last = { owner, opinion }
    }
  }

  /** "Lags behind Acme": the blame stands before the name, or after it when the comparison opens the clause. */
  #compare(stretches: readonly Stretch[], opinions: readonly Opinion[], at: number): void {
    const { brands = nobody, isOutdone = false } = stretches[at] ?? {}
    // "I recommend Bolt over Acme": the praise stands before both.
    const isLead = at === 2 && stretches[0]?.brands.length === 0
    const before = [opinions[at - 1], isLead ? opinions[0] : nothing].find(isOpinion) ?? nothing
    const isBefore = isOpinion(before)
    const opinion = isBefore ? before : (opinions[at + 1] ?? nothing)
    const bad = this.#label === 'blame' ? Math.max(1, opinion.bad) : opinion.bad
    const winners = stretches[isBefore ? at - 1 : at + 1]?.brands ?? nobody
    // A brand is not outdone by its own newer product.
    const isOther = !brands.some((brand) => winners.includes(brand))
    this.#notes.compare(brands, { ...opinion, bad }, isOutdone && isOther)
  }
}
