import { Badge, Box, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import {
  type HistoryInterval,
  OverviewDetailsDocument,
  type OverviewQuery,
} from '../../documents.ts'
import { DomainLink, PageLink, type PageLinkProps } from '../../parts/links.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { waysOf } from '../opportunities/ways.ts'
import { Below } from './below.tsx'
import { Brands } from './brands.tsx'
import { Matrix } from './matrix.tsx'
import { Moved } from './moved.tsx'
import type { PartProps } from './part.ts'
import { rankedOf } from './ranked.ts'
import { Trend } from './trend.tsx'

interface ListProps
  extends Pick<PartProps, 'project' | 'asked'>,
    Pick<PageLinkProps, 'to' | 'state'> {
  readonly title: string
  readonly sub?: string
  /** The length of the whole list. */
  readonly count: number | null | undefined
  readonly none: string
  readonly children: readonly ReactNode[] | undefined
}

/** The first of a list, and a way to the page with all of it. */
function List({ title, sub, asked, count, none, children = [], ...page }: ListProps) {
  return (
    <Panel
      title={title}
      sub={sub}
      asked={asked}
      right={
        <PageLink size="xs" {...page}>
          {t.tools.all(count ?? 0)}
        </PageLink>
      }
    >
      {children.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <Stack gap="xs">{children}</Stack>
    </Panel>
  )
}

type Next = NonNullable<PartProps['found']['opportunities']>['nodes'][number]

/** An opportunity, and the way to what it is about. */
function Step({ project, step }: { readonly project: string; readonly step: Next }) {
  const [way] = waysOf(step)
  const { title, effect } = step
  return (
    <Box>
      <PageLink project={project} to={['opportunities']} size="sm" lineClamp={2} title={title}>
        {title}
      </PageLink>
      <Text size="xs" c="dimmed">
        {effect && t.opportunities.effect(effect.text)}
        {effect && way && ' · '}
        {way && (
          <PageLink
            project={project}
            to={way[1]}
            {...(way[2] && { state: way[2] })}
            underline="always"
          >
            {way[0]}
          </PageLink>
        )}
      </Text>
    </Box>
  )
}

/** The open opportunities with the largest expected effect. */
function NextSteps({ project, found: { opportunities }, asked }: PartProps) {
  const steps = opportunities?.nodes ?? []
  const page = { project, to: ['opportunities'] as const }
  return (
    <List
      title={t.overview.next}
      asked={asked}
      {...page}
      count={opportunities?.totalCount}
      none={t.overview.nextNone}
    >
      {steps.map((step) => (
        <Step key={step.id} project={project} step={step} />
      ))}
    </List>
  )
}

/** The prompts where a competitor is furthest ahead. */
function Lost({ project, found: { promptResults: lost }, asked }: PartProps) {
  return (
    <List
      title={t.overview.lost}
      asked={asked}
      project={project}
      to={['prompts']}
      state={{ result: 'lost' }}
      count={lost?.totalCount}
      none={t.overview.lostNone}
    >
      {lost?.nodes.map(({ prompt, topCompetitor, topCompetitorVisibility, visibility }) => (
        <Box key={prompt?.id}>
          <PageLink
            project={project}
            to={['prompts', prompt?.id ?? '']}
            size="sm"
            lineClamp={2}
            title={prompt?.text ?? ''}
          >
            {prompt?.text}
          </PageLink>
          <Text size="xs" c="dimmed">
            {t.overview.lostOf(
              topCompetitor?.name ?? '',
              shown(topCompetitorVisibility.value, 'percent'),
              shown(visibility.value, 'percent'),
            )}
          </Text>
        </Box>
      ))}
    </List>
  )
}

/** The domains that reach most answers which mention competitors and not the own brand. */
function ToWin({ project, found: { domainsToWin: toWin }, asked }: PartProps) {
  return (
    <List
      title={t.overview.toWin}
      sub={t.overview.toWinLead}
      asked={asked}
      project={project}
      to={['sources']}
      count={toWin?.totalCount}
      none={t.overview.toWinNone}
    >
      {toWin?.nodes.map(({ domain, type, lostAnswerCount }) => (
        <Group key={domain} justify="space-between" wrap="nowrap" gap="xs">
          <Group gap={8} miw={0}>
            <DomainLink
              project={project}
              domain={domain}
              state={{ mentions: 'competitors' }}
              size="sm"
            />
            <Badge color="gray" size="sm">
              {t.sourceTypes[type]}
            </Badge>
          </Group>
          <Text size="sm" className="nowrap">
            {t.answers.found(lostAnswerCount)}
          </Text>
        </Group>
      ))}
    </List>
  )
}

interface DetailsProps {
  readonly project: string
  readonly found: NonNullable<OverviewQuery['project']>
  readonly asked: Asked<OverviewQuery, { project: string; interval: HistoryInterval }>
}

/** What takes longer to count than the headline: it fills the page from its second row on. */
export function Details({ project, found: overview, asked: askedFirst }: DetailsProps) {
  const { window, filter, compare } = useAddress()
  const { dateRange: previous } = overview.visibility?.comparison ?? {}
  const variables = {
    project,
    window,
    previous,
    isCompared: previous !== undefined,
    filter,
    compare,
    interval: intervalOf(window),
    lost: { ...filter, results: ['lost' as const] },
    sources: filter,
  }
  const asked = { document: OverviewDetailsDocument, variables }
  const query = useQuestion(OverviewDetailsDocument, variables)
  const waiting = <Skeleton h={280} radius="md" />
  const part = (Part: ComponentType<PartProps>) => (
    <Answered query={query} loading={waiting}>
      {({ project: found }) => found && <Part project={project} found={found} asked={asked} />}
    </Answered>
  )
  const brandsOf = rankedOf(overview)
  return (
    <>
      <div className="wide-and-narrow">
        <Trend
          project={project}
          found={overview}
          details={query.data?.project ?? undefined}
          asked={askedFirst}
        />
        {part(Moved)}
      </div>
      <div className="wide-and-narrow even">
        <Brands found={overview} asked={askedFirst} project={project} />
        {part((props) => (
          <Matrix {...props} brands={brandsOf} />
        ))}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} mb="md">
        {part(Lost)}
        {part(ToWin)}
        {part(NextSteps)}
      </SimpleGrid>
      <Below project={project} />
    </>
  )
}
