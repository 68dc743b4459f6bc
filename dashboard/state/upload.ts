import {
  type FileKind,
  ImportPromptsFileDocument,
  ImportUploadDocument,
  PreviewUploadDocument,
  type PreviewUploadMutation,
} from '../documents.ts'
import { ask } from './ask.ts'
import { AskError } from './ask-error.ts'

/** What the service says of a file before anything is stored. */
export type FilePreview = Extract<
  PreviewUploadMutation['previewUpload'],
  { readonly candidates: readonly FileKind[] }
>

interface Line {
  readonly line: number
  readonly reason: string
}

/** How much of a file is imported, and with what result. */
export interface Uploaded {
  /** Of the file, from 0 to 1. */
  readonly share: number
  readonly read: number
  readonly loaded: number
  readonly skipped: number
  readonly rejected: readonly Line[]
  readonly leftOut: readonly Line[]
}

const nothing: Uploaded = {
  share: 0,
  read: 0,
  loaded: 0,
  skipped: 0,
  rejected: [],
  leftOut: [],
}

const mebibyte = 1024 * 1024
/** Characters of one request. The service takes 16 MiB, and quotes of a text count twice. */
const partCharacters = 6 * mebibyte
/** Of a file that cannot be cut between its lines. */
const mostWholeBytes = 14 * mebibyte
/** Of an archive: Base64 makes four bytes of three. */
const mostArchiveBytes = 11 * mebibyte
/** Of the beginning of a file, by which the service says what it is. */
const headCharacters = mebibyte

/** A file that is too large for a browser. */
export class TooLarge extends Error {}

/** A file as the service can take it. */
export interface Opened {
  readonly name: string
  /** Unpacked, in UTF-8; an archive stays packed. */
  readonly content: Blob
  readonly isArchive: boolean
  /** Whether it may be cut between two lines. */
  readonly hasLines: boolean
}

const startsWith = (bytes: Uint8Array, ...start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

async function unpacked(file: Blob): Promise<Blob> {
  const stream = file.stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).blob()
}

/** Spreadsheets write UTF-16 where someone saves "Unicode text". */
async function inUtf8(content: Blob, head: Uint8Array): Promise<Blob> {
  const label = startsWith(head, 0xff, 0xfe)
    ? 'utf-16le'
    : startsWith(head, 0xfe, 0xff)
      ? 'utf-16be'
      : null
  if (label === null) return content
  return new Blob([new TextDecoder(label).decode(await content.arrayBuffer())])
}

/** Whether each line stands for itself: objects on lines, a table, or a log. */
function hasLinesIn(start: string): boolean {
  const text = start.trimStart()
  if (/^(?:<|\[|---)/.test(text)) return false
  if (!text.startsWith('{')) return true
  try {
    return typeof JSON.parse(text.split('\n', 1)[0] ?? '') === 'object'
  } catch {
    return false
  }
}

/**
 * Opens a file of the reader's disk.
 * @throws {TooLarge}
 */
export async function openFile(file: File): Promise<Opened> {
  const first = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const name = file.name
  if (startsWith(first, 0x50, 0x4b)) {
    if (file.size > mostArchiveBytes) throw new TooLarge()
    return { name, content: file, isArchive: true, hasLines: false }
  }
  const plain = startsWith(first, 0x1f, 0x8b) ? await unpacked(file) : file
  const head = new Uint8Array(await plain.slice(0, 4).arrayBuffer())
  const content = await inUtf8(plain, head)
  const hasLines = hasLinesIn(await content.slice(0, headCharacters).text())
  if (!hasLines && content.size > mostWholeBytes) throw new TooLarge()
  return { name, content, isArchive: false, hasLines }
}

async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer())
  const step = 32 * 1024
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(text)
}

/** What an answer of the graph says; a problem is thrown. */
function resultOf<R extends object>(
  answer: R | { readonly problem: string } | null | undefined,
): R {
  if (answer && !('problem' in answer)) return answer
  throw new AskError(answer && 'problem' in answer ? answer.problem : '', '')
}

/**
 * Asks what a file is, and how its first rows would be read.
 * @param kind what the reader says that it is
 * @throws {AskError}
 */
export async function previewFile(
  project: string,
  { content, isArchive, hasLines }: Opened,
  kind?: FileKind,
): Promise<FilePreview> {
  const more = kind && { kind }
  if (isArchive) {
    const archive = { project, content: await base64Of(content), isBase64: true, ...more }
    return resultOf((await ask(PreviewUploadDocument, archive)).previewUpload) as FilePreview
  }
  const isCut = hasLines && content.size > headCharacters
  const text = await (isCut ? content.slice(0, headCharacters) : content).text()
  const whole = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const { previewUpload } = await ask(PreviewUploadDocument, { project, content: whole, ...more })
  const preview = resultOf(previewUpload) as FilePreview
  return isCut ? { ...preview, isCut } : preview
}

interface Part {
  readonly text: string
  /** Share of the file at its end. */
  readonly end: number
  /** Lines of the file before the part, without its repeated header. */
  readonly before: number
}

const linesIn = (text: string) => text.split('\n').length - 1

/** The end of the last line that no quoted cell goes on behind. */
function cutOf(text: string, isTable: boolean): number {
  if (!isTable) return text.lastIndexOf('\n') + 1
  let isQuoted = false
  let cut = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isQuoted = !isQuoted
    else if (code === 0x0a && !isQuoted) cut = at + 1
  }
  return cut
}

/** The lines that say what the columns are: they stand before each part. */
function headerOf(text: string, isTable: boolean): string {
  const lines = text.split(/(?<=\n)/)
  if (isTable) {
    const at = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'))
    return lines.slice(0, at + 1).join('')
  }
  const at = lines.findIndex((line) => !line.startsWith('#'))
  return lines.slice(0, Math.max(0, at)).join('')
}

/** Whole lines of a file in parts. */
async function* partsOf({ content }: Opened, isTable: boolean): AsyncGenerator<Part> {
  let rest = ''
  let header = ''
  let sent = 0
  let before = 0
  const reader = content.stream().pipeThrough(new TextDecoderStream()).getReader()
  const part = (text: string): Part => {
    const isFirst = sent === 0
    if (isFirst) header = headerOf(text, isTable)
    sent += new Blob([text]).size
    const found = {
      text: isFirst ? text : header + text,
      end: Math.min(1, sent / content.size),
      before: isFirst ? 0 : before - linesIn(header),
    }
    before += linesIn(text)
    return found
  }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    rest += value
    const cut = rest.length < partCharacters ? 0 : cutOf(rest, isTable)
    if (cut === 0) continue
    yield part(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  if (rest !== '') yield part(rest)
}

const tables: ReadonlySet<FileKind> = new Set([
  'answers',
  'prompts',
  'search_console',
  'web_analytics',
  'pages',
  'domain_authority',
])

async function* textsOf(opened: Opened, kind: FileKind): AsyncGenerator<Part> {
  const { content, hasLines, isArchive } = opened
  if (isArchive) yield { text: await base64Of(content), end: 1, before: 0 }
  else if (!hasLines || content.size < partCharacters || kind === 'prompts') {
    if (content.size > mostWholeBytes) throw new TooLarge()
    yield { text: await content.text(), end: 1, before: 0 }
  } else {
    const start = (await content.slice(0, 1).text()).trim()
    yield* partsOf(opened, tables.has(kind) && start !== '{')
  }
}

async function imported(
  project: string,
  kind: FileKind,
  file: { readonly content: string; readonly isBase64: boolean; readonly file: string },
  signal: AbortSignal,
): Promise<Omit<Uploaded, 'share'>> {
  if (kind !== 'prompts') {
    const answer = await ask(ImportUploadDocument, { project, kind, ...file }, { signal })
    return resultOf(answer.importUpload) as Omit<Uploaded, 'share'>
  }
  const { content } = file
  const variables = { project, content, file: file.file }
  const { importPrompts } = await ask(ImportPromptsFileDocument, variables, { signal })
  const { read, created, updated, unchanged, repeated, rejected } = resultOf(importPrompts) as {
    read: number
    created: number
    updated: number
    unchanged: number
    repeated: number
    rejected: readonly Line[]
  }
  return { read, loaded: created + updated, skipped: unchanged + repeated, rejected, leftOut: [] }
}

/**
 * Imports a file: at once, or part by part, so that a large file stays out of memory. Each part is an import of its own,
 * whole or not at all.
 * @param onProgress gets the sums so far, with lines as the whole file counts them
 * @throws {TooLarge}
 * @throws {AskError} what the service refuses; parts before stay imported
 */
export async function importFile(
  project: string,
  opened: Opened,
  kind: FileKind,
  onProgress: (uploaded: Uploaded) => void,
  signal: AbortSignal,
): Promise<void> {
  let all = nothing
  let number = 0
  for await (const { text, end, before } of textsOf(opened, kind)) {
    signal.throwIfAborted()
    number++
    const file = number === 1 ? opened.name : `${opened.name} (${number})`
    const sent = { content: text, isBase64: opened.isArchive, file }
    const result = await imported(project, kind, sent, signal)
    const counted = (lines: readonly Line[]) =>
      lines.map(({ line, reason }) => ({ line: line + before, reason }))
    all = {
      share: end,
      read: all.read + result.read,
      loaded: all.loaded + result.loaded,
      skipped: all.skipped + result.skipped,
      rejected: [...all.rejected, ...counted(result.rejected)],
      leftOut: [...all.leftOut, ...counted(result.leftOut)],
    }
    onProgress(all)
  }
}
