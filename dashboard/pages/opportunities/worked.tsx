import {
  Badge,
  Button,
  Collapse,
  Group,
  MultiSelect,
  SegmentedControl,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import {
  AddMarkDocument,
  MarkChoicesDocument,
  type MarkKind,
  type MarkMetric,
  MarksDocument,
  type OneMarkFragment,
  RemoveMarkDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { May } from '../../parts/may.tsx'
import { Outside } from '../../parts/outside.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { useQuestion } from '../../state/ask.ts'
import { marks as texts } from '../../texts/marks.ts'
import { t } from '../../texts/texts.ts'

type Verdict = OneMarkFragment['comparison']['verdict']

const colors = {
  rose: 'teal',
  fell: 'red',
  not_yet: 'blue',
  none_found: 'gray',
  not_comparable: 'gray',
} as const satisfies Record<Verdict, string>

interface Side {
  readonly promptCount: number
  readonly before: number | null
  readonly after: number | null
}

const sideText = ({ promptCount, before, after }: Side) => ({
  many: promptCount,
  before: shown(before, 'percent'),
  after: shown(after, 'percent'),
})

interface OneProps {
  readonly project: string
  readonly mark: OneMarkFragment
}

function One({ project, mark }: OneProps) {
  const { id, title, kind, date, url, topics, comparison } = mark
  const { verdict, text, concerned, others } = comparison
  return (
    <Stack gap={6} component="article" aria-label={title} className="opportunity">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={3} size="h5" className="wrap">
          {title}
        </Title>
        <Tooltip label={texts.verdictHints[verdict]} multiline maw={320}>
          <Badge color={colors[verdict]} className="nowrap" flex="none">
            {texts.verdicts[verdict]}
          </Badge>
        </Tooltip>
      </Group>
      <Text size="xs" c="dimmed" className="wrap">
        {[texts.kinds[kind], t.day(date), ...topics.map(({ name }) => name)].join(' · ')}
        {url && (
          <>
            {' · '}
            <Outside url={url} />
          </>
        )}
      </Text>
      <Text size="sm" {...(verdict === 'rose' && { fw: 600 })}>
        {text}
      </Text>
      {comparison.effect !== null && (
        <Text size="xs" c="dimmed">
          {texts.sides(sideText(concerned), sideText(others))}
        </Text>
      )}
      <Group gap="xs">
        <Act
          label={texts.remove}
          of={title}
          document={RemoveMarkDocument}
          variables={{ project, id }}
          confirm={texts.removeGoes}
        />
      </Group>
    </Stack>
  )
}

const listed = (text: string) => (text === '' ? [] : text.split(','))

/** What a person did: the form is the same for a page, a source and anything else. */
function Add({ project }: { readonly project: string }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [round, setRound] = useState(0)
  const { data } = useQuestion(MarkChoicesDocument, { project }, { enabled: isOpen })
  const { topics, prompts } = data?.project ?? {}
  const today = new Date().toISOString().slice(0, 10)
  return (
    <>
      <Button
        size="xs"
        variant="light"
        aria-expanded={isOpen}
        onClick={toggle}
        mb="sm"
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.add}
      </Button>
      <Collapse expanded={isOpen}>
        <ChangeForm
          key={round}
          document={AddMarkDocument}
          layout="column"
          submit={texts.save}
          variablesOf={(text) => ({
            project,
            title: text('title'),
            kind: text('kind') as MarkKind,
            date: text('date'),
            topicIds: listed(text('topicIds')),
            promptIds: listed(text('promptIds')),
            url: text('url') || null,
          })}
          onDone={() => {
            setRound(round + 1)
            close()
          }}
        >
          <Field name="title" label={texts.done} example={texts.doneExample} mostCharacters={200} />
          <Group gap="sm" grow preventGrowOverflow={false}>
            <Choice name="kind" label={texts.kind} choices={texts.kinds} />
            <Field name="date" label={texts.date} value={today} example="2026-05-01" />
          </Group>
          <MultiSelect
            name="topicIds"
            label={texts.topics}
            description={texts.concerns}
            searchable
            data={(topics?.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <MultiSelect
            name="promptIds"
            label={texts.prompts}
            searchable
            data={(prompts?.nodes ?? []).map(({ id, text }) => ({ value: id, label: text }))}
          />
          <Field name="url" label={texts.url} example={texts.urlExample} isOptional />
        </ChangeForm>
      </Collapse>
    </>
  )
}

/** What was done for the brand and when, and whether it worked. */
export function Worked({ project }: { readonly project: string }) {
  const [metric, setMetric] = useState<MarkMetric>('visibility')
  const variables = { project, metric }
  const asked = { document: MarksDocument, variables }
  return (
    <Panel
      title={t.opportunities.worked}
      sub={texts.lead}
      asked={asked}
      right={
        <SegmentedControl
          size="xs"
          aria-label={texts.metric}
          value={metric}
          onChange={(value) => setMetric(value as MarkMetric)}
          data={Object.entries(texts.metrics).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <May make={AddMarkDocument}>
        <Add project={project} />
      </May>
      <Answered query={useQuestion(MarksDocument, variables)}>
        {({ project: found }) => {
          const nodes = found?.marks?.nodes ?? []
          if (nodes.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                {texts.none}
              </Text>
            )
          }
          return nodes.map((mark) => <One key={mark.id} project={project} mark={mark} />)
        }}
      </Answered>
    </Panel>
  )
}
