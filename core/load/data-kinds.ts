/**
 * The kinds of data of a project. PostgreSQL counts a version of each, by triggers. `contents` are the stored texts of cited
 * pages. `records` are the traces of work: the audit trail, imports and runs.
 */
export const dataKinds = [
  'catalog',
  'answers',
  'traffic',
  'site',
  'contents',
  'integrations',
  'records',
] as const

export type DataKind = (typeof dataKinds)[number]

/** The version of each kind that has changed since the project was made. */
export type DataVersions = Readonly<Partial<Record<DataKind, string>>>

/** The versions of some kinds as a text, for the name of what is made of them. */
export const versionsOf = (versions: DataVersions, kinds: readonly DataKind[]): string =>
  kinds.map((kind) => versions[kind] ?? '0').join('.')
