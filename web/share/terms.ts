import type { SourceType } from '../../core/sites/source-types.ts'

/** The types of cited domains, as people read them. */
export const sourceTypes: Readonly<Record<SourceType, string>> = {
  brand: 'Your site',
  competitor: 'Competitor',
  editorial: 'Editorial',
  social: 'Social',
  forum: 'Forum',
  review: 'Reviews',
  institutional: 'Institution',
  third_party: 'Third party',
  other: 'Other',
}
