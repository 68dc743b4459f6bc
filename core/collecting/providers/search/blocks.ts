import { z } from 'zod'

/** The blocks in which SerpApi gives an answer of Google, as Markdown. */

const word = z.string().nullish()

/** A block and what it may contain. Each type has some of the fields. */
interface Block {
  readonly type?: string | null | undefined
  readonly title?: string | null | undefined
  readonly snippet?: string | null | undefined
  readonly list?: readonly Block[] | null | undefined
  readonly text_blocks?: readonly Block[] | null | undefined
  readonly table?: readonly (readonly string[])[] | null | undefined
  readonly code?: string | null | undefined
  readonly product_labels?: readonly string[] | null | undefined
  readonly comparison?:
    | readonly {
        readonly feature?: string | null | undefined
        readonly values?: readonly string[] | null | undefined
      }[]
    | null
    | undefined
}

const words = z.array(z.string()).nullish()

export const block: z.ZodType<Block> = z.lazy(() =>
  z.object({
    type: word,
    title: word,
    snippet: word,
    code: word,
    product_labels: words,
    list: z.array(block).nullish(),
    text_blocks: z.array(block).nullish(),
    table: z.array(z.array(z.string())).nullish(),
    comparison: z.array(z.object({ feature: word, values: words })).nullish(),
  }),
)

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function itemOf({ title, snippet, list, text_blocks }: Block): string {
  const own = [title && `**${title}**`, snippet].filter(Boolean).join(' ')
  const inside = [list ? listOf(list) : '', textOfBlocks(text_blocks ?? [])].filter(Boolean)
  return [`- ${own}`, ...inside.map((text) => text.replace(/^/gm, '  '))].join('\n')
}

const listOf = (items: readonly Block[]) => items.map(itemOf).join('\n')

function textOf(one: Block): string {
  const { type, title, snippet, list, table, code, comparison } = one
  const texts = [
    title && `**${title}**`,
    snippet && (type === 'heading' ? `## ${snippet}` : snippet),
    list && listOf(list),
    table && tableOf(table),
    code && `\`\`\`\n${code}\n\`\`\``,
    comparison &&
      tableOf([
        ['', ...(one.product_labels ?? [])],
        ...comparison.map(({ feature, values }) => [feature ?? '', ...(values ?? [])]),
      ]),
    textOfBlocks(one.text_blocks ?? []),
  ]
  return texts.filter(Boolean).join('\n\n')
}

/** The blocks as Markdown. Blocks without a text, such as videos, are left out. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(textOf).filter(Boolean).join('\n\n')
}
