import {
  Badge,
  Button,
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { count, shown } from '../../../web/share/numbers.ts'
import {
  FiltersDocument,
  type OnePromptResultFragment,
  PausedPromptsDocument,
  type PausedPromptsQuery,
  type PromptOutcome,
  type PromptResultSort,
  PromptsDocument,
  type PromptsQuery,
  SetPromptsTrackingDocument,
} from '../../documents.ts'
import { Delta } from '../../parts/figures.tsx'
import { PromptLink } from '../../parts/links.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useMay } from '../../state/may.ts'
import { prefetchPages, usePages } from '../../state/pages.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { AddPrompts } from './add.tsx'
import { Chosen, type ChosenPrompt } from './change.tsx'
import { Prompt } from './prompt.tsx'
import { Searches, Suggested } from './searches.tsx'

type Row = OnePromptResultFragment
type Counts = NonNullable<NonNullable<PromptsQuery['project']>['promptResults']>['counts']

const { prompts: texts } = t

/** Which prompts the brand wins and loses, or one of them. */
export function Prompts({ project, detail }: PageProps) {
  const { state, set } = useAddress()
  if (detail) return <Prompt project={project} prompt={detail} />
  const name =
    state.list !== undefined && state.list in lists ? (state.list as ListName) : 'prompts'
  const Shown = lists[name]
  return (
    <>
      <Tabs
        value={name}
        onChange={(value) => set({ list: value === 'prompts' ? undefined : (value ?? undefined) })}
        mb="md"
      >
        <Tabs.List className="tab-list">
          {Object.entries(texts.lists).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Shown project={project} />
    </>
  )
}

/** The prompts that are asked, or those that are paused. */
function Tracked({ project }: PageProps) {
  const { state } = useAddress()
  return state.result === 'paused' ? <PausedList project={project} /> : <List project={project} />
}

type ListName = keyof typeof texts.lists

/** What the service sorts by, by the names of columns. */
const sorts: Readonly<Record<string, string>> = {
  [t.columns.prompt]: 'text',
  [t.columns.visibility]: 'visibility',
  [texts.gap]: 'gap',
  [t.columns.answers]: 'answers',
  [texts.lostAnswers]: 'lost_answers',
}

const usualSort: PromptResultSort = 'gap_asc'

/** The prompts that the reader has chosen, by their ids. */
type Selection = ReadonlyMap<string, ChosenPrompt>

interface Selected {
  readonly selection: Selection
  select(next: Selection): void
}

/** A prompt with a box that selects it. */
function SelectedPrompt({
  project,
  prompt,
  selection,
  select,
}: Selected & { readonly project: string; readonly prompt: ChosenPrompt }) {
  const may = useMay()
  if (!may(SetPromptsTrackingDocument)) return <PromptLink project={project} prompt={prompt} />
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Checkbox
        size="xs"
        mt={3}
        aria-label={texts.select(prompt.text)}
        checked={selection.has(prompt.id)}
        onChange={({ currentTarget }) => {
          const next = new Map(selection)
          if (currentTarget.checked) next.set(prompt.id, prompt)
          else next.delete(prompt.id)
          select(next)
        }}
      />
      <PromptLink project={project} prompt={prompt} />
    </Group>
  )
}

/** A box that selects the prompts shown, or none. */
function SelectAll({
  prompts,
  selection,
  select,
}: Selected & { prompts: readonly ChosenPrompt[] }) {
  const may = useMay()
  if (!may(SetPromptsTrackingDocument)) return null
  return (
    <Checkbox
      size="xs"
      aria-label={texts.selectAll(prompts.length)}
      checked={selection.size > 0}
      indeterminate={selection.size > 0 && selection.size < prompts.length}
      onChange={({ currentTarget }) =>
        select(new Map(currentTarget.checked ? prompts.map((each) => [each.id, each]) : []))
      }
    />
  )
}

/** What can be done with the chosen prompts; it stays in sight while the list is scrolled. */
function SelectionBar({
  project,
  isPaused,
  selection,
  select,
}: PageProps & Selected & { readonly isPaused: boolean }) {
  if (selection.size === 0) return null
  return (
    <Paper withBorder shadow="md" p="xs" className="selection">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {texts.selected(selection.size)}
        </Text>
        <Button size="xs" variant="subtle" color="gray" onClick={() => select(new Map())}>
          {texts.selectNone}
        </Button>
        <Chosen
          project={project}
          prompts={[...selection.values()]}
          isPaused={isPaused}
          onDone={() => select(new Map())}
        />
      </Group>
    </Paper>
  )
}

function columnsOf(
  project: string,
  rows: readonly Row[],
  selected: Selected,
): readonly Column<Row>[] {
  return [
    {
      name: t.columns.prompt,
      head: <SelectAll prompts={rows.flatMap(({ prompt }) => prompt ?? [])} {...selected} />,
      isText: true,
      isLong: true,
      value: ({ prompt }) => prompt?.text ?? '',
      show: ({ prompt }) =>
        prompt && <SelectedPrompt project={project} prompt={prompt} {...selected} />,
    },
    {
      name: t.columns.topic,
      isText: true,
      isMinor: true,
      value: ({ prompt }) => prompt?.topics.map(({ name }) => name).join(', ') ?? '',
      show: ({ prompt }) => (
        <Group gap={4}>
          {prompt?.topics.map(({ id, name }) => (
            <Badge key={id} color="gray">
              {name}
            </Badge>
          ))}
        </Group>
      ),
    },
    {
      name: t.columns.visibility,
      value: ({ visibility }) => visibility.value,
      show: ({ visibility, change, answerCount }) =>
        answerCount > 0 && (
          <Group gap={6} justify="flex-end" wrap="nowrap">
            <Text size="sm" fw={600} span>
              {shown(visibility.value, 'percent')}
            </Text>
            <Delta change={change} unit="percent" isSmall />
          </Group>
        ),
    },
    {
      name: texts.weeks,
      isText: true,
      isMinor: true,
      show: ({ prompt }) => (
        <div className="sparkline-cell">
          <Sparkline
            label={t.columns.visibility}
            unit="percent"
            height={26}
            width={96}
            values={
              prompt?.visibilityHistory?.history.map(({ answerCount, metrics }) =>
                answerCount > 0 ? metrics.visibilityScore.value : null,
              ) ?? []
            }
          />
        </div>
      ),
    },
    {
      name: texts.topCompetitor,
      isText: true,
      value: ({ topCompetitor }) => topCompetitor?.name ?? '',
      show: ({ topCompetitor, topCompetitorVisibility, result }) =>
        topCompetitor && (
          <Text size="sm" fw={result === 'lost' ? 600 : 400}>
            {topCompetitor.name}{' '}
            <Text span c="dimmed" size="sm">
              {shown(topCompetitorVisibility.value, 'percent')}
            </Text>
          </Text>
        ),
    },
    {
      name: texts.gap,
      value: ({ gap }) => gap,
      show: ({ gap, result }) =>
        gap !== null && (
          <Text size="sm" span c={result === 'lost' ? 'red' : result === 'won' ? 'teal' : 'dimmed'}>
            {t.change.points(shown(gap, 'points'))}
          </Text>
        ),
    },
    {
      name: t.columns.answers,
      isMinor: true,
      value: ({ answerCount }) => answerCount,
      show: ({ answerCount }) => count(answerCount),
    },
    {
      name: texts.lostAnswers,
      isHidden: true,
      value: ({ lostAnswerCount }) => lostAnswerCount,
      show: ({ lostAnswerCount }) => count(lostAnswerCount),
    },
    {
      name: texts.intent,
      isText: true,
      isHidden: true,
      value: ({ prompt }) => (prompt?.intentCategory ? texts.intents[prompt.intentCategory] : ''),
      show: ({ prompt }) => (prompt?.intentCategory ? texts.intents[prompt.intentCategory] : ''),
    },
  ]
}

const allOf = ({ won, lost, even, unanswered }: Counts) => won + lost + even + unanswered

interface BarProps extends PageProps {
  readonly counts: Counts | undefined
  readonly total: number | undefined
}

/** Search, topic, and which prompts the list shows. */
function Bar({ project, counts, total }: BarProps) {
  const { state, set, window } = useAddress()
  const search = useDebouncedCallback((text: string) => set({ search: text || undefined }), 300)
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  const topics = (data?.project?.topics?.nodes ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const numbers: Readonly<Record<string, number | undefined>> = counts
    ? {
        all: allOf(counts),
        won: counts.won,
        lost: counts.lost,
        even: counts.even,
        unanswered: counts.unanswered,
      }
    : { all: total }
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group gap="sm" maw="100%">
        <TextInput
          leftSection={<IconSearch size={16} />}
          placeholder={texts.search}
          aria-label={texts.search}
          defaultValue={state.search}
          w={190}
          onChange={({ currentTarget }) => search(currentTarget.value)}
        />
        {topics.length > 0 && (
          <Select
            placeholder={texts.topic}
            aria-label={texts.topic}
            data={topics}
            value={state.topics ?? null}
            onChange={(value) => set({ topics: value ?? undefined })}
            clearable
            searchable
            w={150}
          />
        )}
        <SegmentedControl
          aria-label={t.columns.state}
          value={state.result ?? 'all'}
          onChange={(value) => set({ result: value === 'all' ? undefined : value })}
          data={Object.entries(texts.states).map(([value, label]) => {
            const number = numbers[value]
            return { value, label: number === undefined ? label : texts.stateOf(label, number) }
          })}
        />
      </Group>
      <Group gap="sm">
        <AddPrompts project={project} />
      </Group>
    </Group>
  )
}

const isOutcome = (text: string | undefined): text is PromptOutcome =>
  text !== undefined && text !== 'all' && text !== 'paused' && text in texts.states

type PausedRow = NonNullable<NonNullable<PausedPromptsQuery['project']>['prompts']>['nodes'][number]

function pausedColumns(
  project: string,
  rows: readonly PausedRow[],
  selected: Selected,
): readonly Column<PausedRow>[] {
  return [
    {
      name: t.columns.prompt,
      head: <SelectAll prompts={rows} {...selected} />,
      isText: true,
      isLong: true,
      value: ({ text }) => text,
      show: (prompt) => <SelectedPrompt project={project} prompt={prompt} {...selected} />,
    },
    {
      name: t.columns.topic,
      isText: true,
      value: ({ topics }) => topics.map(({ name }) => name).join(', '),
      show: ({ topics }) => topics.map(({ name }) => name).join(', '),
    },
  ]
}

/** Prompts that are not asked. */
function PausedList({ project }: PageProps) {
  const { state } = useAddress()
  const [selection, select] = useState<Selection>(new Map())
  const variables = {
    project: project.id,
    filter: {
      isTracked: false,
      ...(state.search && { search: state.search }),
      ...(state.topics && { topicIds: state.topics.split(',') }),
    },
  }
  const { query, rows, more, isLoadingMore } = usePages(
    PausedPromptsDocument,
    variables,
    (answer) => answer.project?.prompts,
  )
  return (
    <>
      <Bar project={project} counts={undefined} total={undefined} />
      <Answered query={query}>
        {({ project: found }) => (
          <>
            <Part
              title={texts.pausedList}
              lead={texts.pausedLead}
              empty={texts.noPaused}
              asked={{ document: PausedPromptsDocument, variables }}
              columns={pausedColumns(project.id, rows, { selection, select })}
              rows={rows}
              keyOf={({ id }) => id}
              whole={() =>
                wholeList(PausedPromptsDocument, variables, (all) => all.project?.prompts)
              }
              remote={{
                sortable: [],
                sorted: undefined,
                onSort: () => undefined,
                more,
                isLoading: isLoadingMore,
                words: texts.some(rows.length, found?.prompts?.totalCount ?? rows.length),
              }}
            />
            <SelectionBar project={project} isPaused selection={selection} select={select} />
          </>
        )}
      </Answered>
    </>
  )
}

const variablesOf = ({ project, window, filter, compare, state }: Visit) => ({
  project,
  window,
  weeks: { days: 84 },
  answers: filter,
  sort: (state.sort as PromptResultSort | undefined) ?? usualSort,
  compare,
  filter: {
    ...filter,
    ...(state.search && { search: state.search }),
    ...(isOutcome(state.result) && { results: [state.result] }),
  },
})

const resultsOf = (answer: PromptsQuery) => answer.project?.promptResults

export const promptsOpening: Opening = (visit) => {
  const isOther = visit.detail || visit.state.list || visit.state.result === 'paused'
  return isOther ? undefined : prefetchPages(PromptsDocument, variablesOf(visit), resultsOf)
}

function List({ project }: PageProps) {
  const [selection, select] = useState<Selection>(new Map())
  const address = useAddress()
  const { state, set } = address
  const variables = variablesOf({ ...address, project: project.id })
  const [, by = 'gap', direction = 'asc'] = /^(.*)_(asc|desc)$/.exec(variables.sort) ?? []
  const { query, rows, more, isLoadingMore } = usePages(PromptsDocument, variables, resultsOf)
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const list = found?.promptResults
        const total = list?.totalCount ?? rows.length
        const counts = list?.counts
        const hasNone = !counts || allOf(counts) === 0
        const bar = <Bar project={project} counts={counts} total={total} />
        if (hasNone && !state.search && !state.topics) {
          return (
            <>
              {bar}
              <NoData project={project} />
            </>
          )
        }
        return (
          <>
            {bar}
            <Part
              title={texts.list}
              lead={texts.listLead}
              empty={texts.none}
              asked={{ document: PromptsDocument, variables }}
              columns={columnsOf(project.id, rows, { selection, select })}
              rows={rows}
              keyOf={({ prompt }) => prompt?.id ?? ''}
              whole={() =>
                wholeList(PromptsDocument, variables, (all) => all.project?.promptResults)
              }
              remote={{
                sortable: Object.keys(sorts),
                sorted: {
                  column: Object.keys(sorts).find((name) => sorts[name] === by) ?? texts.gap,
                  isDescending: direction === 'desc',
                },
                onSort: (column, isDescending) =>
                  set({ sort: `${sorts[column] ?? 'gap'}_${isDescending ? 'desc' : 'asc'}` }),
                more,
                isLoading: isLoadingMore,
                words: texts.some(rows.length, total),
              }}
            />
            <SelectionBar
              project={project}
              isPaused={false}
              selection={selection}
              select={select}
            />
          </>
        )
      }}
    </Answered>
  )
}

/** The lists of the page, each a tab. */
const lists: Readonly<Record<ListName, ComponentType<PageProps>>> = {
  prompts: Tracked,
  searches: Searches,
  suggested: Suggested,
}
