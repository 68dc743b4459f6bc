import registry from '../data/answer-furniture.json' with { type: 'json' }
import { blot } from './characters.ts'

interface Furniture {
  /** The pattern is tried only where one of these stands in the text: a search for a word costs little. */
  readonly needles: readonly string[]
  readonly pattern: RegExp
}

const ofAll = 'any'

function furnitureOf(platform: string): Furniture[] {
  const own = registry.furniture.filter((one) => one.platform === platform)
  return own.map(({ needles, pattern }) => ({ needles, pattern: new RegExp(pattern, 'gmu') }))
}

const byPlatform = new Map<string, readonly Furniture[]>(
  registry.furniture.map(({ platform }) => [platform, furnitureOf(platform)]),
)

/** Masks the lines that a platform puts around its answers: prompts for feedback, source chips, share buttons. */
export function withoutFurniture(markdown: string, platform?: string): string {
  let text = markdown
  for (const owner of new Set([platform ?? ofAll, ofAll])) {
    for (const { needles, pattern } of byPlatform.get(owner) ?? []) {
      if (!needles.some((needle) => text.includes(needle))) continue
      text = text.replace(pattern, (found) => blot.repeat(found.length))
    }
  }
  return text
}
