import type { EvidenceEntry } from '../../core/checks/check.ts'
import { attribute, type Element, nameOf, rawText } from './dom.ts'

/** An object of JSON-LD with the line of its block. */
export interface JsonLdNode {
  readonly types: readonly string[]
  readonly line: number
  readonly value: Readonly<Record<string, unknown>>
}

export interface JsonLd {
  readonly nodes: readonly JsonLdNode[]
  /** One entry for each block that is not valid: its line and the fault. */
  readonly invalid: readonly EvidenceEntry[]
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a list: the value, its members, or nothing. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** The texts of a value that is a text or a list of texts. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter((item): item is string => typeof item === 'string')
}

const isSchemaOrg = (text: string) => /^https?:\/\/(?:www\.)?schema\.org\/?#?$/i.test(text.trim())

/** Whether a `@context` names schema.org: as text, in a list, or as a vocabulary. */
function namesSchemaOrg(context: unknown): boolean {
  return listOf(context).some((item) =>
    isObject(item)
      ? textsOf(Object.values(item)).some(isSchemaOrg)
      : textsOf(item).some(isSchemaOrg),
  )
}

/** `Product` of `Product`, `schema:Product` and `https://schema.org/Product`. */
export const typeName = (type: string) => type.replace(/^.*[/#:]/, '').trim()

/** The line in a text at which JSON.parse stopped, from 0. */
function faultLine(text: string, error: unknown): number {
  const at = /position (\d+)/.exec(String(error))?.[1]
  if (at === undefined) return Math.max(0, text.trimEnd().split('\n').length - 1)
  return text.slice(0, Number(at)).split('\n').length - 1
}

interface Block {
  readonly nodes: readonly JsonLdNode[]
  readonly fault: EvidenceEntry | null
}

function readBlock(text: string, line: number): Block {
  const broken = (fault: string, at = line): Block => ({
    nodes: [],
    fault: { line: at, text: fault },
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return broken('The block is no JSON.', line + faultLine(text, error))
  }
  const tops = Array.isArray(json) ? json : [json]
  if (tops.length === 0 || !tops.every(isObject)) return broken('The block holds no object.')
  const objects = tops.flatMap((top) => {
    const graph = top['@graph']
    if (graph === undefined) return [top]
    const members = listOf(graph).filter(isObject)
    return top['@type'] === undefined ? members : [top, ...members]
  })
  const nodes = objects.map((value) => ({
    types: textsOf(value['@type']).map(typeName),
    line,
    value,
  }))
  if (!tops.every((top) => namesSchemaOrg(top['@context']))) {
    return { nodes, fault: { line, text: 'The block lacks `@context` of schema.org.' } }
  }
  const bare = nodes.some(({ types, value }) => types.length === 0 && value['@id'] === undefined)
  const fault = bare ? { line, text: 'A node of the block lacks `@type` and `@id`.' } : null
  return { nodes, fault }
}

const isJsonLd = (element: Element) =>
  nameOf(element) === 'script' &&
  /^application\/ld\+json\s*(?:;|$)/i.test(attribute(element, 'type')?.trim() ?? '')

/** All blocks of JSON-LD of a page. Nodes of a block without valid JSON are missing. */
export function readJsonLd(elements: readonly Element[]): JsonLd {
  const blocks = elements.filter(isJsonLd).map((element) => {
    const start = element.sourceCodeLocation?.startTag?.endLine ?? 1
    return readBlock(rawText(element), start)
  })
  return {
    nodes: blocks.flatMap(({ nodes }) => nodes),
    invalid: blocks.flatMap(({ fault }) => fault ?? []),
  }
}
