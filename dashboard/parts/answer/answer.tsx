import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { OneAnswerFragment } from '../../documents.ts'
import { pathOf } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'
import { Copy } from '../copy.tsx'
import { DomainLink, PromptLink } from '../links.tsx'
import { Outside } from '../outside.tsx'
import type { Project } from '../page.ts'
import { marksOf } from './marks.ts'
import { Pieces, sourceId } from './pieces.tsx'
import { Prose } from './prose.tsx'

const { answers: texts } = t

/** Characters that are shown at first. Each press shows four times as many. */
const firstCharacters = 20_000
const growth = 4

/** The end of the last whole paragraph, or line, within a number of characters. */
function endWithin(text: string, characters: number): number {
  if (text.length <= characters) return text.length
  const ends = ['\n\n', '\n'].map((gap) => text.lastIndexOf(gap, characters))
  return ends.find((end) => end > 0) ?? characters
}

/** The text of an answer as people read it, or as the platform wrote it, with its brands and sources marked. */
function Words({ answer, asWritten }: { answer: OneAnswerFragment; asWritten: boolean }) {
  const [limit, setLimit] = useState(firstCharacters)
  const marks = useMemo(() => marksOf(answer), [answer])
  const { length } = answer.text
  const end = endWithin(answer.text, limit)
  if (asWritten) {
    return (
      <p className="answer-text source">
        <Pieces answer={answer} marks={marks} from={0} to={length} />
      </p>
    )
  }
  return (
    <div className="answer-text">
      <Prose answer={answer} marks={marks} end={end} />
      {end < length && (
        <Button size="xs" variant="default" onClick={() => setLimit(limit * growth)}>
          {texts.more(end, length)}
        </Button>
      )}
    </div>
  )
}

const sentimentColors = { positive: 'teal', neutral: 'gray', negative: 'red' } as const

/** The brands of the answer in their order, with how it speaks of each. */
function Brands({ answer }: { readonly answer: OneAnswerFragment }) {
  const { mentions } = answer
  if (mentions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.nobody}
      </Text>
    )
  }
  return (
    <Group gap="xs" component="ul" className="plain">
      {mentions
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ brand, rank, sentiment }) => (
          <li key={brand.id}>
            <Badge
              size="lg"
              variant={brand.isOwn ? 'filled' : 'light'}
              color={brand.isOwn ? 'indigo' : sentiment ? sentimentColors[sentiment] : 'gray'}
            >
              {texts.mention(
                brand.name,
                rank,
                sentiment && texts.sentiments[sentiment].toLowerCase(),
              )}
            </Badge>
          </li>
        ))}
    </Group>
  )
}

/** The address of one answer, which shows it to everyone who may see the project. */
function CopyLink({ project, answer }: { project: Project; answer: string }) {
  return (
    <Copy
      value={location.origin + pathOf(project.id, 'answers', answer)}
      label={t.tools.copy}
      done={t.tools.copied}
    />
  )
}

interface OneAnswerProps {
  readonly answer: OneAnswerFragment
  readonly project: Project
  /** Whether the page names the prompt already. */
  readonly isOfPrompt?: boolean
}

/** An answer as the AI platform gave it. */
export function OneAnswer({ answer, project, isOfPrompt = false }: OneAnswerProps) {
  const { platform, model, collectedAt, citations, searchQueries, location: place } = answer
  const [asWritten, setAsWritten] = useState(false)
  return (
    <article>
      <Group justify="space-between" align="flex-start" gap="xs" mb="xs">
        <Group gap="xs">
          <Title order={2}>{platform.displayName}</Title>
          {model && <Badge color="gray">{model}</Badge>}
          <Text size="sm" c="dimmed">
            {[t.day(collectedAt), place && t.place(place.countryCode, place.city)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Group>
        <Group gap={6}>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => setAsWritten(!asWritten)}
          >
            {asWritten ? texts.asRead : texts.asWritten}
          </Button>
          <CopyLink project={project} answer={answer.id} />
        </Group>
      </Group>
      {!isOfPrompt && <PromptLink project={project.id} prompt={answer.prompt} size="sm" />}
      <Words answer={answer} asWritten={asWritten} />
      <Stack gap="xs" mt="md">
        <Title order={3} size="sm">
          {texts.brands}
        </Title>
        <Brands answer={answer} />
        <Title order={3} size="sm" mt="xs">
          {texts.sources}
        </Title>
        {citations.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noSources}
          </Text>
        )}
        <ol className="sources">
          {citations.map((citation) => (
            <li key={citation.position} id={sourceId(answer.id, citation.position)}>
              <Outside url={citation.url} {...(citation.title && { name: citation.title })} />{' '}
              <DomainLink project={project.id} domain={citation.domain} size="xs" c="dimmed" />
            </li>
          ))}
        </ol>
        {searchQueries.length > 0 && (
          <>
            <Title order={3} size="sm">
              {texts.searches}
            </Title>
            <Group gap="xs">
              {searchQueries.map((query) => (
                <Badge key={query} color="gray" variant="outline">
                  {query}
                </Badge>
              ))}
            </Group>
          </>
        )}
      </Stack>
    </article>
  )
}
