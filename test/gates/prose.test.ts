import { describe, expect, test } from 'vitest'
import { proseFaults, proseFiles, sentenceFaults } from '../kit/gates/prose.ts'

const words = (count: number) => `${Array(count).fill('word').join(' ')}.`
const faults = (path: string, text: string) => sentenceFaults(path, text).map(({ fault }) => fault)

test('the sentences of our files are short and plain', () => {
  const mend =
    'short sentences, subject first, with the names of things: `node test/kit/gates/prose.ts PATH`'
  expect(proseFaults(proseFiles()), mend).toEqual([])
})

test('generated files, planted faults and data are not read', () => {
  const files = proseFiles()
  expect(files).toContain('README.md')
  expect(files).toContain('schema/schema.graphql')
  expect(files).not.toContain('docs/errors.md')
  expect(files.filter((path) => /\/(planted|generated|migrations|data)\//.test(path))).toEqual([])
})

describe('the length of a sentence', () => {
  test.each([
    ['a paragraph', 'docs/a.md', (text: string) => text],
    ['an item', 'docs/a.md', (text: string) => `- Short.\n- ${text}`],
    ['a cell', 'docs/a.md', (text: string) => `| a | b |\n|---|---|\n| c | ${text} |`],
    ['a description', 'schema/a.ts', (text: string) => `t.field({ description: '${text}' })`],
    ['a sum of strings', 'schema/a.ts', (text: string) => `t({ description: '' + '${text}' })`],
    ['a constant', 'schema/a.ts', (text: string) => `const a = '${text}'\nt({ description: a })`],
    ['a branch', 'core/a.ts', (text: string) => `f({ title: b ? 'Good.' : '${text}' })`],
    ['a variable', 'core/a.ts', (text: string) => `const message = '${text}'`],
    [
      'a template',
      'core/a.ts',
      (text: string) => `const message = \`\${text.slice(5)}${text.slice(4)}\``,
    ],
    ['an error', 'core/a.ts', (text: string) => `throw new Fault('gone', '${text}')`],
    ['an argument', 'core/a.ts', (text: string) => `throw invalid('days', '${text}')`],
    ['an option', 'cli/a.ts', (text: string) => `program.option('--days <n>', '${text}')`],
    [
      'an example',
      'cli/a.ts',
      (text: string) => `program.addHelpText('after', example('a', '${text}'))`,
    ],
    ['a command', 'cli/a.ts', (text: string) => `program.command('a').description('${text}')`],
    ['a stop', 'cli/a.ts', (text: string) => `throw new CliError('gone', '${text}')`],
    ['a type', 'schema/a.graphql', (text: string) => `"""\n${text}\n"""\ntype A { a: Int }`],
  ])('of %s is 20 words at most', (_, path, write) => {
    expect(faults(path, write(words(20)))).toEqual([])
    expect(faults(path, write(words(21)))).toEqual(['21 words, 20 at most'])
  })

  test.each([
    ['TSDoc', 'core/a.ts', (text: string) => `/** ${text} */\nexport const a = 1`],
    ['a tag', 'core/a.ts', (text: string) => `/**\n * Reads.\n *\n * @throws ${text}\n */`],
    ['lines', 'core/a.ts', (text: string) => `// ${text.slice(0, 29)}\n// ${text.slice(30)}`],
    ['JavaScript', 'cli/a.js', (text: string) => `const a = '//' // ${text}`],
    ['SQL', 'warehouse/a.sql', (text: string) => `-- ${text}\nSELECT 1`],
    ['Prisma', 'prisma/a.prisma', (text: string) => `/// ${text}\nmodel A {}`],
  ])('of a comment in %s is 25 words at most', (_, path, write) => {
    expect(faults(path, write(words(25)))).toEqual([])
    expect(faults(path, write(words(26)))).toEqual(['26 words, 25 at most'])
  })

  test('counts inline code, a link and a URL as a word each', () => {
    const many = '`a b c` [one](https://example.com/a-b) https://example.com/ '
    expect(faults('docs/a.md', many + words(17))).toEqual([])
    expect(faults('docs/a.md', many + words(18))).toEqual(['21 words, 20 at most'])
  })

  test('counts a sentence over the ends of lines, and each sentence alone', () => {
    expect(faults('docs/a.md', words(21).replaceAll(' ', '\n'))).toHaveLength(1)
    expect(faults('docs/a.md', `${words(15)} \`Code\` is ${words(15)}`)).toEqual([])
  })

  test.each([
    ['code', `\`\`\`sh\n${words(30)}\n\`\`\``],
    ['columns of help', `A  ${words(10)}  a\nB  ${words(10)}  b`],
    ['inline code', `\`${words(30)}\``],
  ])('does not count in %s', (_, text) => {
    expect(faults('docs/a.md', text)).toEqual([])
  })

  test.each([
    ['a string that nobody reads', 'core/a.ts', `const query = '${words(30)}'`],
    ['a pragma', 'core/a.ts', `// biome-ignore lint: ${words(30)}`],
    ['a test that sends it', 'test/a.test.ts', `send({ title: '${words(30)}' })`],
    ['a file of an unknown kind', 'data.json', words(30)],
  ])('does not count in %s', (_, path, text) => {
    expect(faults(path, text)).toEqual([])
  })
})

describe('a word that reads badly', () => {
  test.each([
    'The import is told to stop.',
    'The banner tells the address.',
    'The answers are counted anew.',
    'The names are those of old.',
    'The result hangs on the plan.',
    'The command brings in answers.',
    'The figures stand beside a floor.',
    'The row came again.',
    'What became of the import.',
    'Events are kept whatever becomes of the stores.',
    'It is a queue, as it were.',
    'The key is sent so that it can be checked.',
    'Nothing is asked of other hosts.',
  ])('is found: %s', (sentence) => {
    expect(faults('docs/a.md', sentence)).toHaveLength(1)
    expect(faults('core/a.ts', `/** ${sentence} */`)).toHaveLength(1)
  })

  test.each([
    'The store retries after a second.',
    'The folder `anew` is old.',
    'The hotel intelligently renewed a cancellation.',
    'The teller is untold.',
  ])('is not in: %s', (sentence) => {
    expect(faults('docs/a.md', sentence)).toEqual([])
  })
})

describe('a description', () => {
  const describing = (text: string) => faults('schema/a.ts', `t({ description: '${text}' })`)

  test.each([
    'It.',
    'Its name.',
    'Those that cite a page.',
    'One that is tracked.',
    'What is counted.',
  ])('does not begin with a pronoun: %s', (text) => {
    expect(describing(text)).toEqual(['begins with a pronoun'])
    expect(faults('schema/a.graphql', `"""${text}"""`)).toHaveLength(1)
  })

  test.each([
    'Percent of answers in the window that cite this URL.',
    'One row per day.',
    'Items of the page. It has 20 at most.',
  ])('passes: %s', (text) => {
    expect(describing(text)).toEqual([])
  })
})

test('a fault has the line on which its sentence begins', () => {
  const text = '# Title\n\nGood. The import\nis told. Good.\n'
  expect(sentenceFaults('docs/a.md', text)).toEqual([
    expect.objectContaining({ line: 3, sentence: 'The import is told.' }),
  ])
  const code = "f({\n  description:\n    'Good. ' +\n    'The import is told.',\n})\n"
  expect(sentenceFaults('schema/a.ts', code).map(({ line }) => line)).toEqual([4])
})
