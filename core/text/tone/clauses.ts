import { beginsSection, goesOn, type Label, type LabelKind, labelOf, titleOf } from './labels.ts'
import { type Notes, weighed } from './ledger.ts'
import { clausesOf, concededLength, type Line, linesOf } from './lines.ts'
import { type Opinion, opinionOf, wordsOf } from './opinions.ts'
import { type Naming, type Stretch, stretchesOf } from './subjects.ts'

const nobody: readonly number[] = []
const nothing: Opinion = { good: 0, bad: 0, words: 0 }

function opinionOfTitle(words: readonly string[]): Opinion {
  const opinion = opinionOf(words)
  const title = titleOf(words)
  return title === undefined ? opinion : { ...opinion, ...weighed(opinion, title) }
}

/** What a clause concedes weighs less than its main part: "Although it is dear, it is the best". */
function concededOpinionOf(words: readonly string[]): Opinion {
  const opinion = opinionOf(words)
  return { ...opinion, good: opinion.good / 2, bad: opinion.bad / 2 }
}

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
/** Words before a name with which a line may begin to be about the brand. */
const wordsToBegin = 4

/** Reads the clauses of an answer in order and notes what each says of the brands. */
export class Reader {
  readonly #text: string
  readonly #namings: readonly Naming[]
  readonly #notes: Notes
  #next = 0
  #topic = noTopic
  /** The brands of this line so far. */
  #current: readonly number[] = nobody
  #label: LabelKind = 'detail'
  /** Opinion of a title or label without a brand, for the brands that begin the lines below: "Best value". */
  #pending = nothing
  /** Whether it is a label's, which speaks of the list below it alone. */
  #isOfLabel = false

  /** @param namings in the order of the text, which has signs in their places */
  constructor(text: string, namings: readonly Naming[], notes: Notes) {
    this.#text = text
    this.#namings = namings
    this.#notes = notes
  }

  read(): void {
    for (const line of linesOf(this.#text)) {
      this.#openLine(line)
      let isFirst = true
      for (const [start, end] of clausesOf(this.#text, line)) {
        this.#clause(line, start, end, isFirst)
        isFirst = false
      }
    }
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
    const label = labelOf(this.#text.slice(start, end))
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
    const stretches = this.#withoutGuests(line, from, stretchesOf(this.#text, from, end, namings))
    const words = stretches.map((one) => wordsOf(this.#text.slice(one.start, one.end)))
    if (beginsSection(words[0] ?? [])) this.#leave()
    const isFree = this.#topic === noTopic && namings.length === 0 && from === start
    if (isFree && !goesOn(this.#text.slice(start, end), words[0] ?? [])) this.#current = nobody
    const opens = stretches.find(({ role, brands }) => role === 'subject' && brands.length > 0)
    const lead = words[0]?.length ?? 0
    if (opens && isFirst && !line.isRow && lead <= wordsToBegin) this.#beginTopic(line, opens)
    else if (line.level > 0 && isFirst && !opens && from === start && this.#topic === noTopic) {
      this.#pending = opinionOfTitle(words[0] ?? [])
    }
    const isConceded = concededLength(this.#text.slice(start, end)) === end - start
    this.#enter(stretches, words.map(isConceded ? concededOpinionOf : opinionOf))
  }

  /** Within the part of one brand, or under a label, other names do not take over: "Pros: works with Bolt". */
  #withoutGuests(line: Line, from: number, stretches: Stretch[]): Stretch[] {
    const isHosted = this.#topic.brands.length > 0 ? line.level === 0 : this.#label !== 'detail'
    if (!isHosted || this.#current === nobody) return stretches
    return stretches.map((one) => {
      const lead = wordsOf(this.#text.slice(from, one.start)).length
      const isGuest = one.role === 'subject' && one.brands.length > 0 && lead > 0
      return isGuest ? { ...one, role: 'aside' as const } : one
    })
  }

  #titleOf({ length }: Label, start: number) {
    return titleOf(wordsOf(this.#text.slice(start, start + length)))
  }

  /** @returns where the clause goes on */
  #takeLabel(label: Label, start: number): number {
    const words = wordsOf(this.#text.slice(start, start + label.length))
    if (this.#current.length === 0 && titleOf(words) !== undefined) {
      this.#pending = opinionOfTitle(words)
      this.#isOfLabel = true
      return start + label.length
    }
    if (label.kind !== 'unknown') {
      this.#label = label.kind
      return start + label.length
    }
    this.#label = 'detail'
    const { good, bad } = opinionOf(words)
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

  #enter(stretches: readonly Stretch[], opinions: readonly Opinion[]): void {
    const isOpinion = opinions.some(({ good, bad }) => good + bad > 0)
    const first = stretches.findIndex(({ role, brands }) => role === 'subject' && brands.length > 0)
    const example = stretches.find(({ role }) => role === 'example')?.brands
    let owner = this.#current
    // "Customers complain about support at Acme": nobody else can be meant.
    if (owner.length === 0 && first < 0 && isOpinion) owner = example ?? nobody
    // What stands before the first subject is about it: "Best overall: Acme".
    if (first >= 0 && (stretches[0]?.brands.length === 0 || first > 0)) {
      owner = stretches[first]?.brands ?? nobody
    }
    for (const [at, { brands, role }] of stretches.entries()) {
      const opinion = opinions[at] ?? nothing
      if (brands.length > 0 && role === 'subject') {
        owner = brands
        this.#current = brands
      }
      if (role === 'compared') this.#compare(brands, opinions, at)
      this.#notes.add(owner, opinion, this.#label)
    }
  }

  /** "Lags behind Acme": the blame stands before the name, or after it when the comparison opens the clause. */
  #compare(brands: readonly number[], opinions: readonly Opinion[], at: number): void {
    const before = opinions[at - 1] ?? nothing
    const opinion = before.good + before.bad > 0 ? before : (opinions[at + 1] ?? nothing)
    const bad = this.#label === 'blame' ? Math.max(1, opinion.bad) : opinion.bad
    this.#notes.compare(brands, { ...opinion, bad })
  }
}
