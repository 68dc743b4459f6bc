import {
  Blockquote,
  Box,
  Group,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { PageLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { saveCsv } from '../../parts/save.ts'
import { sentimentColors, sentiments } from '../../parts/sentiments.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { weeksOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { type BelowProps, platformsOf } from './part.ts'

const SentimentBars = lazy(async () => ({
  default: (await import('../../parts/lines.tsx')).SentimentBars,
}))

/** The sentiment of the answers of each AI platform; each part of a bar opens its answers. */
function ByPlatform({ project, found }: Pick<BelowProps, 'project' | 'found'>) {
  const rows = platformsOf(found).flatMap(({ platform }) => {
    const counts = platform.sentiment?.summary
    const all = counts ? counts.positive + counts.neutral + counts.negative : 0
    return counts && all > 0 ? [{ ...platform, counts, all }] : []
  })
  if (rows.length < 2) return null
  return (
    <Box>
      <Title order={3} size="sm" mb="xs">
        {t.overview.sentimentByPlatform}
      </Title>
      <Stack gap="xs" component="ul" className="plain">
        {rows.map(({ slug, displayName, counts, all }) => (
          <li key={slug}>
            <Group justify="space-between" gap="xs">
              <PageLink
                project={project}
                to={['answers']}
                state={{ platforms: slug, mentions: 'yes' }}
                size="sm"
              >
                {displayName}
              </PageLink>
              <Group gap="xs">
                {sentiments.map((sentiment) => (
                  <PageLink
                    key={sentiment}
                    project={project}
                    to={['answers']}
                    state={{ platforms: slug, sentiment }}
                    size="xs"
                    c="dimmed"
                  >
                    {t.overview.sentimentCount(counts[sentiment], sentiment)}
                  </PageLink>
                ))}
              </Group>
            </Group>
            <Progress.Root size="md" aria-hidden>
              {sentiments.map((sentiment) => (
                <Progress.Section
                  key={sentiment}
                  value={(100 * counts[sentiment]) / all}
                  color={sentimentColors[sentiment]}
                  withAria={false}
                />
              ))}
            </Progress.Root>
          </li>
        ))}
      </Stack>
    </Box>
  )
}

/** How answers speak of the own brand, by week and by AI platform. */
export function SentimentOverTime({ project, found, asked }: BelowProps) {
  const { link, window } = useAddress()
  const [, go] = useLocation()
  const steps = (found.sentimentOverTime?.history ?? []).map((step) => ({
    ...step,
    label: t.dayOfYear(step.from),
  }))
  const rated = steps.reduce(
    (sum, { positive, neutral, negative }) => sum + positive + neutral + negative,
    0,
  )
  const unrated = steps.reduce((sum, step) => sum + step.unrated, 0)
  const columns = [
    { name: t.overview.date, value: ({ from }: (typeof steps)[number]) => from },
    ...sentiments.map((sentiment) => ({
      name: t.answers.sentiments[sentiment],
      value: (step: (typeof steps)[number]) => step[sentiment],
    })),
  ]
  return (
    <Panel
      title={t.overview.sentimentOverTime}
      sub={
        <>
          {t.overview.sentimentLead[weeksOf(window)]},{' '}
          <PageLink project={project} to={['settings', 'sentiment']} underline="always">
            {t.overview.sentimentBy(found.sentimentMethod.version)}
          </PageLink>
        </>
      }
      asked={asked}
      hasChart={rated > 0}
      saveCsv={rated > 0 ? () => saveCsv(t.overview.sentimentOverTime, columns, steps) : undefined}
    >
      {rated === 0 ? (
        <Text size="sm" c="dimmed">
          {t.overview.noSentiment}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Suspense fallback={<Skeleton h={240} />}>
            <SentimentBars
              title={t.overview.sentimentOverTime}
              steps={steps}
              spoken={steps
                .map(({ label, positive, neutral, negative }) =>
                  t.overview.sentimentSpoken(label, positive, neutral, negative),
                )
                .join('; ')}
              onOpen={(at) => {
                const step = steps[at]
                if (!step) return
                go(
                  link(pathOf(project, 'answers'), {
                    from: step.from,
                    to: step.to,
                    mentions: 'yes',
                  }),
                )
              }}
            />
          </Suspense>
          <ByPlatform project={project} found={found} />
        </SimpleGrid>
      )}
      {unrated > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t.overview.unrated(unrated)}{' '}
          <PageLink project={project} to={['settings', 'sentiment']} size="sm" underline="always">
            {t.overview.rateByModel}
          </PageLink>
        </Text>
      )}
    </Panel>
  )
}

const kinds = ['criticism', 'praise'] as const
const sentimentOfKind = { criticism: 'negative', praise: 'positive' } as const

/** The sentences by which answers are rated, each with its answer. */
export function Opinions({ project, found, asked }: BelowProps) {
  const [kind, setKind] = useState<(typeof kinds)[number]>(
    found.criticism?.totalCount ? 'criticism' : 'praise',
  )
  const list = found[kind]
  const sentiment = sentimentOfKind[kind]
  const quotes = (list?.nodes ?? []).map(({ opinions, snippet, ...answer }) => ({
    ...answer,
    text: opinions.find((opinion) => opinion.sentiment === sentiment)?.text ?? snippet.text,
  }))
  return (
    <Panel
      title={t.overview.opinions}
      asked={asked}
      right={
        <PageLink project={project} to={['answers']} state={{ sentiment }} size="xs">
          {t.tools.all(list?.totalCount ?? 0)}
        </PageLink>
      }
    >
      <SegmentedControl
        size="xs"
        fullWidth
        mb="sm"
        aria-label={t.overview.opinions}
        value={kind}
        onChange={(value) => setKind(value as typeof kind)}
        data={kinds.map((value) => ({ value, label: t.overview.opinionsOf[value] }))}
      />
      {quotes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.overview.noOpinions[kind]}
        </Text>
      )}
      <Stack gap="md">
        {quotes.map(({ id, text, platform, collectedAt }) => (
          <Box key={id}>
            <Blockquote color={kind === 'praise' ? 'teal' : 'red'} p={0} pl="sm" className="quote">
              <Text size="sm" className="wrap">
                {text}
              </Text>
            </Blockquote>
            <PageLink project={project} to={['answers', id]} size="xs" ml="sm">
              {t.overview.opinionFrom(platform.displayName, t.day(collectedAt))}
            </PageLink>
          </Box>
        ))}
      </Stack>
    </Panel>
  )
}
