import { jsonIn } from '../../json.ts'

/**
 * Marks that models of OpenAI write for the pages of ChatGPT, between private characters of Unicode:
 * `\ue200cite\ue202turn0search1\ue201`. Some arrive without the characters, or without their end.
 * @see https://platform.openai.com/docs/guides/citation-formatting
 */
const citation =
  /[ \t]?\ue200?(?:file)?cite(?:\ue202?turn\d+[a-z_]+\d+(?:\ue202?L\d+(?:-L?\d+)?)?)+\ue201?/g
const mark = /([ \t]?)\ue200([^\ue200-\ue202]*)\ue202?([^\ue200\ue201]*)\ue201/g
const privateCharacter = /[\ue200-\ue206]/g
const mayHave = /[\ue200-\ue206]|citeturn/

/** What a reader sees of a mark: the name of `["company","Acme","…"]`, or the title of a link. */
function shownOf(kind: string, content: string): string {
  if (kind === 'entity') {
    const entity = jsonIn(content)
    return Array.isArray(entity) && typeof entity[1] === 'string' ? entity[1] : ''
  }
  return kind === 'url' || kind === 'link_title' ? (content.split('\ue202')[0] ?? '') : ''
}

/** The text of an answer without the private marks of its model. */
export function withoutMarks(text: string): string {
  if (!mayHave.test(text)) return text
  return text
    .replace(citation, '')
    .replace(mark, (_all, space: string, kind: string, content: string) => {
      const shown = shownOf(kind, content)
      return shown === '' ? '' : space + shown
    })
    .replace(privateCharacter, '')
}
