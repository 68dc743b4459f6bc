import {
  Badge,
  Button,
  Collapse,
  Group,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import { AcknowledgeAlarmDocument, type OneAlarmFragment } from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { alerts as texts } from '../../texts/english/alerts.ts'
import { t } from '../../texts/texts.ts'
import { Evidence } from './evidence.tsx'
import { isMuted, Mute } from './mute.tsx'

interface AlarmProps {
  readonly project: string
  readonly alarm: OneAlarmFragment
}

/** Acknowledges an alarm, with a note where there is something to say. */
function Acknowledge({ project, alarm }: AlarmProps) {
  const change = useChange(AcknowledgeAlarmDocument)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { id, text, acknowledgedAt, acknowledgedBy } = alarm
  if (acknowledgedAt !== null) {
    const who = acknowledgedBy?.name || acknowledgedBy?.email || texts.somebody
    return (
      <Text size="xs" c="dimmed">
        {texts.seen(who, t.day(acknowledgedAt))}
      </Text>
    )
  }
  if (!may(AcknowledgeAlarmDocument)) return null
  if (!isOpen) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${texts.acknowledge}: ${text}`}
        onClick={() => setOpen(true)}
      >
        {texts.acknowledge}
      </Button>
    )
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const note = String(new FormData(event.currentTarget).get('note')).trim()
    change.mutate({ project, id, note: note || null })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          name="note"
          label={texts.noteLabel}
          maxLength={500}
          ref={(field) => field?.focus()}
        />
        <Button size="xs" type="submit" loading={change.isPending}>
          {texts.acknowledge}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => setOpen(false)}>
          {t.act.cancel}
        </Button>
      </Group>
      <Fault error={change.error} />
    </form>
  )
}

const pageOf = {
  data_degraded: ['data-collection', texts.toData],
  tracker: ['ai-traffic', texts.toTraffic],
  site: ['site-audit', texts.toSite],
} as const

/** Where to mend what a rule found. */
function Way({ project, alarm: { problem, text } }: AlarmProps) {
  if (problem === null) return null
  const isTraffic = ['tracker_silent', 'requests_refused'].includes(problem)
  const which = isTraffic ? 'tracker' : problem === 'robots_forbid' ? 'site' : 'data_degraded'
  const [page, label] = pageOf[which]
  return (
    <PageLink project={project} to={[page]} size="sm" aria-label={`${label}: ${text}`}>
      {label}
    </PageLink>
  )
}

const withEvidence: readonly string[] = [
  'visibility_fell',
  'visibility_rose',
  'competitor_gained',
  'sentiment_fell',
  'citations_fell',
  'prompts_changed',
  'sources_changed',
]

/** One alarm: what changed, since when, whose change it is, and what to do. */
export function AlarmCard({ project, alarm }: AlarmProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const { text, level, since, openedOn, closedOn, closedReason, attribution, estimate } = alarm
  const { monitor, note } = alarm
  return (
    <Stack gap={6} component="article" aria-label={text} className="opportunity">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={3} size="h5" className="wrap">
          {text}
        </Title>
        <Badge color={level === 'warn' && alarm.isOpen ? 'orange' : 'gray'} className="nowrap">
          {texts.levels[level]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {texts.since(t.day(since), t.day(openedOn))}
        {'. '}
        {closedOn && alarm.kind !== 'engine_changed' && texts.closedOn(t.day(closedOn))}{' '}
        {closedReason && texts.endings[closedReason]}
      </Text>
      {attribution && <Text size="sm">{texts.attributions[attribution]}</Text>}
      {estimate && (
        <Tooltip label={texts.afterHint} multiline maw={320}>
          <Text size="sm" c="dimmed" w="fit-content">
            {texts.after(shown(estimate.low, estimate.unit), shown(estimate.high, estimate.unit))}
          </Text>
        </Tooltip>
      )}
      {note && <Text size="sm">{texts.note(note)}</Text>}
      {withEvidence.includes(alarm.kind) && (
        <div>
          <UnstyledButton
            onClick={toggle}
            aria-expanded={isOpen}
            aria-label={`${texts.why}: ${text}`}
          >
            <Text size="xs" c="dimmed" component="span">
              {texts.why} <IconChevronDown size={12} aria-hidden />
            </Text>
          </UnstyledButton>
          <Collapse expanded={isOpen}>
            {isOpen && <Evidence project={project} alarm={alarm} />}
          </Collapse>
        </div>
      )}
      <Group gap="xs">
        <Acknowledge project={project} alarm={alarm} />
        {monitor && <Mute project={project} monitor={monitor} />}
        {monitor && isMuted(monitor) && (
          <Text size="xs" c="dimmed">
            {texts.mutedUntil(t.day(monitor.muteEndsAt ?? ''))}
          </Text>
        )}
        <Way project={project} alarm={alarm} />
      </Group>
    </Stack>
  )
}
