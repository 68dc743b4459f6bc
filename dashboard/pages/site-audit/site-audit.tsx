import {
  Button,
  Card,
  Group,
  Progress,
  RingProgress,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconRefresh, IconStethoscope } from '@tabler/icons-react'
import { shown } from '../../../web/share/numbers.ts'
import {
  CancelAuditDocument,
  type IssueStatus,
  type OneAuditFragment,
  SiteAuditDocument,
  type SiteAuditQuery,
  StartAuditDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { May } from '../../parts/may.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import type { Asked } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import { ExternalLinks } from './external-links.tsx'
import { Issues } from './issues.tsx'

const { siteAudit } = t
const isOfSite = ({ scores, isWholeSite }: OneAuditFragment) => scores && isWholeSite
const isOpen = ({ status }: OneAuditFragment) => status === 'queued' || status === 'running'

const gradeOf = (score: number) => (score >= 80 ? 'good' : score >= 60 ? 'fair' : 'poor')

/** Green from 80, orange below 60. */
const scoreColor = (score: number) => (score >= 80 ? 'teal' : score >= 60 ? 'yellow.7' : 'orange')

function scoreColumn(
  name: string,
  score: (scores: NonNullable<OneAuditFragment['scores']>) => number,
  isMinor = true,
): Column<OneAuditFragment> {
  return {
    name,
    isMinor,
    value: ({ scores }) => scores && score(scores),
    show: ({ scores }) => (scores ? shown(score(scores), 'score') : ''),
  }
}

const auditColumns: readonly Column<OneAuditFragment>[] = [
  {
    ...timeColumn<OneAuditFragment>(siteAudit.started, ({ createdAt }) => createdAt),
    isText: true,
  },
  textColumn(t.columns.state, ({ status, error }) => siteAudit.stateOf(t.states[status], error)),
  countColumn(siteAudit.pages, ({ pageCount }) => pageCount),
  countColumn(siteAudit.found, ({ issueCount }) => issueCount),
  scoreColumn(siteAudit.score, ({ overall }) => overall, false),
  scoreColumn(siteAudit.technical, ({ technical }) => technical),
  scoreColumn(siteAudit.content, ({ content }) => content),
  scoreColumn(siteAudit.aiReadiness, ({ aiReadiness }) => aiReadiness),
]

/** Starts an audit, or ends the one that runs. */
function Start({ project, open }: { project: string; open: OneAuditFragment | undefined }) {
  const start = useChange(StartAuditDocument)
  const cancel = useChange(CancelAuditDocument)
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="sm">
        {open && (
          <Text size="sm" c="dimmed" role="status">
            {siteAudit.running(open.progress.done, open.progress.total)}
          </Text>
        )}
        <May make={StartAuditDocument}>
          {open ? (
            <Button
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ project, id: open.id })}
            >
              {siteAudit.cancel}
            </Button>
          ) : (
            <Button
              leftSection={<IconRefresh size={16} />}
              loading={start.isPending}
              onClick={() => start.mutate({ project })}
            >
              {siteAudit.start}
            </Button>
          )}
        </May>
      </Group>
      <Fault error={start.error ?? cancel.error} />
    </Stack>
  )
}

interface ScoresProps {
  readonly latest: OneAuditFragment
  readonly before: OneAuditFragment | undefined
}

/** The score of the site in the latest audit, and its three parts. */
function Scores({ latest, before }: ScoresProps) {
  const { scores } = latest
  if (!scores) return null
  const change = before?.scores ? scores.overall - before.scores.overall : undefined
  const parts = [
    [siteAudit.technical, scores.technical],
    [siteAudit.content, scores.content],
    [siteAudit.aiReadiness, scores.aiReadiness],
  ] as const
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="md">
      <Card>
        <Group wrap="nowrap" gap="sm">
          <RingProgress
            size={84}
            thickness={9}
            roundCaps
            sections={[{ value: scores.overall, color: scoreColor(scores.overall) }]}
            label={
              <Text ta="center" fw={700}>
                {Math.round(scores.overall)}
              </Text>
            }
            aria-hidden
          />
          <div>
            <Text fw={650} component="h2">
              {siteAudit.scoreAs(gradeOf(scores.overall))}
            </Text>
            {change !== undefined && before && (
              <Text size="xs" c={change >= 0 ? 'teal' : 'red'}>
                {siteAudit.since(shown(change, 'points'), t.day(before.createdAt))}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {siteAudit.scoreOf(latest.pageCount, t.day(latest.createdAt))}
            </Text>
          </div>
        </Group>
      </Card>
      {parts.map(([name, score]) => (
        <Card key={name}>
          <Text size="sm" c="dimmed" fw={600} component="h2">
            {name}
          </Text>
          <Text className="figure-value">{Math.round(score)}</Text>
          <Progress value={score} color={scoreColor(score)} mt={6} aria-hidden />
        </Card>
      ))}
    </SimpleGrid>
  )
}

interface AuditsProps {
  readonly audits: readonly OneAuditFragment[]
  readonly asked: Asked<SiteAuditQuery, { project: string }>
}

function Audits({ audits, asked }: AuditsProps) {
  const scored = audits.filter(isOfSite).toReversed()
  return (
    <Part
      title={siteAudit.audits}
      asked={asked}
      {...(scored.length > 2 && {
        chart: (
          <Chart
            chart={{
              title: siteAudit.history,
              section: siteAudit.title,
              kind: 'line',
              unit: 'score',
              points: scored.map(({ createdAt, scores }) => ({
                label: t.dayOfYear(createdAt),
                value: scores?.overall ?? null,
                low: null,
                high: null,
                n: null,
              })),
            }}
          />
        ),
      })}
      columns={auditColumns}
      rows={audits}
      keyOf={({ id }) => id}
    />
  )
}

const refetchMs = 2000

const statusOf = ({ issues }: Visit['state']): IssueStatus =>
  issues === 'resolved' ? 'resolved' : 'open'

const variablesOf = ({ project, state }: Pick<Visit, 'project' | 'state'>) => ({
  project,
  issues: { statuses: [statusOf(state)] },
})

export const siteAuditOpening: Opening = (visit) => prefetch(SiteAuditDocument, variablesOf(visit))

/** What is wrong on the site: the score, and the issues by check. */
export function SiteAudit({ project }: PageProps) {
  const { state } = useAddress()
  const variables = variablesOf({ project: project.id, state })
  const asked = { document: SiteAuditDocument, variables }
  const query = useQuestion(SiteAuditDocument, variables, {
    refetchInterval: ({ project: found }) =>
      found?.audits?.nodes.some(isOpen) ? refetchMs : false,
  })
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found) return null
        const audits = found.audits?.nodes ?? []
        // The score of a page that was checked again is not that of the site.
        const [latest, before] = audits.filter(isOfSite)
        const open = audits.find(isOpen)
        if (audits.length === 0) {
          return (
            <Stack align="center" py="xl" gap="xs" ta="center">
              <IconStethoscope size={40} stroke={1.4} aria-hidden />
              <Title order={2}>{siteAudit.none}</Title>
              <Text c="dimmed">{siteAudit.noneLead}</Text>
              <Start project={project.id} open={undefined} />
            </Stack>
          )
        }
        return (
          <>
            {latest && <Scores latest={latest} before={before} />}
            <Issues
              project={project.id}
              found={found.issues}
              state={statusOf(state)}
              right={<Start project={project.id} open={open} />}
              asked={asked}
            />
            <ExternalLinks
              project={project.id}
              audit={audits.find(({ checksExternalLinks }) => checksExternalLinks)}
              isBusy={open !== undefined}
            />
            <Audits audits={audits} asked={asked} />
          </>
        )
      }}
    </Answered>
  )
}
