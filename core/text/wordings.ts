import { hash } from 'node:crypto'

/** What a wording of a prompt is matched by: SHA-256 of the trimmed text, in hex. */
export function textHash(text: string): string {
  return hash('sha256', text.trim(), 'hex')
}
