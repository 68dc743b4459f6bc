import type { Duplicates } from './duplicates.ts'
import { type Conditions, when } from './finding.ts'
import { isArticleLike, type ReadContext } from './site-context.ts'
import type { Tally } from './tally.ts'

/** An indexable page, and the indexable pages that share texts with it. */
export type IndexableContext = ReadContext & { readonly duplicates: Duplicates }

/** Another page may stand outside an audit of some pages, so that only a finding decides. */
function shared({ site }: IndexableContext, { n, first }: Tally) {
  if (n === 0) return site.facts.isWholeSite ? null : undefined
  return { n, evidence: first.map((address) => ({ address })) }
}

const outside = (length: number, least: number, most: number) =>
  when(length > 0 && (length < least || length > most), { n: length })

function leastWords(context: ReadContext): number {
  if (isArticleLike(context) || context.document.kind === 'documentation') return 200
  return context.document.kind === 'product' ? 80 : 40
}

/** Checks of the content of an indexable page. */
export const contentConditions: Conditions<IndexableContext> = {
  'title-missing': ({ document }) => when(document.title === null),
  'title-duplicate': (context) =>
    context.document.title === null ? null : shared(context, context.duplicates.titles),
  'title-length': ({ document: { titleLength, title } }) => {
    const outcome = outside(titleLength, 10, 65)
    return outcome && { ...outcome, evidence: [{ text: title ?? '' }] }
  },
  'description-missing': ({ document }) => when(document.description === null),
  'description-duplicate': (context) =>
    context.document.description === null ? null : shared(context, context.duplicates.descriptions),
  'description-length': ({ document: { descriptionLength, description } }) => {
    const outcome = outside(descriptionLength, 50, 160)
    return outcome && { ...outcome, evidence: [{ text: description ?? '' }] }
  },
  'h1-missing': ({ document }) => when(document.h1Count === 0),
  'h1-multiple': ({ document: { h1Count, h1 } }) =>
    when(h1Count > 1, { n: h1Count, evidence: h1.map((text) => ({ text })) }),
  'heading-order-skip': ({ document: { headingSkips } }) =>
    when(headingSkips.n > 0, { n: headingSkips.n, evidence: headingSkips.first }),
  'thin-content': (context) =>
    when(context.document.mainWords < leastWords(context), { n: context.document.mainWords }),
  'duplicate-content': (context) =>
    context.document.mainWords < 40 ? null : shared(context, context.duplicates.mains),
  'image-alt-missing': ({ document: { imagesWithoutAlt } }) =>
    when(imagesWithoutAlt.n > 0, { n: imagesWithoutAlt.n, evidence: imagesWithoutAlt.first }),
  'placeholder-text': ({ document }) => when(document.hasPlaceholder),
  'author-missing': (context) => when(isArticleLike(context) && !context.document.hasAuthor),
}
