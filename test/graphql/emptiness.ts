/** Paths of an answer at which no object has a value or a row: `projects.nodes.topics.prompts.nodes`. */
export function emptyPaths(answer: unknown): string[] {
  const filled = new Map<string, boolean>()
  const visit = (value: unknown, path: string): void => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    filled.set(path, filled.get(path) === true || !isEmpty)
    if (Array.isArray(value)) for (const item of value) visit(item, path)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        visit(member, path === '' ? name : `${path}.${name}`)
      }
    }
  }
  visit(answer, '')
  return [...filled].flatMap(([path, isFilled]) => (isFilled ? [] : [path]))
}
