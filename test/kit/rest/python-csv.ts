import { spawnSync } from 'node:child_process'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython && process.env.CI === 'true') throw new Error('python3 is missing')

export const lacksPython = !hasPython

const program = `
import csv, io, json, sys
csv.field_size_limit(10 ** 9)
text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', errors='strict', newline='')
print(json.dumps(list(csv.reader(text, strict=True))))
`

/** The records of a CSV file as Python's `csv` reads them, which must find nothing to forgive. */
export function readByPython(file: Buffer): string[][] {
  const options = { input: file, encoding: 'utf8', maxBuffer: 2 ** 30 } as const
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], options)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
