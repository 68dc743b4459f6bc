import { isMap, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import { fieldSentence, issueText, ruleOf } from '../../core/rule-text.ts'
import { CliError } from '../errors.ts'
import { readSmallFile } from '../input/input-file.ts'
import { type File, fileShape } from './shape.ts'

/** Where a value is in a file, such as `['workspaces', 0, 'name']`. */
export type Path = readonly (string | number)[]

export interface ProjectFile {
  readonly content: File
  /** An error about a place of the file: its line and the field. `rule` begins with a verb. */
  wrong(path: Path, rule: string): CliError
  /** An error of a change with the place of the file that asked for it. */
  placed(path: Path, error: unknown): unknown
}

/** `workspaces[0].projects[2].name` */
const fieldOf = (path: Path) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${part}`,
    '',
  )

type Issue = z.core.$ZodIssue

/** Of a value that may have two forms, the faults of the form that it was meant to have. */
function meant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isOther = ([first]: readonly Issue[]) =>
    first?.code === 'invalid_type' && first.path.length === 0
  const branch = issue.errors.find((issues) => !isOther(issues))
  if (!branch) return [{ ...issue, message: 'must be a text or an object' }]
  return branch.flatMap((each) => meant({ ...each, path: [...issue.path, ...each.path] }))
}

/**
 * Reads a project file, or standard input for "-".
 * @throws {CliError} `file_not_readable`; `invalid_file` with file, line and field of each fault
 */
export async function readProjectFile(name: string): Promise<ProjectFile> {
  const text = await readSmallFile(name)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const shown = name === '-' ? 'standard input' : name
  const lineAt = (offset: number) => `${shown}:${lines.linePos(offset).line}`
  const [fault] = document.errors
  if (fault) {
    const message = fault.message.replace(/\.$/, '')
    throw new CliError('invalid_file', `${lineAt(fault.pos[0])}: not valid YAML: ${message}.`)
  }

  /** The line of a value; of the nearest value around it where the file lacks it. */
  function lineOf(path: Path): string {
    for (let length = path.length; length > 0; length--) {
      const parent = document.getIn(path.slice(0, length - 1), true)
      const last = path[length - 1]
      const pair = isMap(parent)
        ? parent.items.find(({ key }) => `${key}` === last)?.key
        : undefined
      const node = pair ?? document.getIn(path.slice(0, length), true)
      const range = (node as { range?: readonly number[] } | undefined)?.range
      if (range?.[0] !== undefined) return lineAt(range[0])
    }
    return lineAt(0)
  }
  const wrong = (path: Path, rule: string, code = 'invalid_file') =>
    new CliError(code, `${lineOf(path)}: ${fieldSentence(fieldOf(path), rule)}`)

  function textOf(issue: Issue): { path: Path; text: string } {
    const path = issue.path as Path
    if (issue.code !== 'unrecognized_keys') return { path, text: issueText(issue) }
    return { path: [...path, issue.keys[0] ?? ''], text: 'is not a field of a project file' }
  }
  const result = fileShape.safeParse(document.toJS(), { error: ruleOf, reportInput: true })
  if (!result.success) {
    const messages = result.error.issues.flatMap(meant).map((issue) => {
      const { path, text } = textOf(issue)
      return path.length === 0
        ? `${lineAt(0)}: The file ${text}.`
        : `${lineOf(path)}: ${fieldSentence(fieldOf(path), text)}`
    })
    throw new CliError('invalid_file', messages.slice(0, 20).join('\n'), {
      extras: { count: messages.length },
    })
  }

  function placed(path: Path, error: unknown): unknown {
    if (!(error instanceof Fault)) return error
    const [field, [rule] = []] = Object.entries(error.extras.details?.fieldErrors ?? {})[0] ?? []
    if (field !== undefined && rule !== undefined) {
      const below = field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      return wrong([...path, ...below], rule, error.code)
    }
    return new CliError(error.code, `${lineOf(path)}: ${error.message}`)
  }
  return { content: result.data, wrong, placed }
}
