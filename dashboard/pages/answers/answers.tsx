import { Card, Pill, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import {
  type AnswerFilter,
  type AnswerRowFragment,
  AnswersDocument,
  CompetitorIdsDocument,
  FiltersDocument,
  type OneAnswerFragment,
  OneAnswerPageDocument,
  SamePromptDocument,
  type Tone,
} from '../../documents.ts'
import { OneAnswer } from '../../parts/answer/answer.tsx'
import { AnswerReader, answersAsked, answersOf, brandsOf } from '../../parts/answer/reader.tsx'
import { textColumn } from '../../parts/columns.tsx'
import { Heading } from '../../parts/heading.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { Opening, PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { type AddressState, pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { prefetchPages } from '../../state/pages.ts'
import { t } from '../../texts/texts.ts'

const { answers: texts } = t

function filterOf({ brand, sentiment, domain, url, search, query }: AddressState): AnswerFilter {
  return {
    ...(brand && { brands: { all: [brand] } }),
    ...(sentiment && { sentiment: { is: [sentiment as Tone], ...(brand && { brandId: brand }) } }),
    ...(domain && { citedDomains: [domain] }),
    ...(url && { citedUrls: [url] }),
    ...(search && { search }),
    ...(query && { subQuery: query }),
  }
}

export const answersOpening: Opening = (visit) => {
  const { detail, state } = visit
  // Other mentions are found by the competitors, which are not known yet.
  if (detail || (state.mentions && state.mentions !== 'yes')) return undefined
  const variables = answersAsked(visit, { own: filterOf(state) })
  return prefetchPages(AnswersDocument, variables, answersOf)
}

/** All answers, found by what they say, whom they mention and what they cite; or one of them. */
export function Answers({ project, detail }: PageProps) {
  const { state, set, window } = useAddress()
  const { data } = useQuestion(CompetitorIdsDocument, { project: project.id })
  const { data: choices } = useQuestion(FiltersDocument, { project: project.id, window })
  const search = useDebouncedCallback(
    (text: string) => set({ search: text || undefined, answer: undefined }),
    400,
  )
  const domain = useDebouncedCallback(
    (text: string) => set({ domain: text || undefined, answer: undefined }),
    400,
  )
  if (detail) return <Answer project={project} answer={detail} />
  const brands = [
    { value: project.id, label: project.name },
    ...(data?.project?.competitors?.nodes ?? []).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  ]
  return (
    <AnswerReader
      project={project}
      filter={filterOf(state)}
      controls={
        <>
          <Select
            size="xs"
            placeholder={t.columns.topic}
            aria-label={t.columns.topic}
            data={(choices?.project?.topics?.nodes ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            }))}
            value={state.topics ?? null}
            onChange={(value) => set({ topics: value ?? undefined, answer: undefined })}
            clearable
            searchable
            w={150}
          />
          <Select
            size="xs"
            placeholder={t.shell.brandedChoices.all}
            aria-label={t.shell.branded}
            data={[
              { value: 'no', label: t.shell.brandedChoices.no },
              { value: 'yes', label: t.shell.brandedChoices.yes },
            ]}
            value={state.branded ?? null}
            onChange={(value) => set({ branded: value ?? undefined, answer: undefined })}
            clearable
            w={140}
          />
          <TextInput
            size="xs"
            leftSection={<IconSearch size={14} />}
            placeholder={texts.search}
            aria-label={texts.search}
            defaultValue={state.search}
            onChange={({ currentTarget }) => search(currentTarget.value)}
          />
          <Select
            size="xs"
            placeholder={texts.brand}
            aria-label={texts.brand}
            data={brands}
            value={state.brand ?? null}
            onChange={(value) => set({ brand: value ?? undefined, answer: undefined })}
            clearable
            searchable
          />
          <Select
            size="xs"
            placeholder={texts.sentiment}
            aria-label={texts.sentiment}
            data={Object.entries(texts.sentiments).map(([value, label]) => ({ value, label }))}
            value={state.sentiment ?? null}
            onChange={(value) => set({ sentiment: value ?? undefined, answer: undefined })}
            clearable
            w={130}
          />
          {state.query && (
            <Pill
              withRemoveButton
              removeButtonProps={{
                'aria-label': texts.anyQuery,
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => set({ query: undefined, answer: undefined })}
            >
              {texts.searchedFor(state.query)}
            </Pill>
          )}
          <TextInput
            size="xs"
            placeholder={texts.domain}
            aria-label={texts.domain}
            defaultValue={state.domain}
            onChange={({ currentTarget }) => domain(currentTarget.value)}
          />
        </>
      }
    />
  )
}

/** One answer at its own address. */
function Answer({ project, answer }: Pick<PageProps, 'project'> & { readonly answer: string }) {
  const { link } = useAddress()
  const query = useQuestion(OneAnswerPageDocument, { project: project.id, answer })
  const from = { label: texts.title, href: link(pathOf(project.id, 'answers')) }
  return (
    <Answered query={query}>
      {({ project: found }) => (
        <>
          <Heading title={found?.answer?.prompt.text ?? texts.missing} from={from} />
          {found?.answer && (
            <>
              <Card mb="md">
                <OneAnswer answer={found.answer} project={project} />
              </Card>
              <SamePrompt project={project} answer={found.answer} />
            </>
          )}
        </>
      )}
    </Answered>
  )
}

type SameAnswer = AnswerRowFragment

const sameColumns = (project: string): readonly Column<SameAnswer>[] => [
  textColumn(
    t.columns.platform,
    ({ platform }) => platform.displayName,
    ({ id, platform }) => (
      <PageLink project={project} to={['answers', id]}>
        {platform.displayName}
      </PageLink>
    ),
  ),
  {
    ...textColumn<SameAnswer>(texts.place, ({ location }) =>
      location ? t.place(location.countryCode, location.city) : '',
    ),
    isMinor: true,
  },
  textColumn(texts.brands, brandsOf),
  {
    ...textColumn<SameAnswer>(texts.sentiment, ({ sentiment }) =>
      sentiment ? texts.sentiments[sentiment] : '',
    ),
    isMinor: true,
  },
]

/** The other answers of the day to the prompt of an answer: other AI platforms and locations. */
function SamePrompt({
  project,
  answer,
}: Pick<PageProps, 'project'> & { readonly answer: OneAnswerFragment }) {
  const day = answer.collectedAt.slice(0, 10)
  const variables = {
    project: project.id,
    prompt: answer.prompt.id,
    window: { from: day, to: day },
  }
  return (
    <Answered query={useQuestion(SamePromptDocument, variables)} loading={null}>
      {({ project: found }) => (
        <Part
          title={texts.same}
          lead={t.day(answer.collectedAt)}
          empty={texts.noSame}
          asked={{ document: SamePromptDocument, variables }}
          columns={sameColumns(project.id)}
          rows={(found?.prompt?.answers?.nodes ?? []).filter(({ id }) => id !== answer.id)}
          keyOf={({ id }) => id}
        />
      )}
    </Answered>
  )
}
