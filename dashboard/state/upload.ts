import { ImportAnswersDocument, type ImportAnswersMutation } from '../documents.ts'
import { AskError, ask } from './ask.ts'

type Result = Extract<ImportAnswersMutation['importAnswers'], { readonly read: number }>
type Line = Result['rejected'][number]

/** How much of a file is imported, and with what result. */
export interface Uploaded {
  /** Bytes of the file that the service has imported. */
  readonly sent: number
  readonly read: number
  readonly loaded: number
  readonly skipped: number
  readonly rejected: readonly Line[]
  readonly leftOut: readonly Line[]
}

const nothing: Uploaded = { sent: 0, read: 0, loaded: 0, skipped: 0, rejected: [], leftOut: [] }

/** Characters of one request. The service takes 16 MB, and quotes of a text count twice. */
const partCharacters = 2 * 1024 * 1024
/** Of a file that cannot be cut between its lines. */
const mostWholeBytes = 15 * 1024 * 1024

/** A file that is neither JSON Lines nor small. */
export class TooLarge extends Error {}

/** Whole lines of a file in parts, each with the number of bytes that it ends at. */
async function* partsOf(file: File): AsyncGenerator<{ text: string; end: number }> {
  let rest = ''
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  let sent = 0
  const part = (text: string) => {
    sent += new TextEncoder().encode(text).length
    return { text, end: Math.min(sent, file.size) }
  }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    rest += value
    const cut = rest.length < partCharacters ? 0 : rest.lastIndexOf('\n') + 1
    if (cut === 0) continue
    yield part(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  if (rest !== '') yield part(rest)
}

/** Whether each line of the file is an object of its own, so that the file may be cut between lines. */
async function isJsonLines(file: File): Promise<boolean> {
  const start = await file.slice(0, 256 * 1024).text()
  const [line = ''] = start.trimStart().split('\n')
  try {
    return typeof JSON.parse(line) === 'object' && !line.trim().startsWith('[')
  } catch {
    return false
  }
}

async function* textsOf(file: File): AsyncGenerator<{ text: string; end: number }> {
  if (await isJsonLines(file)) return yield* partsOf(file)
  if (file.size > mostWholeBytes) throw new TooLarge()
  yield { text: await file.text(), end: file.size }
}

/**
 * Imports the answers of a file, part by part, so that a file of any size stays out of memory.
 * @param onProgress gets the sums so far, with lines as the whole file counts them
 * @throws {TooLarge}
 * @throws {AskError} what the service refuses; parts before stay imported
 */
export async function uploadAnswers(
  project: string,
  file: File,
  onProgress: (uploaded: Uploaded) => void,
  signal: AbortSignal,
): Promise<void> {
  let all = nothing
  for await (const { text, end } of textsOf(file)) {
    signal.throwIfAborted()
    const { importAnswers: answer } = await ask(
      ImportAnswersDocument,
      { project, lines: text },
      signal,
    )
    if (!answer || !('read' in answer)) {
      throw new AskError(answer && 'problem' in answer ? answer.problem : '', '')
    }
    const before = all.read
    const counted = (lines: readonly Line[]) =>
      lines.map(({ line, reason }) => ({ line: line + before, reason }))
    all = {
      sent: end,
      read: all.read + answer.read,
      loaded: all.loaded + answer.loaded,
      skipped: all.skipped + answer.skipped,
      rejected: [...all.rejected, ...counted(answer.rejected)],
      leftOut: [...all.leftOut, ...counted(answer.leftOut)],
    }
    onProgress(all)
  }
}
