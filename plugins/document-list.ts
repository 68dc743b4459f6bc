import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sortExecutableDocument } from '@graphql-tools/documents'
import { type DocumentNode, type GraphQLSchema, parse, print, validate, visit } from 'graphql'
import { fieldSentence } from '../core/rule-text.ts'
import { type Settings, SettingsError } from '../core/settings.ts'

/** The documents that run by hash. */
export interface DocumentList {
  readonly byHash: ReadonlyMap<string, string>
  /** The documents in the form of `comparable`. */
  readonly comparable: ReadonlySet<string>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The hash of a document's id: `sha256:` may precede the digits. Undefined for text of another form. */
export function hashOf(id: string): string | undefined {
  return /^(?:sha256:)?([0-9a-f]{64})$/i.exec(id)?.[1]?.toLowerCase()
}

/** Fragments without a name, each in another. To sort them takes the third power of their number. */
const mostNested = 30

function isNested(document: DocumentNode): boolean {
  let depth = 0
  let deepest = 0
  visit(document, {
    InlineFragment: {
      enter() {
        deepest = Math.max(deepest, ++depth)
      },
      leave() {
        depth -= 1
      },
    },
  })
  return deepest > mostNested
}

/**
 * The document without comments and layout, and sorted: tools that write lists sort fields. Without the sorting where its
 * fragments are nested as no tool nests them.
 */
export function comparable(document: DocumentNode): string {
  return print(isNested(document) ? document : sortExecutableDocument(document))
}

/** The entries of a file of documents, `{ "<sha256>": "query …" }`. */
function entriesOf(text: string): [string, unknown][] {
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Error('the JSON is no object of documents by hash')
  }
  return Object.entries(json)
}

/** The document of an entry. @throws {Error} says what is wrong */
function documentOf(id: string, document: unknown, schema: GraphQLSchema): DocumentNode {
  if (typeof document !== 'string') throw new Error('the value is no text')
  const parsed = parse(document)
  const [fault] = validate(schema, parsed)
  if (fault) throw new Error(fault.message)
  // A document that was edited without its hash would run under the name of another.
  if (hashOf(id) !== sha256(document)) throw new Error("the key is not the document's SHA-256")
  return parsed
}

/**
 * Reads the file of `PERSISTED_DOCUMENTS`; an empty list without the setting.
 * @throws {SettingsError} names each document that cannot run
 */
export async function readDocumentList(
  { PERSISTED_DOCUMENTS: listed }: Settings,
  schema: GraphQLSchema,
): Promise<DocumentList> {
  const byHash = new Map<string, string>()
  const forms = new Set<string>()
  if (listed === undefined) return { byHash, comparable: forms }
  const faults: string[] = []
  const attempt = (work: () => void, about: string) => {
    try {
      work()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const rule = `must be a JSON file of documents by SHA-256; ${about}: ${reason}`
      faults.push(fieldSentence('PERSISTED_DOCUMENTS', rule.replace(/\.$/, '')))
    }
  }
  const text = await readFile(listed.file, 'utf8').catch((error: Error) => error)
  let entries: [string, unknown][] = []
  attempt(() => {
    if (text instanceof Error) throw text
    entries = entriesOf(text)
  }, listed.file)
  for (const [id, document] of entries) {
    attempt(() => {
      forms.add(comparable(documentOf(id, document, schema)))
      byHash.set(hashOf(id) ?? '', String(document))
    }, id)
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return { byHash, comparable: forms }
}
