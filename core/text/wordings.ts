import { hash } from 'node:crypto'

/** Key that matches wordings of prompts: SHA-256 of the trimmed text, in hex. */
export function textHash(text: string): string {
  return hash('sha256', text.trim(), 'hex')
}
