import { Button, Group, SegmentedControl, Skeleton, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  AddCompetitorDocument,
  DismissSuggestedCompetitorDocument,
  ReanalyzeDocument,
  RestoreSuggestedCompetitorDocument,
  SeenBrandsDocument,
  type SeenBrandsQuery,
} from '../../documents.ts'
import { Act, Fault } from '../../parts/act.tsx'
import { textColumn } from '../../parts/columns.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { PageProps } from '../../parts/page.ts'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { seenBrands as texts } from '../../texts/seeing.ts'
import { t } from '../../texts/texts.ts'
import { domainIn } from '../setup/domain.ts'

type Found = NonNullable<NonNullable<SeenBrandsQuery['project']>['suggestedCompetitors']>
type Brand = Found['competitors'][number]

interface TrackProps {
  readonly project: string
  readonly brand: Brand
  onTracked(): void
}

/** A form for the domain of one brand, filled in where the answers cite it. */
function Track({ project, brand, onTracked }: TrackProps) {
  const { name } = brand
  const [domain, setDomain] = useState(brand.domain ?? '')
  const [isTried, setTried] = useState(false)
  const change = useChange(AddCompetitorDocument)
  function track(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (domainIn(domain))
      change.mutate({ project, name, domain: domain.trim() }, { onSuccess: onTracked })
  }
  return (
    <form onSubmit={track}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          size="xs"
          flex={1}
          miw={120}
          value={domain}
          placeholder="example.com"
          aria-label={texts.domainOf(name)}
          onChange={({ currentTarget }) => setDomain(currentTarget.value)}
          error={isTried && !domainIn(domain) && texts.domainNeeded}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={change.isPending}
          aria-label={`${texts.track}: ${name}`}
        >
          {texts.track}
        </Button>
      </Group>
      <Fault error={change.error} />
    </form>
  )
}

const columnsOf = (
  project: string,
  answersRead: number,
  isDismissed: boolean,
  onTracked: () => void,
): readonly Column<Brand>[] => [
  textColumn(
    texts.brand,
    ({ name }) => name,
    ({ name }) => (
      <PageLink project={project} to={['answers']} state={{ search: `"${name}"` }}>
        {name}
      </PageLink>
    ),
  ),
  {
    name: texts.answers,
    value: ({ answerCount }) => answerCount,
    show: ({ answerCount }) => texts.of(answerCount, answersRead),
  },
  {
    name: texts.domain,
    make: AddCompetitorDocument,
    show: (brand) => (
      <Track key={brand.name} project={project} brand={brand} onTracked={onTracked} />
    ),
  },
  {
    name: texts.actions,
    make: DismissSuggestedCompetitorDocument,
    show: ({ name }) =>
      isDismissed ? (
        <Act
          label={texts.suggestAgain}
          of={name}
          document={RestoreSuggestedCompetitorDocument}
          variables={{ project, name }}
        />
      ) : (
        <Act
          label={texts.dismiss}
          of={name}
          document={DismissSuggestedCompetitorDocument}
          variables={{ project, name }}
          offer={({ offerInverse }) =>
            offerInverse(
              RestoreSuggestedCompetitorDocument,
              { project, name },
              texts.dismissed(name),
            )
          }
        />
      ),
  },
]

/**
 * Brands that answers list and nobody tracks, each with what it takes to track it, or to hear no more of it.
 * @param children what the page has below
 */
export function SeenBrands({ project, children }: PageProps & { readonly children: ReactNode }) {
  const [isDismissed, setDismissed] = useState(false)
  const variables = { project: project.id, isDismissed }
  const [isChanged, setChanged] = useState(false)
  const { data, isPending } = useQuestion(SeenBrandsDocument, variables)
  // What follows waits, so that nothing moves down when the brands come.
  if (isPending) return <Skeleton h={280} radius="md" />
  const found = data?.project?.suggestedCompetitors
  if (!found) return children
  const { competitors, dismissedCount, answersRead } = found
  if (competitors.length === 0 && dismissedCount === 0 && !isChanged) return children
  return (
    <>
      <Part
        title={texts.title}
        lead={texts.lead(answersRead)}
        asked={{ document: SeenBrandsDocument, variables }}
        right={
          (dismissedCount > 0 || isDismissed) && (
            <SegmentedControl
              size="xs"
              aria-label={texts.title}
              value={isDismissed ? 'dismissed' : 'open'}
              onChange={(value) => setDismissed(value === 'dismissed')}
              data={[
                { value: 'open', label: texts.open },
                { value: 'dismissed', label: texts.dismissedOnes(dismissedCount) },
              ]}
            />
          )
        }
        empty={isDismissed ? texts.noneDismissed : texts.none}
        columns={columnsOf(project.id, answersRead, isDismissed, () => setChanged(true))}
        rows={competitors}
        keyOf={({ name }) => name}
        after={
          isChanged && (
            <Group mt="md" gap="sm">
              <Text size="sm" role="status">
                {texts.recount}
              </Text>
              <Act
                label={t.settings.reanalyze}
                document={ReanalyzeDocument}
                variables={{ project: project.id }}
              />
            </Group>
          )
        }
      />
      {children}
    </>
  )
}
