import {
  Badge,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { IconFileImport, IconPlus, IconSearch } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { Link } from 'wouter'
import { count, shown } from '../../../web/share/numbers.ts'
import {
  AddPromptsDocument,
  FiltersDocument,
  type OnePromptResultFragment,
  type PromptOutcome,
  type PromptResultSort,
  PromptsDocument,
  type PromptsQuery,
} from '../../documents.ts'
import { Delta } from '../../parts/figures.tsx'
import { ChangeForm } from '../../parts/form.tsx'
import { PromptLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import type { PageProps } from '../../parts/page.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { usePages } from '../../state/pages.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
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
  const List = lists[name]
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
      <List project={project} />
    </>
  )
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

function columnsOf(project: string): readonly Column<Row>[] {
  return [
    {
      name: t.columns.prompt,
      isText: true,
      isLong: true,
      value: ({ prompt }) => prompt?.text ?? '',
      show: ({ prompt }) => prompt && <PromptLink project={project} prompt={prompt} />,
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

/** A form for new prompts, one a line. */
function Add({ project }: PageProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        {texts.add}
      </Button>
      <Modal opened={isOpen} onClose={close} title={texts.add} size="lg">
        <ChangeForm
          document={AddPromptsDocument}
          layout="column"
          variablesOf={(text) => ({
            project: project.id,
            prompts: linesOf(text('prompts')).map((line) => ({ text: line })),
          })}
          submit={texts.add}
          onDone={({ addPrompts: answer }) => {
            if (answer && 'created' in answer) notifyDone(texts.added(answer.created))
            close()
          }}
        >
          <Textarea
            name="prompts"
            label={t.prompts.title}
            description={texts.addLead}
            rows={8}
            required
            withAsterisk={false}
            data-autofocus
          />
        </ChangeForm>
      </Modal>
    </>
  )
}

interface BarProps extends PageProps {
  readonly counts: Counts | undefined
  readonly total: number
}

/** Search, topic, and which prompts the list shows. */
function Bar({ project, counts, total }: BarProps) {
  const { state, set, link, window } = useAddress()
  const search = useDebouncedCallback((text: string) => set({ search: text || undefined }), 300)
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  const topics = (data?.project?.topics?.nodes ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const numbers: Readonly<Record<string, number | undefined>> = counts
    ? {
        all: counts.won + counts.lost + counts.even + counts.unanswered,
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
          className="scroll-x"
        />
      </Group>
      <Group gap="sm">
        <Button
          component={Link}
          href={link(pathOf(project.id, 'imports'))}
          variant="default"
          leftSection={<IconFileImport size={16} />}
        >
          {texts.importCsv}
        </Button>
        <Add project={project} />
      </Group>
    </Group>
  )
}

const isOutcome = (text: string | undefined): text is PromptOutcome =>
  text !== undefined && text !== 'all' && text in texts.states

function Tracked({ project }: PageProps) {
  const { window, filter, compare, state, set } = useAddress()
  const sort = (state.sort as PromptResultSort | undefined) ?? usualSort
  const [, by = 'gap', direction = 'asc'] = /^(.*)_(asc|desc)$/.exec(sort) ?? []
  const variables = {
    project: project.id,
    window,
    weeks: { days: 84 },
    answers: filter,
    sort,
    compare,
    filter: {
      ...filter,
      ...(state.search && { search: state.search }),
      ...(isOutcome(state.result) && { results: [state.result] }),
    },
  }
  const { query, rows, more, isLoadingMore } = usePages(
    PromptsDocument,
    variables,
    (answer) => answer.project?.promptResults,
  )
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const list = found?.promptResults
        const total = list?.totalCount ?? rows.length
        const counts = list?.counts
        const hasNone = !counts || counts.won + counts.lost + counts.even + counts.unanswered === 0
        if (hasNone && !state.search && !state.topics) {
          return (
            <>
              <Bar project={project} counts={counts} total={total} />
              <NoData project={project} />
            </>
          )
        }
        return (
          <>
            <Bar project={project} counts={counts} total={total} />
            <Part
              title={texts.list}
              lead={texts.listLead}
              empty={texts.none}
              asked={{ document: PromptsDocument, variables }}
              columns={columnsOf(project.id)}
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
