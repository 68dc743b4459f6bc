import { describe, expect, test } from 'vitest'
import { proseFaults, proseFiles, sentenceFaults } from '../kit/gates/prose.ts'

const faults = (path: string, text: string) => sentenceFaults(path, text).map(({ fault }) => fault)

test('our prose avoids the words that read badly', () => {
  const mend = 'write the words in parentheses: `node test/kit/gates/prose.ts PATH` lists them'
  expect(proseFaults(proseFiles()), mend).toEqual([])
})

test('generated files, planted faults and data are not read', () => {
  const files = proseFiles()
  expect(files).toContain('README.md')
  expect(files).toContain('schema/schema.graphql')
  expect(files).not.toContain('docs/errors.md')
  expect(files.filter((path) => /\/(planted|generated|migrations|data)\//.test(path))).toEqual([])
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
