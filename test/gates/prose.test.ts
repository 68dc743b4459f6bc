import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ourFiles, root } from '../kit/repository.ts'

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

/** A description makes sense without its parent: it names what it describes. */
const pronoun =
  /^(its?|they|them|theirs?|those|these|ones? (that|which|who|of)|what (is|are|was|were|it|they))\b/i

/** Made by a tool, planted faults, data, and migrations, which never change once they have run. */
const notRead =
  /^(prisma\/(generated|migrations)\/|prisma\/pothos[.]ts$|examples\/(client\/schema|graphql\/documents)[.]ts$|docs\/errors[.]md$|core\/data\/|test\/gates\/|warehouse\/migrations\/|schema\/contract\/)/

const descriptions = /"""(.*?)"""/gs
const comments = /\/\*\*.*?\*\/|(?:^[ \t]*(?:\/\/|--)[^\n]*\n)+/gms
/** Texts of several words: errors, helps, descriptions. */
const texts = /'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"/g

/** What people read as one piece in a file: paragraphs, comments, descriptions, and texts of the product. */
function passagesOf(path: string, text: string): string[] {
  if (path.endsWith('.md')) return text.replaceAll(/^(```|~~~).*?^\1$/gms, '').split(/\n\s*\n/)
  if (path.endsWith('.graphql'))
    return [...text.matchAll(descriptions)].map(([, inner]) => inner ?? '')
  const found = [...text.matchAll(comments)].map(([comment]) => comment)
  return path.startsWith('test/') ? found : [...found, ...(text.match(texts) ?? [])]
}

/** Code, links and marks are no prose. */
const plain = (passage: string) =>
  passage
    .replaceAll(/(`+).+?\1/gs, 'code')
    .replaceAll(/\]\([^)\s]*\)|https?:\/\/\S+/g, ' ')
    .replaceAll(/^[ \t]*(\/\*\*|\*\/?|\/\/|--)/gm, '')
    .replaceAll(/[*_]{2}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

function faultsOf(path: string, text: string): string[] {
  return passagesOf(path, text)
    .map(plain)
    .flatMap((passage) => [
      ...forbidden.flatMap(([word, mend]) =>
        word.test(passage) ? [`${path}: "${word.exec(passage)?.[0]}" (${mend}): ${passage}`] : [],
      ),
      ...(path.endsWith('.graphql') && pronoun.test(passage)
        ? [`${path}: begins with a pronoun: ${passage}`]
        : []),
    ])
}

test('our prose avoids the words that read badly', () => {
  const files = ourFiles().filter(
    (path) => /[.](md|ts|js|cjs|mjs|sql|prisma|graphql)$/.test(path) && !notRead.test(path),
  )
  expect(files).toContain('schema/schema.graphql')
  expect(files.flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8')))).toEqual(
    [],
  )
})

test('a word that reads badly is found in a page, a comment, a text and a description', () => {
  expect(faultsOf('docs/a.md', 'Good.\n\nThe import\nis told to stop.')).toHaveLength(1)
  expect(faultsOf('core/a.ts', '/**\n * The row came\n * again. */')).toHaveLength(1)
  expect(faultsOf('core/a.ts', "throw new Error('It is a queue, as it were.')")).toHaveLength(1)
  expect(faultsOf('schema/a.graphql', '"""Its name."""')).toHaveLength(1)
  expect(faultsOf('docs/a.md', 'The folder `anew` is renewed. The teller is untold.')).toEqual([])
})
