const names = new Set([
  'slug',
  'displayName',
  'id',
  'text',
  'name',
  'domain',
  'isOwn',
  'city',
  'countryCode',
])

/** An answer of the graph in the shape of REST: an object of which one name was asked is that name, as `platform { slug }`. */
export function flat<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(flat) as Value
  if (typeof value !== 'object' || value === null) return value
  const [[key, only] = ['', undefined], ...others] = Object.entries(value)
  if (others.length === 0 && names.has(key)) return only as Value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, flat(of)])) as Value
}
