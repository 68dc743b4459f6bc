import { type Brand, type BrandName, compileBrands, namesOfDomain } from './mentions.ts'
import { nameKey } from './names.ts'

/** A name that would count for two brands. */
export interface SharedName {
  readonly brandId: string
  /** The name as the brand has it. */
  readonly name: string
  readonly otherId: string
  /** The name as the other brand has it. */
  readonly otherName: string
}

interface OwnedName {
  readonly brandId: string
  readonly name: BrandName
}

function ownedNames({ id, names, domains }: Brand): OwnedName[] {
  return [...names, ...domains.flatMap(namesOfDomain)].map((name) => ({ brandId: id, name }))
}

/** Of some names, those that the matcher finds in a text. */
function namesIn(text: string, names: readonly OwnedName[]): OwnedName[] {
  const brands = names.map(({ name: { text: name, caseSensitive } }, at) => {
    return { id: String(at), isOwn: false, names: [{ text: name, caseSensitive }], domains: [] }
  })
  const found = compileBrands(brands).places(text)
  const ids = new Set(found.flatMap(({ brandId, setAside }) => (setAside ? [] : [brandId])))
  return names.filter(({ name }, at) => name.text === text || ids.has(String(at)))
}

/**
 * Names of different brands that are the same to the matcher: a text that is one of them names the other.
 * @param isAsked whether to compare a name; of all names of a project only a few are new
 */
export function sharedNames(
  brands: readonly Brand[],
  isAsked: (brandId: string, name: string) => boolean = () => true,
): SharedName[] {
  const byKey = Map.groupBy(brands.flatMap(ownedNames), ({ name }) => nameKey(name.text))
  return [...byKey].flatMap(([key, same]) => {
    if (key === '') return []
    return same.flatMap((asked) => {
      const { brandId, name } = asked
      if (!isAsked(brandId, name.text)) return []
      const others = same.filter((other) => other.brandId !== brandId)
      if (others.length === 0) return []
      const found = new Set(namesIn(name.text, others))
      for (const other of others) {
        if (namesIn(other.name.text, [asked]).length > 0) found.add(other)
      }
      return [...found].map((other): SharedName => {
        return { brandId, name: name.text, otherId: other.brandId, otherName: other.name.text }
      })
    })
  })
}
