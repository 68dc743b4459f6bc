import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { count, shown } from '../../../web/share/numbers.ts'
import {
  AddPromptsDocument,
  DismissSuggestedPromptDocument,
  RestoreSuggestedPromptDocument,
  SearchesDocument,
  type SearchesQuery,
  SuggestedPromptsDocument,
  type SuggestedPromptsQuery,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { CountFigure, Figures } from '../../parts/figures.tsx'
import { PageLink } from '../../parts/links.tsx'
import { notifyDone, notifyFailure } from '../../parts/notify.ts'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useUndo } from '../../parts/undo.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'

type Fanout = NonNullable<NonNullable<SearchesQuery['project']>['queryFanout']>
type Search = Fanout['topQueries'][number]
type Suggestion = NonNullable<
  NonNullable<SuggestedPromptsQuery['project']>['suggestedPrompts']
>['nodes'][number]

const { prompts: texts } = t

/** A search as a link to the answers whose AI platform ran it. */
const searchColumn = <Row,>(project: string, of: (row: Row) => string): Column<Row> => ({
  ...textColumn<Row>(texts.query, of, (row) => (
    <PageLink project={project} to={['answers']} state={{ query: of(row) }}>
      {of(row)}
    </PageLink>
  )),
  isLong: true,
})

interface TrackProps {
  readonly project: string
  readonly text: string
  readonly topic?: string | undefined
}

/** Adds a search to the prompts that are tracked. */
function Track({ project, text, topic }: TrackProps) {
  const change = useChange(AddPromptsDocument)
  const may = useMay()
  if (!may(AddPromptsDocument)) return null
  if (change.isSuccess) {
    return (
      <Text size="sm" c="dimmed" span role="status">
        {texts.tracked}
      </Text>
    )
  }
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={change.isPending}
        aria-label={`${texts.track}: ${text}`}
        onClick={() =>
          change.mutate({ project, prompts: [{ text, ...(topic && { topicIds: [topic] }) }] })
        }
      >
        {texts.track}
      </Button>
      <Fault error={change.error} />
    </>
  )
}

const trackColumn = <Row,>(
  project: string,
  of: (row: Row) => Pick<TrackProps, 'text' | 'topic'>,
): Column<Row> => ({
  name: t.columns.actions,
  make: AddPromptsDocument,
  show: (row) => <Track project={project} {...of(row)} />,
})

const searchColumns = (project: string): readonly Column<Search>[] => [
  searchColumn(project, ({ query }) => query),
  countColumn(texts.times, (row) => row.count),
  { ...countColumn<Search>(t.prompts.title, ({ promptCount }) => promptCount), isMinor: true },
  {
    name: texts.ownPage,
    isText: true,
    isMinor: true,
    value: ({ page }) => page?.url ?? '',
    show: ({ page }) =>
      page ? (
        <PageLink project={project} to={['ai-traffic', page.id]} size="sm" className="wrap">
          {new URL(page.url).pathname}
        </PageLink>
      ) : (
        <Text size="sm" c="dimmed" span>
          {texts.noOwnPage}
        </Text>
      ),
  },
  {
    name: texts.lastSeen,
    isText: true,
    isMinor: true,
    value: ({ lastSeenOn }) => lastSeenOn,
    show: ({ lastSeenOn }) => lastSeenOn && t.day(lastSeenOn),
  },
  trackColumn(project, ({ query }) => ({ text: query })),
]

/** What the AI platforms searched for before they answered. */
export function Searches({ project }: PageProps) {
  const { window, filter } = useAddress()
  const variables = { project: project.id, window, filter, all: filter }
  const asked = { document: SearchesDocument, variables }
  return (
    <Answered query={useQuestion(SearchesDocument, variables)}>
      {({ project: found }) => {
        const fanout = found?.queryFanout
        if (!fanout) return null
        const { summary, topQueries } = fanout
        const without = topQueries.filter(({ page }) => page === null).length
        return (
          <>
            <Figures>
              <CountFigure
                label={texts.searchesRun}
                value={shown(summary.queryCount, 'count')}
                words={texts.searchesRunOf(summary.promptCount)}
              />
              <CountFigure
                label={texts.perAnswer}
                value={shown(summary.queriesPerAnswer, 'position')}
                words={texts.perAnswerOf}
              />
              <CountFigure
                label={texts.withoutPage}
                value={count(without)}
                words={texts.withoutPageOf(topQueries.length)}
              />
            </Figures>
            <Part
              title={texts.searches}
              lead={texts.searchesLead}
              empty={texts.noSearches}
              asked={asked}
              columns={searchColumns(project.id)}
              rows={topQueries}
              keyOf={({ query }) => query}
              size={20}
            />
          </>
        )
      }}
    </Answered>
  )
}

interface DismissProps {
  readonly project: string
  readonly text: string
  readonly isDismissed: boolean
}

/** Takes a suggestion off the list, with a way back in the message that says so; or puts it back. */
function Dismiss({ project, text, isDismissed }: DismissProps) {
  const dismiss = useChange(DismissSuggestedPromptDocument)
  const restore = useChange(RestoreSuggestedPromptDocument)
  const { offerInverse } = useUndo()
  const change = isDismissed ? restore : dismiss
  const label = isDismissed ? texts.suggestAgain : texts.dismiss
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      loading={change.isPending}
      aria-label={`${label}: ${text}`}
      onClick={() => {
        change.mutate(
          { project, text },
          {
            onError: notifyFailure,
            onSuccess: () => {
              if (isDismissed) return notifyDone(texts.suggestedAgain(text))
              offerInverse(RestoreSuggestedPromptDocument, { project, text }, texts.dismissed(text))
            },
          },
        )
      }}
    >
      {label}
    </Button>
  )
}

const suggestionColumns = (
  project: string,
  isDismissed: boolean,
): readonly Column<Suggestion>[] => [
  searchColumn(project, ({ text }) => text),
  countColumn(t.columns.answers, ({ answerCount }) => answerCount),
  {
    ...countColumn<Suggestion>(t.prompts.title, ({ promptCount }) => promptCount),
    isMinor: true,
  },
  { ...textColumn<Suggestion>(t.columns.topic, ({ topic }) => topic?.name ?? ''), isMinor: true },
  {
    ...textColumn<Suggestion>(t.shell.platforms, ({ platforms }) =>
      platforms.map(({ displayName }) => displayName).join(', '),
    ),
    isMinor: true,
  },
  {
    name: t.columns.actions,
    show: ({ text, topic }) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {!isDismissed && <Track project={project} text={text} topic={topic?.id} />}
        <Dismiss project={project} text={text} isDismissed={isDismissed} />
      </Group>
    ),
  },
]

/** Searches of several answers that no prompt tracks, or those of them that somebody dismissed. */
export function Suggested({ project }: PageProps) {
  const { filter } = useAddress()
  const [isDismissed, setDismissed] = useState(false)
  const variables = {
    project: project.id,
    filter: { isDismissed, ...(filter.topicIds && { topicIds: filter.topicIds }) },
  }
  const asked = { document: SuggestedPromptsDocument, variables }
  return (
    <Answered query={useQuestion(SuggestedPromptsDocument, variables)}>
      {({ project: found }) => (
        <Part
          title={texts.suggested}
          lead={texts.suggestedLead}
          empty={isDismissed ? texts.noneDismissed : texts.noSuggestions}
          asked={asked}
          right={
            <SegmentedControl
              size="xs"
              aria-label={texts.suggested}
              value={isDismissed ? 'dismissed' : 'open'}
              onChange={(value) => setDismissed(value === 'dismissed')}
              data={[
                { value: 'open', label: texts.openSuggestions },
                { value: 'dismissed', label: texts.dismissedSuggestions },
              ]}
            />
          }
          columns={suggestionColumns(project.id, isDismissed)}
          rows={found?.suggestedPrompts?.nodes ?? []}
          keyOf={({ suggestionId }) => suggestionId}
          size={20}
          whole={() =>
            wholeList(SuggestedPromptsDocument, variables, (all) => all.project?.suggestedPrompts)
          }
        />
      )}
    </Answered>
  )
}
