import { Badge, Box, Button, Card, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import {
  type AnswerFilter,
  type AnswerRowFragment,
  AnswersDocument,
  type AnswersQuery,
  CompetitorIdsDocument,
  OneAnswerPageDocument,
} from '../../documents.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { usePages } from '../../state/pages.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { notifyFailure } from '../notify.ts'
import type { Project, Visit } from '../page.ts'
import { saveCsv } from '../save.ts'
import { Answered } from '../states.tsx'
import { OneAnswer } from './answer.tsx'

const { answers: texts } = t

/** "Kessler #1 · Lumora #2". */
export const brandsOf = ({ mentions }: AnswerRowFragment) =>
  mentions
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ brand, rank }) => texts.ranked(brand.name, rank))
    .join(' · ') || texts.noBrand

/** The part of the text that shows why the answer is in the list, with the hit marked. */
function Snippet({ snippet }: Pick<AnswerRowFragment, 'snippet'>) {
  const { text, start, end } = snippet
  if (start === null || end === null) return text
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}

/** From here on the list and the answer fit side by side. */
const isWide = () => matchMedia('(min-width: 62em)').matches

interface RowProps {
  readonly answer: AnswerRowFragment
  /** The page of the answer, which a narrow screen opens. */
  readonly href: string
  readonly isChosen: boolean
  /** Whether the list is of one prompt, which its page names. */
  readonly isOfPrompt: boolean
  onChoose(): void
}

function Row({ answer, href, isChosen, isOfPrompt, onChoose }: RowProps) {
  const own = answer.mentions.find(({ brand }) => brand.isOwn)
  return (
    <Link
      href={href}
      className="answer-row"
      aria-current={isChosen ? 'true' : undefined}
      onClick={(event) => {
        if (!isWide() || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onChoose()
      }}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} span>
          {answer.platform.displayName}
        </Text>
        <Text size="xs" c="dimmed" span className="nowrap">
          {t.dayOfYear(answer.collectedAt)}
        </Text>
      </Group>
      {!isOfPrompt && (
        <Text size="sm" lineClamp={1}>
          {answer.prompt.text}
        </Text>
      )}
      <Text size="xs" c="dimmed" lineClamp={2}>
        <Snippet snippet={answer.snippet} />
      </Text>
      <Group justify="space-between" wrap="nowrap" gap="xs" mt={4}>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {brandsOf(answer)}
        </Text>
        {own && (
          <Badge size="xs" color={answer.sentiment === 'negative' ? 'red' : 'teal'}>
            {texts.you(own.rank)}
          </Badge>
        )}
      </Group>
    </Link>
  )
}

interface ChosenProps {
  readonly project: Project
  readonly id: string
  readonly isOfPrompt: boolean
}

/** The answer that the reader chose, in full. */
function Chosen({ project, id, isOfPrompt }: ChosenProps) {
  const query = useQuestion(OneAnswerPageDocument, { project: project.id, answer: id })
  return (
    <Answered query={query} loading={<Skeleton h={320} />}>
      {({ project: found }) =>
        found?.answer ? (
          <OneAnswer answer={found.answer} project={project} isOfPrompt={isOfPrompt} />
        ) : (
          <Text c="dimmed">{texts.missing}</Text>
        )
      }
    </Answered>
  )
}

const fileColumns = [
  {
    name: t.columns.platform,
    value: ({ platform }: AnswerRowFragment) => platform.displayName,
  },
  { name: t.columns.prompt, value: ({ prompt }: AnswerRowFragment) => prompt.text },
  { name: 'Collected (UTC)', value: ({ collectedAt }: AnswerRowFragment) => collectedAt },
  { name: t.columns.sentiment, value: ({ sentiment }: AnswerRowFragment) => sentiment ?? '' },
  { name: texts.brands, value: brandsOf },
  { name: 'Excerpt', value: ({ snippet }: AnswerRowFragment) => snippet.text },
]

interface AnswerReaderProps {
  readonly project: Project
  /** Only answers to this prompt. */
  readonly prompt?: string
  /** What the page filters by beside its header. */
  readonly filter?: AnswerFilter
  /** The filter says already which brands the answers mention. */
  readonly hasNoMentions?: boolean
  /** Controls above the list. */
  readonly controls?: ReactNode
}

/** By whom an answer mentions: the filters of the list. */
function mentionsFilter(
  project: string,
  mentions: string | undefined,
  ids: readonly string[],
): AnswerFilter {
  if (mentions === 'yes') return { mentioned: true }
  if (mentions === 'competitors') return { mentioned: false, brands: { any: [...ids] } }
  if (mentions === 'none') return { brands: { none: [project, ...ids] } }
  return {}
}

/** The answers of a page: those of its header's filters, and of its own. */
export const answersAsked = (
  { project, window, filter, state }: Visit,
  { ids = [], own = {} }: { readonly ids?: readonly string[]; readonly own?: AnswerFilter },
) => ({
  project,
  window,
  filter: { ...filter, ...mentionsFilter(project, state.mentions, ids), ...own },
})

export const answersOf = (answer: AnswersQuery) => answer.project?.answers

/** A list of answers beside the one that is read. The address keeps both. */
export function AnswerReader({
  project,
  prompt,
  filter: own = {},
  hasNoMentions = false,
  controls,
}: AnswerReaderProps) {
  const address = useAddress()
  const { state, set, link } = address
  const { data: choices } = useQuestion(CompetitorIdsDocument, { project: project.id })
  const ids = choices?.project?.competitors?.nodes.map(({ id }) => id) ?? []
  const variables = answersAsked(
    { ...address, project: project.id },
    { ids, own: { ...own, ...(prompt !== undefined && { promptIds: [prompt] }) } },
  )
  const { query, rows, more, isLoadingMore } = usePages(AnswersDocument, variables, answersOf)
  const chosen = state.answer ?? rows[0]?.id
  async function saveAnswers() {
    const all = await wholeList(AnswersDocument, variables, answersOf)
    await saveCsv(texts.title, fileColumns, all)
  }
  return (
    <>
      <Group gap="sm" mb="sm">
        {!hasNoMentions && (
          <SegmentedControl
            size="xs"
            aria-label={t.columns.mentions}
            value={state.mentions ?? 'all'}
            onChange={(value) =>
              set({ mentions: value === 'all' ? undefined : value, answer: undefined })
            }
            data={Object.entries(texts.mentions).map(([value, label]) => ({ value, label }))}
          />
        )}
        {controls}
      </Group>
      <Answered query={query}>
        {({ project: found }) => (
          <>
            <Group justify="space-between" mb="xs">
              <Text size="sm" c="dimmed">
                {texts.found(found?.answers?.totalCount ?? rows.length)}
              </Text>
              {rows.length > 0 && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  onClick={() => void saveAnswers().catch(notifyFailure)}
                >
                  {t.tools.csv}
                </Button>
              )}
            </Group>
            {rows.length === 0 ? (
              <Text c="dimmed" ta="center" py="xl">
                {texts.none}
              </Text>
            ) : (
              <div className="reader">
                <Card p={0} component="section" aria-label={texts.title}>
                  {rows.map((answer) => (
                    <Row
                      key={answer.id}
                      answer={answer}
                      href={link(pathOf(project.id, 'answers', answer.id))}
                      isChosen={answer.id === chosen}
                      isOfPrompt={prompt !== undefined}
                      onChoose={() => set({ answer: answer.id })}
                    />
                  ))}
                  {more && (
                    <Box p="sm" ta="center">
                      <Button size="xs" variant="default" loading={isLoadingMore} onClick={more}>
                        {t.tools.more}
                      </Button>
                    </Box>
                  )}
                </Card>
                <Card component="section" aria-label={texts.open} className="reading">
                  {chosen ? (
                    <Chosen project={project} id={chosen} isOfPrompt={prompt !== undefined} />
                  ) : (
                    texts.choose
                  )}
                </Card>
              </div>
            )}
          </>
        )}
      </Answered>
    </>
  )
}
