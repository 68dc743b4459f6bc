import { Alert, Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import {
  ApprovePlannedChangeDocument,
  type PlannedByClientFragment,
  PlannedChangeDocument,
  RefusePlannedChangeDocument,
} from '../documents.ts'
import { Fault } from '../parts/act.tsx'
import type { PageProps } from '../parts/page.ts'
import { Answered } from '../parts/states.tsx'
import { useQuestion } from '../state/ask.ts'
import { useChange } from '../state/change.ts'
import { plannedChange as texts } from '../texts/connecting.ts'

/** A change that waits is asked for again, since its client may apply it, or its time may end. */
const lookEveryMs = 3000

type Planned = PlannedByClientFragment

const colors = {
  waiting: 'yellow',
  approved: 'blue',
  refused: 'gray',
  applied: 'green',
  stale: 'red',
  expired: 'gray',
} as const satisfies Record<Planned['status'], string>

/** Whether the change may still be made. */
const isOpen = (status: Planned['status']) => status === 'waiting' || status === 'approved'

/** What the change costs, and what it takes of an allowance. */
function costsOf({ costUsd, allowance }: Planned): string[] {
  return [
    ...(costUsd == null ? [] : [texts.cost(costUsd)]),
    ...(allowance
      ? [texts.allowance(allowance.name, allowance.before, allowance.after, allowance.limit)]
      : []),
  ]
}

function Lines({ lines }: Pick<Planned, 'lines'>) {
  const hasBefore = lines.some(({ before }) => before != null)
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.what}</Table.Th>
            {hasBefore && <Table.Th>{texts.before}</Table.Th>}
            <Table.Th>{texts.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ label, before, after }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a plan never move
            <Table.Tr key={place}>
              <Table.Td>{label}</Table.Td>
              {hasBefore && <Table.Td className="wrap">{before ?? '–'}</Table.Td>}
              <Table.Td className="wrap">{after ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Decide({ project, planned }: { readonly project: string; readonly planned: Planned }) {
  const approve = useChange(ApprovePlannedChangeDocument)
  const refuse = useChange(RefusePlannedChangeDocument)
  const variables = { project, id: planned.id }
  const isBusy = approve.isPending || refuse.isPending
  if (!isOpen(planned.status)) return null
  if (!planned.canDecide) return <Text size="sm">{texts.needsRights}</Text>
  return (
    <>
      <Group>
        {planned.status === 'waiting' && (
          <Button
            loading={approve.isPending}
            disabled={isBusy}
            onClick={() => approve.mutate(variables)}
          >
            {texts.approve}
          </Button>
        )}
        <Button
          variant="default"
          loading={refuse.isPending}
          disabled={isBusy}
          onClick={() => refuse.mutate(variables)}
        >
          {texts.refuse}
        </Button>
      </Group>
      <Fault error={approve.error ?? refuse.error} />
    </>
  )
}

/** What the change does, where it is, and the two buttons. */
function Shown({ project, planned }: { readonly project: string; readonly planned: Planned }) {
  const { summary, status, lines, notes, client, expiresAt, canDecide } = planned
  useEffect(() => {
    document.title = `${summary} – ${texts.title}`
  }, [summary])
  const isWaiting = status === 'waiting'
  return (
    <Stack gap="md" maw={760}>
      <div>
        <Title order={1} className="wrap">
          {summary}
        </Title>
        <Text size="sm" c="dimmed" className="wrap">
          {texts.by(client ?? texts.aKey)}
        </Text>
      </div>
      <Alert
        role="status"
        color={colors[status]}
        title={isWaiting && !canDecide ? texts.waitsForOthers : texts.statuses[status]}
      >
        {texts.hints[status]} {isWaiting && canDecide && texts.until(expiresAt)}
      </Alert>
      {lines.length > 0 && (
        <Card component="section" aria-label={texts.changes} className="panel">
          <Lines lines={lines} />
        </Card>
      )}
      {[...(isOpen(status) ? costsOf(planned) : []), ...notes].map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      <Decide project={project} planned={planned} />
    </Stack>
  )
}

/** A plan of an old link, or of a link that was not copied whole. */
function Gone() {
  useEffect(() => {
    document.title = texts.title
  }, [])
  return (
    <Stack gap="md" maw={760}>
      <Title order={1}>{texts.title}</Title>
      <Alert role="status" color="gray" title={texts.goneTitle}>
        {texts.gone}
      </Alert>
    </Stack>
  )
}

/** A change that an AI client has planned: a person sees what it does, and approves or refuses it. */
export function PlannedChange({ project, detail = '' }: PageProps) {
  const variables = { project: project.id, id: detail }
  const query = useQuestion(PlannedChangeDocument, variables, {
    refetchInterval: ({ project: found }) => {
      const status = found?.plannedChange?.status
      return status && isOpen(status) ? lookEveryMs : false
    },
  })
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const planned = found?.plannedChange
        if (!planned) return <Gone />
        return <Shown project={project.id} planned={planned} />
      }}
    </Answered>
  )
}
