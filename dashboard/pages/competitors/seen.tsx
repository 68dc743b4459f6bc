import { Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  AddCompetitorDocument,
  ReanalyzeDocument,
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

/** Brands that answers list and nobody tracks, each with what it takes to track it. */
export function SeenBrands({ project }: PageProps) {
  const asked = { document: SeenBrandsDocument, variables: { project: project.id } }
  const [isChanged, setChanged] = useState(false)
  const { data } = useQuestion(SeenBrandsDocument, asked.variables)
  const found = data?.project?.suggestedCompetitors
  if (!found || (found.competitors.length === 0 && !isChanged)) return null
  const columns: readonly Column<Brand>[] = [
    textColumn(
      texts.brand,
      ({ name }) => name,
      ({ name }) => (
        <PageLink project={project.id} to={['answers']} state={{ search: `"${name}"` }}>
          {name}
        </PageLink>
      ),
    ),
    {
      name: texts.answers,
      value: ({ answerCount }) => answerCount,
      show: ({ answerCount }) => texts.of(answerCount, found.answersRead),
    },
    {
      name: texts.domain,
      make: AddCompetitorDocument,
      show: (brand) => (
        <Track
          key={brand.name}
          project={project.id}
          brand={brand}
          onTracked={() => setChanged(true)}
        />
      ),
    },
  ]
  return (
    <Part
      title={texts.title}
      lead={texts.lead(found.answersRead)}
      asked={asked}
      columns={columns}
      rows={found.competitors}
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
  )
}
