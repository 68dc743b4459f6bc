import { invalid } from './errors.ts'
import { mostDepth } from './json.ts'

/** The body itself, and `variables`, are levels of their own. */
const mostLevels = mostDepth + 2
const mostValues = 10_000

const quote = 34
const backslash = 92
const comma = 44
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/**
 * Bounds the depth and the number of values of JSON while its bytes arrive, before anything is built from them. It
 * finds no fault of syntax.
 */
export class JsonScan {
  #isText = false
  #isEscaped = false
  #levels = 0
  #values = 0

  /** @throws {Fault} `invalid_argument` about `variables` */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === quote) this.#isText = !this.#isText
      else if (this.#isText) this.#isEscaped = byte === backslash
      else this.#count(byte)
    }
  }

  #count(byte: number): void {
    const opens = byte === openList || byte === openObject
    if (opens) this.#levels++
    else if (byte === closeList || byte === closeObject) this.#levels--
    if (this.#levels > mostLevels)
      throw invalid('variables', `must not be nested deeper than ${mostDepth} levels`)
    if ((opens || byte === comma) && ++this.#values > mostValues) {
      throw invalid('variables', `must hold at most ${mostValues} values`)
    }
  }
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gs

/**
 * The text of a member of the object that `json` begins with; undefined when it has not begun and ended yet.
 * @param json may end in the middle
 */
export function memberText(json: string, name: string): string | undefined {
  let [levels, last, key] = [0, '', '']
  for (const [found] of json.matchAll(token)) {
    if (found === '{' || found === '[') levels++
    else if (found === '}' || found === ']') levels--
    else if (levels === 1 && found === ':') key = last
    else if (levels === 1 && found === ',') key = ''
    else if (levels === 1 && key === `"${name}"` && found.startsWith('"')) return textOf(found)
    last = found
  }
  return undefined
}

function textOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
