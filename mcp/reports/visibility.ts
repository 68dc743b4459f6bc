import {
  VisibilityByDayDocument,
  VisibilityByDefinitionDocument,
  VisibilityByLocationDocument,
  VisibilityByPlatformDocument,
  VisibilityByPromptDocument,
  VisibilityByTopicDocument,
  VisibilityTotalDocument,
} from '../documents.ts'
import { type Change, type Column, changeColumns, type Sure, sureColumns } from '../table.ts'
import { aboutOf, paged, report, whole } from './report.ts'

export const visibilityTotal = report(
  VisibilityTotalDocument,
  { page: 'overview' },
  ({ visibility }, isCompared) => ({
    ...aboutOf(visibility),
    ...whole(visibility && [visibility.summary], [
      ...sureColumns<NonNullable<typeof visibility>['summary']>(
        'visibility',
        ({ metrics }) => metrics.visibilityScore,
      ),
      ['average_position', ({ metrics }) => metrics.averagePosition.value],
      ...changeColumns<NonNullable<typeof visibility>['summary']>(
        isCompared,
        ({ changes }) => changes?.visibilityScore,
      ),
    ]),
  }),
)

interface Visible {
  readonly metrics: {
    readonly visibilityScore: Sure
    readonly averagePosition?: { readonly value?: number | null }
  }
  readonly change?: Change | null
}

/** Visibility of each part, after the columns that name it. */
const visibleColumns = <Row extends Visible>(
  names: readonly Column<Row>[],
  { hasPosition, isCompared }: { readonly hasPosition: boolean; readonly isCompared: boolean },
): Column<Row>[] => [
  ...names,
  ...sureColumns<Row>('visibility', ({ metrics }) => metrics.visibilityScore),
  ...(hasPosition
    ? [
        [
          'average_position',
          ({ metrics }: Row) => metrics.averagePosition?.value,
        ] satisfies Column<Row>,
      ]
    : []),
  ...changeColumns<Row>(isCompared, ({ change }) => change),
]

export const visibilityByDay = report(VisibilityByDayDocument, { page: 'overview' }, (project) => ({
  ...aboutOf(project.visibility),
  ...whole(
    project.visibilityHistory?.history,
    visibleColumns([['date', ({ date }) => date]], { hasPosition: true, isCompared: false }),
  ),
}))

export const visibilityByTopic = report(
  VisibilityByTopicDocument,
  { page: 'overview' },
  (project, isCompared) => ({
    ...aboutOf(project.visibility),
    ...paged(
      project.visibilityByTopic,
      visibleColumns([['topic', ({ topic }) => topic.name]], { hasPosition: false, isCompared }),
    ),
  }),
)

export const visibilityByPrompt = report(
  VisibilityByPromptDocument,
  { page: 'prompts' },
  (project, isCompared) => ({
    ...aboutOf(project.visibility),
    ...paged(
      project.visibilityByPrompt,
      visibleColumns(
        [
          ['prompt_id', ({ prompt }) => prompt.id],
          ['prompt', ({ prompt }) => prompt.text],
        ],
        { hasPosition: true, isCompared },
      ),
    ),
  }),
)

export const visibilityByPlatform = report(
  VisibilityByPlatformDocument,
  { page: 'overview' },
  ({ visibility }, isCompared) => ({
    ...aboutOf(visibility),
    ...whole(
      visibility?.platforms,
      visibleColumns([['platform', ({ platform }) => platform.displayName]], {
        hasPosition: true,
        isCompared,
      }),
    ),
  }),
)

export const visibilityByLocation = report(
  VisibilityByLocationDocument,
  { page: 'overview' },
  (project, isCompared) => ({
    ...aboutOf(project.visibility),
    ...paged(
      project.visibilityByLocation,
      visibleColumns(
        [
          ['country', ({ location }) => location.countryCode],
          ['city', ({ location }) => location.city],
        ],
        { hasPosition: false, isCompared },
      ),
    ),
  }),
)

/** Why two tools show different numbers of the same answers. */
export const visibilityByDefinition = report(
  VisibilityByDefinitionDocument,
  { page: 'overview' },
  ({ visibility, visibilityDefinitions }) => ({
    ...aboutOf(visibility),
    ...whole(visibilityDefinitions?.definitions, [
      ['definition', ({ name }) => name],
      ['percent', ({ value }) => value],
      ['n', ({ numerator }) => numerator],
      ['of', ({ denominator }) => denominator],
      ['meaning', ({ meaning }) => meaning],
      ['used_by', ({ usedBy }) => usedBy],
    ]),
  }),
)
