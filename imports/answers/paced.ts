import { setImmediate as letOthersRun } from 'node:timers/promises'

const itemsBetweenTurns = 50
const charactersBetweenTurns = 64 * 1024

/** The items in order. Other requests run between them, after many items or long texts. */
export async function* paced<Item>(
  items: Iterable<Item>,
  textOf: (item: Item) => string,
): AsyncGenerator<Item, void> {
  let [passed, characters] = [0, 0]
  for (const item of items) {
    if (passed++ % itemsBetweenTurns === 0 || characters > charactersBetweenTurns) {
      await letOthersRun()
      characters = 0
    }
    characters += textOf(item).length
    yield item
  }
}
