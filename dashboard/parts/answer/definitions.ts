import { type Mark, sourceIn } from './marks.ts'

/** What a reference of Markdown stands for. */
export interface Definition {
  readonly url: string
  readonly position: number | undefined
}

/** Addresses by the labels of references, in lower case. */
export type Definitions = ReadonlyMap<string, Definition>

/** A line that defines a reference. */
const labelled = /^\[([^\]\n]+)\]:[ \t]*<?([^\s>]+)/gm

/** Of the whole text, since an answer defines its references at its end. */
export function definitionsOf(text: string, marks: readonly Mark[]): Definitions {
  const all = new Map<string, Definition>()
  for (const { 0: line, 1: label = '', 2: url = '', index } of text.matchAll(labelled)) {
    const end = index + line.length
    const definition = { url, position: sourceIn(marks, end - url.length, end) }
    if (!all.has(label.toLowerCase())) all.set(label.toLowerCase(), definition)
  }
  return all
}
