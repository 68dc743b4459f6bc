/**
 * V8 gives an object with numbers as its keys a slot for each number below the highest. Only from this number on
 * it keeps a table of the keys.
 */
const firstPlace = 4096

const lastByte = 128

/** Copies a graph part by part, with each place moved behind the others. */
class Mover {
  readonly #from: Buffer
  readonly #to: number[] = []
  #at = 0

  constructor(graph: string) {
    this.#from = Buffer.from(graph, 'base64url')
  }

  /** Copies bytes unchanged. */
  bytes(count: number): void {
    for (let i = 0; i < count; i++) this.#to.push(this.#from.readUInt8(this.#at++))
  }

  /** Copies a number, of which each byte has seven bits. @returns the number */
  number(): number {
    const value = this.#read()
    this.#write(value)
    return value
  }

  place(): void {
    this.#write(this.#read() + firstPlace)
  }

  /** Zero stands for none; all others are larger than the place by one. */
  optionalPlace(): void {
    const value = this.#read()
    this.#write(value === 0 ? 0 : value + firstPlace)
  }

  end(): string {
    if (this.#at !== this.#from.length) throw new Error("Prisma's graph has another format.")
    return Buffer.from(this.#to).toString('base64url')
  }

  #read(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#from.readUInt8(this.#at++)
      value |= (byte % lastByte) << shift
      if (byte < lastByte) return value
    }
  }

  #write(value: number): void {
    let rest = value
    for (; rest >= lastByte; rest >>>= 7) this.#to.push((rest % lastByte) + lastByte)
    this.#to.push(rest)
  }
}

/** The graph of which arguments a query may have: it names fields and enums by their places in a list. */
function withHighPlaces(graph: string): string {
  const mover = new Mover(graph)
  const [inputs, outputs, roots] = [mover.number(), mover.number(), mover.number()]
  for (let node = 0; node < inputs; node++) {
    for (let edges = mover.number(); edges > 0; edges--) {
      mover.place()
      // The kinds of scalars, the next node, the enum, the flags.
      mover.bytes(2)
      mover.number()
      mover.optionalPlace()
      mover.bytes(1)
    }
  }
  for (let node = 0; node < outputs; node++) {
    for (let edges = mover.number(); edges > 0; edges--) {
      mover.place()
      mover.number()
      mover.number()
    }
  }
  for (let root = 0; root < roots; root++) {
    mover.place()
    mover.number()
    mover.number()
  }
  return mover.end()
}

function replace(text: string, pattern: RegExp, by: (...groups: string[]) => string): string {
  if (!pattern.test(text)) throw new Error(`Prisma's client has no ${pattern.source} any more.`)
  return text.replace(pattern, (_, ...groups: string[]) => by(...groups))
}

/**
 * The client without 13 MB of empty slots in the graph of arguments, and without 7 MB of the query compiler's text. Each
 * process would keep both.
 * @param source `internal/class.ts`, as Prisma writes it
 * @throws when Prisma writes it in another way
 */
export function leanClient(source: string): string {
  const named = replace(
    source,
    /strings: (JSON\.parse\("\[\\".+\]"\)),\n {2}graph: "([\w-]+)"/,
    (strings, graph = '') =>
      `strings: [...Array(${firstPlace}).fill(""), ...${strings}],\n  graph: "${withHighPlaces(graph)}"`,
  )
  return replace(
    named,
    /const \{ wasm \} = await import\("(.+)\.mjs"\)\n {4}return await decodeBase64AsWasm\(wasm\)/,
    (file) => `const { createRequire } = await import('node:module')
    const { readFile } = await import('node:fs/promises')
    // A module of it would stay: as text, as a constant, and in the cache of code.
    const text = await readFile(createRequire(import.meta.url).resolve("${file}.mjs"), 'latin1')
    return await decodeBase64AsWasm(text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')))`,
  )
}
