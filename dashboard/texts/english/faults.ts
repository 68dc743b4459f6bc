/** A column or field by the name that the reader knows; a part of a list by its number: “citations 2, url”. */
function nameOf(path: string, names: Readonly<Record<string, string>>): string {
  if (names[path]) return names[path]
  const numbered = path.replace(/\.(\d+)/g, (_, at: string) => ` ${Number(at) + 1}`)
  return `“${numbered.replaceAll('.', ', ')}”`
}

/**
 * A sentence of the service about a file or a setting, as a page writes it: without marks of code, and with the names
 * of the form.
 * @param names of fields, where the form calls them otherwise than the file
 */
export function inWords(sentence: string, names: Readonly<Record<string, string>> = {}): string {
  return sentence
    .replace(
      /`([\w.]+)` (must|is|names)\b/g,
      (_, path: string, verb: string) => `${nameOf(path, names)} ${verb}`,
    )
    .replace(/`([^`]*)`/g, '“$1”')
}
