import { count } from './import-progress.ts'

const SHOWN = 20

/** The first lines that an import rejected, for people; `total` of them were rejected. */
export function rejections(
  rejected: readonly { readonly line: number; readonly reason: string }[],
  total: number,
): string[] {
  const shown = rejected.slice(0, SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = total - shown.length
  return [...shown, ...(more > 0 ? [`  and ${count(more)} more`] : [])]
}
