import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { openElements } from './open-elements.ts'

/** Counts how deep elements are nested, while the bytes of a page arrive. */
export interface DepthCounter {
  /** @returns false once elements are nested deeper than the limit; `html` counts as 1 */
  write(bytes: Uint8Array): boolean
}

function decoderOf(first: Uint8Array, charset: string | null): TextDecoder {
  const bom = Buffer.from(first.subarray(0, 2)).toString('hex')
  const marked = bom === 'fffe' ? 'utf-16le' : bom === 'feff' ? 'utf-16be' : charset
  try {
    if (marked !== null) return new TextDecoder(marked)
  } catch {
    // An unknown label: tags are ASCII in nearly every encoding.
  }
  return new TextDecoder('windows-1252')
}

const pieceBytes = 4096
const longestName = 100

/**
 * A counter that holds the names of open elements alone. Building the tree of a deep page takes minutes, so the depth
 * must be known before.
 * @param charset the encoding that `Content-Type` names
 */
export function depthCounter(deepest: number, charset: string | null): DepthCounter {
  const elements = openElements()
  let isTooDeep = false
  let decoder: TextDecoder | undefined
  /** The last characters, which may hold the beginning of a name, and their position in the page. */
  let buffer = ''
  let bufferStart = 0
  let opened = ''
  const nameAt = (start: number, end: number) =>
    end - start > longestName
      ? ''
      : buffer.slice(Math.max(start - bufferStart, 0), end - bufferStart).toLowerCase()
  const ignore = () => {}
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      opened = nameAt(start, end)
      elements.open(opened)
      isTooDeep ||= elements.depth > deepest
    },
    onclosetag(start, end) {
      elements.close(nameAt(start, end))
    },
    onselfclosingtag() {
      if (elements.isForeign) elements.closeSelf()
    },
    isInForeignContext: () => elements.isForeign,
    onattribdata: ignore,
    onattribentity: ignore,
    onattribend: ignore,
    onattribname: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: ignore,
    onprocessinginstruction: ignore,
    ontext: ignore,
    ontextentity: ignore,
  }
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks)
  return {
    write(bytes) {
      decoder ??= decoderOf(bytes, charset)
      // Pieces keep the list short: one may open a thousand elements.
      for (let at = 0; at < bytes.length && !isTooDeep; at += pieceBytes) {
        const text = decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true })
        const kept = buffer.slice(-longestName)
        bufferStart += buffer.length - kept.length
        buffer = kept + text
        tokenizer.write(text)
      }
      return !isTooDeep
    },
  }
}
