import type { SyntaxNode, Tree } from '@lezer/common'
import { GFM, parser } from '@lezer/markdown'
import { Fragment, memo, type ReactNode } from 'react'
import { Outside } from '../outside.tsx'
import { type Definition, type Definitions, definitionsOf } from './definitions.ts'
import { sourceIn } from './marks.ts'
import { Cites, type Marked, Pieces } from './pieces.tsx'
import { cellsOf } from './table-cells.ts'

// Tags and images stay text: nothing of an answer is markup, and nothing is loaded from its addresses.
const markdown = parser.configure([GFM, { remove: ['HTMLBlock', 'HTMLTag', 'Image'] }])

/** Deeper quotes and lists stay as they are written. */
const deepest = 24
/** A longer block, such as a text without blank lines, stays as it is written. */
const longestBlock = 100_000

/** The characters that only say how a text is set. */
const hidden = new Set([
  'HeaderMark',
  'EmphasisMark',
  'StrikethroughMark',
  'QuoteMark',
  'CodeMark',
  'ListMark',
  'LinkMark',
  'LinkTitle',
  'CodeInfo',
  'TableDelimiter',
  'LinkReference',
])

const tags: Readonly<Record<string, 'p' | 'ul' | 'em' | 'strong' | 'del' | 'code'>> = {
  Paragraph: 'p',
  Task: 'p',
  BulletList: 'ul',
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
}

/** Blocks that hold blocks: what stands between those is space. */
const containers = new Set(['Document', 'Blockquote', 'BulletList', 'OrderedList', 'ListItem'])

interface Setting extends Marked {
  readonly definitions: Definitions
  /** Of the highest headings of the answer: 1, 2, … */
  readonly topLevel: number
  readonly depth: number
  readonly inLink: boolean
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all
}

const text = (setting: Setting, from: number, to: number) => (
  <Pieces key={from} {...setting} from={from} to={to} />
)

/** What a part of a node holds: its children, and the text between them. */
function within(node: SyntaxNode, setting: Setting, from = node.from, to = node.to): ReactNode[] {
  const children = childrenOf(node).filter((child) => child.from >= from && child.to <= to)
  const parts: ReactNode[] = []
  let at = from
  const isContainer = containers.has(node.name)
  for (const child of children) {
    if (child.from > at && !isContainer) parts.push(text(setting, at, child.from))
    parts.push(<Node key={child.from} node={child} setting={setting} />)
    at = child.to
  }
  if (at < to && !isContainer) parts.push(text(setting, at, to))
  return parts
}

function Link({ node, setting }: { readonly node: SyntaxNode; readonly setting: Setting }) {
  const { answer, marks } = setting
  const [open, close] = node.getChildren('LinkMark')
  const label = node.getChild('LinkLabel')
  const url = node.getChild('URL')
  if (!open || !close) return text(setting, node.from, node.to)
  const isShort = !url && !label
  const slice = (part: { from: number; to: number }) => answer.text.slice(part.from, part.to)
  const name = slice(label ?? node).slice(1, -1)
  const target: Definition | undefined = url
    ? { url: slice(url), position: sourceIn(marks, url.from, url.to) }
    : setting.definitions.get(name.toLowerCase())
  if (!target) {
    // Brackets in a text that link nowhere.
    if (isShort) return text(setting, node.from, node.to)
    const inner = within(node, setting, open.to, close.from)
    return [
      text(setting, open.from, open.to),
      <Fragment key="inner">{inner}</Fragment>,
      text(setting, close.from, node.to),
    ]
  }
  const { position } = target
  if (position === undefined || setting.inLink) {
    const inner = within(node, { ...setting, inLink: true }, open.to, close.from)
    return setting.inLink ? inner : <Outside url={target.url} name={inner} />
  }
  if (isShort) {
    return (
      <Cites answer={answer} position={position}>
        {slice(node)}
      </Cites>
    )
  }
  return (
    <>
      {within(node, setting, open.to, close.from)}{' '}
      <Cites answer={answer} position={position}>
        {label ? slice(label) : `[${position}]`}
      </Cites>
    </>
  )
}

/** An address in the text: a source of the answer, or a page of others. */
function Address({ node, setting }: { readonly node: SyntaxNode; readonly setting: Setting }) {
  const { from, to } = node
  const url = setting.answer.text.slice(from, to)
  const isSource = sourceIn(setting.marks, from, to) !== undefined
  if (isSource || setting.inLink) return text(setting, from, to)
  return <Outside url={url} />
}

function Table({ node, setting }: { readonly node: SyntaxNode; readonly setting: Setting }) {
  const [head] = node.getChildren('TableHeader')
  const cells = (row: SyntaxNode, Cell: 'th' | 'td') =>
    cellsOf(childrenOf(row)).map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row stay where they are
      <Cell key={at}>{cell && within(cell, setting)}</Cell>
    ))
  return (
    <table>
      <thead>{head && <tr>{cells(head, 'th')}</tr>}</thead>
      <tbody>
        {node.getChildren('TableRow').map((row) => (
          <tr key={row.from}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  )
}

/** The character that an entity stands for. */
const decoded = (entity: string) =>
  new DOMParser().parseFromString(entity, 'text/html').documentElement.textContent

function headingLevel(name: string): number | undefined {
  const [, level] = /^(?:ATX|Setext)Heading(\d)$/.exec(name) ?? []
  return level === undefined ? undefined : Number(level)
}

function Node({ node, setting: outer }: { readonly node: SyntaxNode; readonly setting: Setting }) {
  const { name, from, to } = node
  const setting = { ...outer, depth: outer.depth + 1 }
  const source = outer.answer.text
  if (hidden.has(name)) return null
  if (setting.depth > deepest) return text(setting, from, to)
  const Tag = tags[name]
  if (Tag) return <Tag>{within(node, setting)}</Tag>
  const heading = headingLevel(name)
  if (heading !== undefined) {
    // Below the heading of the answer, whatever the answer begins with.
    const level = heading - setting.topLevel + 3
    const Heading = `h${Math.min(level, 6)}` as 'h3'
    const mark = node.getChild('HeaderMark')
    const skipped = mark?.from === from ? mark.to : from
    const space = /^\s*/.exec(source.slice(skipped, to))?.[0].length ?? 0
    return <Heading>{within(node, setting, skipped + space, to)}</Heading>
  }
  switch (name) {
    case 'Blockquote':
      return <blockquote>{within(node, setting)}</blockquote>
    case 'OrderedList':
      return <ol start={Number.parseInt(source.slice(from), 10)}>{within(node, setting)}</ol>
    case 'ListItem':
      return <li>{within(node, setting)}</li>
    case 'FencedCode':
    case 'CodeBlock':
      return (
        <pre>
          <code>
            {node.getChildren('CodeText').map((part) => text(setting, part.from, part.to))}
          </code>
        </pre>
      )
    case 'HorizontalRule':
      return <hr />
    case 'HardBreak':
      return <br />
    case 'Table':
      return <Table node={node} setting={setting} />
    case 'Link':
      return <Link node={node} setting={setting} />
    case 'URL':
      return <Address node={node} setting={setting} />
    case 'TaskMarker':
      return /x/i.test(source.slice(from, to)) ? '\u2611' : '\u2610'
    case 'Escape':
      return text(setting, from + 1, to)
    case 'Entity':
      return decoded(source.slice(from, to))
    default:
      return within(node, setting)
  }
}

/** The highest level of the headings of an answer. */
function topLevelOf(tree: Tree): number {
  let top = 6
  tree.iterate({
    enter: ({ name }) => {
      const level = headingLevel(name)
      if (level !== undefined && level < top) top = level
    },
  })
  return top
}

/** The start of an answer as people read it: headings, lists and tables, with marks at their places. */
export const Prose = memo(({ answer, marks, end }: Marked & { readonly end: number }) => {
  const tree = markdown.parse(answer.text.slice(0, end))
  const definitions = definitionsOf(answer.text, marks)
  const topLevel = topLevelOf(tree)
  const setting: Setting = { answer, marks, definitions, topLevel, depth: 0, inLink: false }
  return childrenOf(tree.topNode).map((node) =>
    node.to - node.from > longestBlock ? (
      <p key={node.from}>{text(setting, node.from, node.to)}</p>
    ) : (
      <Node key={node.from} node={node} setting={setting} />
    ),
  )
})
