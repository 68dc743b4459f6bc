import { z } from 'zod'
import { countryCode } from '../../core/countries.ts'
import { readable } from '../../core/names.ts'
import { platformId, platformNames } from '../../core/platforms.ts'

const hourMs = 60 * 60 * 1000
const earliestMs = Date.parse('2000-01-01T00:00:00Z')
const uint32 = z.number().int().min(0).max(0xffffffff)

/** U+FFFD replaces lone surrogates, which UTF-8 cannot encode. */
const text = z.string().transform((value) => value.toWellFormed())

/** A name. U+FFFD replaces NUL too, which PostgreSQL cannot store. */
const label = (maxLength: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().replaceAll('\0', '\ufffd').trim())
    .pipe(z.string().max(maxLength))

const isoTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], {
  error: 'must be an ISO 8601 date or timestamp, such as 2025-05-24T15:56:04Z',
})

const collectedAtMs = z
  .string()
  .transform((value) => value.trim().replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T'))
  .pipe(isoTime)
  .transform((value, context) => {
    // JavaScript reads a timestamp without an offset as local time.
    const isLocal = value.length > 10 && !/(?:Z|[+-]\d{2}:\d{2})$/.test(value)
    const ms = Date.parse(isLocal ? `${value}Z` : value)
    if (ms < earliestMs) context.addIssue('must not be before the year 2000')
    if (ms > Date.now() + hourMs) context.addIssue('must not be in the future')
    return ms
  })

const platform = z.string().transform((value, context) => {
  const id = platformId(value)
  // A known platform has a name of its own.
  if (id !== null) return { id, name: platformNames.has(id) ? '' : value.trim().slice(0, 100) }
  context.addIssue('must be the name of a platform')
  return z.NEVER
})

const country = z.string().transform((value, context) => {
  const code = value.trim() === '' ? '' : countryCode(value.trim())
  if (code !== null) return code
  context.addIssue('must be an ISO 3166-1 code or the name of a country')
  return z.NEVER
})

const tones = { positive: 1, neutral: 0, negative: -1 } as const
const sentiment = z.union(
  [
    z.enum(['positive', 'neutral', 'negative']).transform((tone): number => tones[tone]),
    z.number().min(-1).max(1),
  ],
  { error: 'must be positive, neutral, negative, or a number from -1 to 1' },
)

const name = label(200).superRefine(readable)
const degrees = z.number().nullish()
const location = z.union(
  [
    name,
    z.object({
      countryCode: name.nullish(),
      country: name.nullish(),
      city: name.nullish(),
      region: name.nullish(),
      latitude: degrees,
      longitude: degrees,
    }),
  ],
  { error: 'must be text such as "Berlin, Germany", or an object with country, city and region' },
)

const citation = z.object({
  position: uint32.nullish(),
  url: text,
  title: text.nullish(),
  /** False: the assistant read the page, and the answer does not cite it. */
  cited: z.boolean().nullish(),
})

const product = z.object({
  rank: uint32.nullish(),
  brand: label(500).nullish(),
  name: label(2000).pipe(z.string().min(1, 'is empty')),
  price: z.union([text, z.number().transform(String)], { error: 'must be a string' }).nullish(),
})

const ad = z.object({
  position: uint32.nullish(),
  advertiser: label(500).pipe(z.string().min(1, 'is empty')),
  domain: text.nullish(),
  url: text.nullish(),
  title: label(2000).nullish(),
})

/** One line of an import of answers. Null counts as absent; other fields are stored as JSON. */
export const answerShape = z.object({
  prompt: label(2000).pipe(z.string().min(1, 'is empty')).superRefine(readable),
  topic: name.nullish(),
  platform,
  model: name.nullish(),
  run: uint32.nullish(),
  collectedAt: collectedAtMs,
  country: country.nullish(),
  location: location.nullish(),
  text: text.pipe(z.string().regex(/\S/, 'is empty')),
  citations: z.array(citation).nullish(),
  searchQueries: z.array(text).nullish(),
  products: z.array(product).nullish(),
  ads: z.array(ad).nullish(),
  sentiment: sentiment.nullish(),
})

export type AnswerFields = z.infer<typeof answerShape>
