import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Passage, passagesOf } from './passages.ts'

/** Words that read badly, and what to write in their place. */
const forbidden: readonly (readonly [word: RegExp, mend: string])[] = [
  [/\btold\b|\btell(s|ing)?\b/i, 'say, inform, distinguish'],
  [/\banew\b/i, 'again; recount, rewrite'],
  [/\bof old\b/i, 'earlier'],
  [/\bhangs? on\b/i, 'depends on'],
  [/\b(brings?|brought|bringing) in\b/i, 'imports, adds'],
  [/\bstands? beside\b/i, 'is next to'],
  [/\b(comes?|came|coming) again\b/i, 'retries, repeats'],
  [/\bwhat(ever)? (became|becomes?|has become) of\b/i, 'the result of, the state of'],
  [/\bas it were\b/i, 'leave it out'],
  [/\b(therein|thereof|thereby|wherein|whereof|hereby|herein)\b/i, 'name the thing'],
  [/\bso that it\b/i, 'so, or two sentences'],
  [/\basked of\b/i, 'name who asks, and for what'],
  [/\bwhat (is|are|was|were) of\b/i, 'name the thing'],
  [/\bwhat there is\b/i, 'name the thing'],
  [/\bis no more\b|\bno more than that\b/i, 'no longer exists; only'],
  [/\b(of|by) themselves\b|\bof itself\b/i, 'leave it out'],
  [/\bas (it|they) (is|are)(?=[.,;:]|$)/i, 'unchanged'],
  [/\bways? in\b/i, 'import, entry point'],
]

const anyForbidden = new RegExp(forbidden.map(([word]) => word.source).join('|'), 'i')

/** A description makes sense without its parent: it names what it describes. */
const pronoun =
  /^(its?|they|them|theirs?|those|these|ones? (that|which|who|of)|what (is|are|was|were|it|they))\b/i

export interface Fault {
  readonly line: number
  readonly fault: string
  readonly sentence: string
}

/** What is hard to read in the sentences that people read out of a file. */
export function sentenceFaults(path: string, text: string): Fault[] {
  return passagesOf(path, text).flatMap((passage) => {
    // Most passages have no such word, so their sentences need not be found.
    if (passage.kind !== 'description' && !anyForbidden.test(passage.text.replace(/\s+/g, ' '))) {
      return []
    }
    const sentences = blocks(masked(passage.text)).flatMap(({ offset, text: block }) =>
      split(block).map((sentence) => ({ offset: offset + sentence.index, text: sentence.segment })),
    )
    return sentences.flatMap((sentence, i) =>
      faultsOf(passage.kind, sentence.text, i === 0).map((fault) => ({
        line: passage.parts.findLast(({ offset }) => offset <= sentence.offset)?.line ?? 1,
        fault,
        sentence: original(passage, sentence),
      })),
    )
  })
}

function original(passage: Passage, { offset, text }: { offset: number; text: string }): string {
  const start = offset + text.length - text.trimStart().length
  return passage.text
    .slice(start, offset + text.length)
    .replace(/\s+/g, ' ')
    .trim()
}

function faultsOf(kind: Passage['kind'], sentence: string, isFirst: boolean): string[] {
  const plain = sentence.replace(/\s+/g, ' ').trim()
  return [
    ...forbidden.flatMap(([word, mend]) => {
      const found = word.exec(plain)
      return found ? [`"${found[0]}" (${mend})`] : []
    }),
    ...(kind === 'description' && isFirst && pronoun.test(plain) ? ['begins with a pronoun'] : []),
  ]
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

function split(block: string): Intl.SegmentData[] {
  return /[.!?]\W/.test(block)
    ? [...segmenter.segment(block)]
    : [{ segment: block, index: 0, input: block }]
}

const blanks = (text: string) => text.replace(/[^\n]/g, ' ')
/** A word of the same length. The capital lets a sentence begin with it. */
const word = (text: string) => `X${'x'.repeat(text.length - 1)}`

/** The text with the same offsets, without code blocks and marks; inline code and URLs are a word each. */
function masked(text: string): string {
  return text
    .replace(/^([ \t]*)(```|~~~).*?^\s*\2[ \t]*$/gms, blanks)
    .replace(/<!--.*?-->/gs, blanks)
    .replace(/(`+)(?!`).+?(?<!`)\1(?!`)/gs, word)
    .replace(/!?\[([^\]]*)\](\([^)\s]*\))/g, (_, label: string, link: string) => {
      // A path or an address as the label is a word too.
      if (/^[^\s`]*[/.][^\s`]*$/.test(label)) return word(_)
      const lead = _.startsWith('!') ? '  ' : ' '
      return lead + label + ' '.repeat(link.length + 1)
    })
    .replace(/https?:\/\/[^\s)>]+[^\s)>.,;:]/g, word)
    .replace(/\*\*|<\/?[a-z][^>\n]*>/gi, blanks)
    .replace(/\{@link ([^}]*)\}/g, word)
    .replace(
      /@param\s+\S+|@(returns?|throws|see|deprecated)\b/g,
      (tag) => `\n\n${' '.repeat(tag.length - 2)}`,
    )
}

const listItem = /^\s*([-*+]|\d+[.)])\s+/
/** A row of the aligned columns of a help text. */
const columns = /\S {2,}\S+.* {2,}\S/
const heading = /^\s*#{1,6}\s/

/** Paragraphs, headings, items of lists and cells of tables, each with its offset. */
function blocks(text: string): { offset: number; text: string }[] {
  const found: { offset: number; text: string }[] = []
  let offset = 0
  let open = false
  for (const line of text.split('\n')) {
    const isTable = /^\s*\|.*\|\s*$/.test(line)
    const isCommand = /^\s*\$ /.test(line)
    const isSingle = heading.test(line) || columns.test(line)
    if (isTable) {
      for (const cell of line.matchAll(/[^|]+/g)) {
        found.push({ offset: offset + cell.index, text: cell[0] })
      }
    } else if (line.trim() !== '' && !isCommand) {
      const last = found.at(-1)
      if (open && last && !isSingle && !listItem.test(line)) last.text += ` ${line}`
      else found.push({ offset, text: line.replace(listItem, blanks) })
    }
    open = !isTable && !isCommand && !isSingle && line.trim() !== ''
    offset += line.length + 1
  }
  return found.filter((block) => /\p{L}/u.test(block.text))
}

const root = join(import.meta.dirname, '../../..')

/** Made by a tool, planted faults, data, and migrations, which never change once they have run. */
const notRead =
  /^(prisma\/(generated|migrations)\/|prisma\/pothos[.]ts$|examples\/(client\/schema|graphql\/documents)[.]ts$|docs\/errors[.]md$|core\/data\/|test\/gates\/planted\/|warehouse\/migrations\/|schema\/contract\/)/

/** The files whose sentences count: all of ours, or those that are or lie in a path of the list. */
export function proseFiles(paths: readonly string[] = ['']): string[] {
  const git = ['-c', 'safe.directory=*', 'ls-files', '-z', '-co', '--exclude-standard', '--']
  const listed = execFileSync('git', [...git, ...paths.map((path) => path || '.')], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))].filter(
    (path) =>
      /[.](md|ts|js|cjs|mjs|sql|prisma|graphql)$/.test(path) &&
      !notRead.test(path) &&
      existsSync(join(root, path)),
  )
}

/** The faults of the files, each `path:line: fault: sentence`. */
export function proseFaults(files: readonly string[]): string[] {
  return files.flatMap((path) =>
    sentenceFaults(path, readFileSync(join(root, path), 'utf8')).map(
      ({ line, fault, sentence }) => `${path}:${line}: ${fault}: ${sentence}`,
    ),
  )
}

if (import.meta.main) {
  const paths = process.argv.slice(2).map((path) => relative(root, path) || '.')
  const faults = proseFaults(proseFiles(paths.length > 0 ? paths : undefined))
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${faults.length} faults\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
