import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { AlertsQuery } from '../../documents.ts'
import { PageLink } from '../../parts/links.tsx'
import { t } from '../../texts/texts.ts'

interface Warning {
  /** The page that shows more. */
  readonly page: string
  readonly text: string
}

function warningsOf(found: NonNullable<AlertsQuery['project']>): Warning[] {
  const { warnings: texts } = t.overview
  const { trafficStatus: traffic, runs, schedules, promptsWithoutAnswers, visibility } = found
  const warnings: Warning[] = []
  if (traffic?.status === 'stale' && traffic.lastEventAt) {
    warnings.push({ page: 'ai-traffic', text: texts.stale(t.moment(traffic.lastEventAt)) })
  }
  const [run] = runs?.nodes ?? []
  const counts = run?.coverage ?? []
  const failed = counts.reduce((sum, each) => sum + each.failed, 0)
  const asked = counts.reduce((sum, each) => sum + each.asked, 0)
  if (run && (run.status === 'failed' || failed > 0)) {
    warnings.push({
      page: 'data-collection',
      text: texts.run(t.moment(run.createdAt), failed, asked),
    })
  }
  const unanswered = promptsWithoutAnswers?.totalCount ?? 0
  // Without any answer the page says what comes first.
  if (unanswered > 0 && visibility?.summary.answerCount) {
    warnings.push({ page: 'prompts', text: texts.unanswered(unanswered) })
  }
  for (const { name, fault } of schedules?.nodes ?? []) {
    if (fault) warnings.push({ page: 'data-collection', text: texts.schedule(name, fault) })
  }
  return warnings
}

/** What is wrong with the data behind the numbers; nothing while all is well. */
export function Warnings({
  project,
  found,
}: {
  readonly project: string
  readonly found: AlertsQuery['project'] | undefined
}) {
  const warnings = found ? warningsOf(found) : []
  if (warnings.length === 0) return null
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle />}
      mb="md"
      p="sm"
      aria-label={t.overview.warnings.title}
    >
      <Stack gap={2}>
        {warnings.map(({ page, text }) => (
          <PageLink key={text} project={project} to={[page]} size="sm" c="inherit">
            {text}
          </PageLink>
        ))}
      </Stack>
    </Alert>
  )
}
