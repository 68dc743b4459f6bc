import type { SyntaxNode } from '@lezer/common'

/** The cells of a row of a table by their columns; null for a cell that is empty, which the parser leaves out. */
export function cellsOf(parts: readonly SyntaxNode[]): (SyntaxNode | null)[] {
  const cells: (SyntaxNode | null)[] = []
  let cell: SyntaxNode | null = null
  for (const [at, part] of parts.entries()) {
    if (part.name === 'TableCell') cell = part
    else if (at > 0) {
      cells.push(cell)
      cell = null
    }
  }
  return cell ? [...cells, cell] : cells
}
