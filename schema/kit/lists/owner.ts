/** The project of objects whose rows do not name it. Rows of memory belong to one project for good. */
const projects = new WeakMap<object, string>()

type Later<Value> = Value | Promise<Value>

/** Remembers the project of what a report answers, and of each row of a list. */
export function ownedBy<Answer>(projectId: string, answer: Answer): Answer {
  if (Array.isArray(answer)) for (const row of answer) ownedBy(projectId, row)
  else if (typeof answer === 'object' && answer !== null) projects.set(answer, projectId)
  return answer
}

/** The id of the project that an object belongs to. Parts of a report have it by `partOf`. */
export function projectOf(row: object): string {
  const id = projects.get(row)
  if (id === undefined) throw new Error('The project of the row is not known.')
  return id
}

/** A part of a report, or the rows of a part, which belong to the project of the report. */
export function partOf<Part>(report: object, part: Later<Part>): Later<Part> {
  const id = projects.get(report)
  // REST asks for no edges.
  if (id === undefined) return part
  return part instanceof Promise ? part.then((found) => ownedBy(id, found)) : ownedBy(id, part)
}
