/** Fields of the graph under the keys that REST has for them: `usage` is `usage: citationRate`. */
export const underKeys = (fields: readonly string[], names: Readonly<Record<string, string>>) =>
  fields.map((field) => (names[field] ? `${field}: ${names[field]}` : field)).join(' ')
