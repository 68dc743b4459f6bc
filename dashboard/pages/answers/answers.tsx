import { Button, Card, Drawer, Group, Pill, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
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

/** A field of a line, which says what it is while it is empty; or of a sheet, below its name. */
const named = (label: string, isSheet: boolean) =>
  isSheet
    ? ({ label, size: 'sm' } as const)
    : ({ 'aria-label': label, placeholder: label, size: 'xs' } as const)

interface FieldsProps extends Pick<PageProps, 'project'> {
  readonly isSheet: boolean
}

/** Finds answers by their words. */
function Search({ isSheet }: Pick<FieldsProps, 'isSheet'>) {
  const { state, set } = useAddress()
  const search = useDebouncedCallback(
    (text: string) => set({ search: text || undefined, answer: undefined }),
    400,
  )
  return (
    <TextInput
      {...named(texts.search, false)}
      {...(isSheet && { flex: 1 })}
      leftSection={<IconSearch size={14} />}
      defaultValue={state.search}
      onChange={({ currentTarget }) => search(currentTarget.value)}
    />
  )
}

/** What answers can be found by, beside their words. */
function Fields({ project, isSheet }: FieldsProps) {
  const { state, set, window } = useAddress()
  const { data } = useQuestion(CompetitorIdsDocument, { project: project.id })
  const { data: choices } = useQuestion(FiltersDocument, { project: project.id, window })
  const domain = useDebouncedCallback(
    (text: string) => set({ domain: text || undefined, answer: undefined }),
    400,
  )
  const brands = [
    { value: project.id, label: project.name },
    ...(data?.project?.competitors?.nodes ?? []).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  ]
  const { no, yes, all } = t.shell.brandedChoices
  const width = (pixels: number) => (isSheet ? {} : { w: pixels })
  return (
    <>
      <Select
        {...named(t.columns.topic, isSheet)}
        {...width(150)}
        data={(choices?.project?.topics?.nodes ?? []).map(({ id, name }) => ({
          value: id,
          label: name,
        }))}
        value={state.topics ?? null}
        onChange={(value) => set({ topics: value ?? undefined, answer: undefined })}
        clearable
        searchable
      />
      <Select
        {...named(t.shell.branded, isSheet)}
        {...width(140)}
        placeholder={all}
        data={[
          { value: 'no', label: no },
          { value: 'yes', label: yes },
        ]}
        value={state.branded ?? null}
        onChange={(value) => set({ branded: value ?? undefined, answer: undefined })}
        clearable
      />
      <Select
        {...named(texts.brand, isSheet)}
        data={brands}
        value={state.brand ?? null}
        onChange={(value) => set({ brand: value ?? undefined, answer: undefined })}
        clearable
        searchable
      />
      <Select
        {...named(texts.sentiment, isSheet)}
        {...width(130)}
        data={Object.entries(texts.sentiments).map(([value, label]) => ({ value, label }))}
        value={state.sentiment ?? null}
        onChange={(value) => set({ sentiment: value ?? undefined, answer: undefined })}
        clearable
      />
      <TextInput
        {...named(texts.domain, isSheet)}
        defaultValue={state.domain}
        onChange={({ currentTarget }) => domain(currentTarget.value)}
      />
    </>
  )
}

/** The search that led here, and a way to all answers. */
function Query() {
  const { state, set } = useAddress()
  if (!state.query) return null
  return (
    <Pill
      withRemoveButton
      removeButtonProps={{ 'aria-label': texts.anyQuery, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={() => set({ query: undefined, answer: undefined })}
    >
      {texts.searchedFor(state.query)}
    </Pill>
  )
}

/** The filters of answers: in lines above the list, or in a sheet of a phone. */
function Controls({ project }: Pick<PageProps, 'project'>) {
  const { state } = useAddress()
  const [isOpen, { open, close }] = useDisclosure()
  const isSheet = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  if (!isSheet) {
    return (
      <>
        <Search isSheet={false} />
        <Fields project={project} isSheet={false} />
        <Query />
      </>
    )
  }
  const { topics, branded, brand, sentiment, domain } = state
  const active = [topics, branded, brand, sentiment, domain].filter(Boolean).length
  return (
    <>
      <Group gap="xs" wrap="nowrap" w="100%">
        <Search isSheet />
        <Button
          variant={active ? 'light' : 'default'}
          size="xs"
          flex="none"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={open}
        >
          {active ? texts.moreFiltersOf(active) : texts.moreFilters}
        </Button>
      </Group>
      <Query />
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="auto"
        title={texts.moreFilters}
      >
        <Stack gap="sm" pb="md">
          <Fields project={project} isSheet />
          <Button onClick={close}>{t.shell.show}</Button>
        </Stack>
      </Drawer>
    </>
  )
}

/** All answers, found by what they say, whom they mention and what they cite; or one of them. */
export function Answers({ project, detail }: PageProps) {
  const { state } = useAddress()
  if (detail) return <Answer project={project} answer={detail} />
  return (
    <AnswerReader
      project={project}
      filter={filterOf(state)}
      controls={<Controls project={project} />}
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
