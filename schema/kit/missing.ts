import { isText, missingRule, placeOf } from '../../core/missing.ts'
import { fieldSentence, withGot } from '../../core/rule-text.ts'
import type { Problem } from './problem.ts'

/** The value of a mutation by which nothing was found. */
interface Missing {
  readonly argument: string
  readonly value: string | null
}

const owners = ['projectId', 'workspaceId']

/** What a mutation did not find: what the fault names; else the one id of an object; else the project or the workspace. */
export function missingIn({ fault, given }: Problem): Missing {
  const { missing } = fault.graph
  if (missing !== undefined) {
    const place = placeOf(missing, given)
    if (place) return { argument: place.join('.'), value: missing }
  }
  const texts = Object.entries(given).filter(([, value]) => isText(value))
  const ids = texts.filter(([name]) => name.endsWith('Id'))
  const [argument = 'projectId', value] =
    ids.find(([name]) => !owners.includes(name)) ?? ids[0] ?? texts[0] ?? []
  return { argument, value: isText(value) ? String(value) : null }
}

export const notFoundText = ({ argument, value }: Missing): string =>
  fieldSentence(argument, withGot(missingRule, value ?? undefined))

/** What to do about an id that finds nothing. */
export function howToFind({ argument }: Missing): string {
  if (argument === 'projectId') return 'Ask for `projects`, which lists the projects of the key.'
  if (argument === 'workspaceId') return 'Ask for `currentKey`, which has the workspace of the key.'
  return 'Read the object again: it was removed, or is of another project.'
}
