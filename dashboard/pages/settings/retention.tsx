import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  RetentionDocument,
  RetentionPreviewDocument,
  type RetentionPreviewQuery,
  type RetentionQuery,
  SetRetentionDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { longColumn, textColumn } from '../../parts/columns.tsx'
import { confirmLoss } from '../../parts/confirm.ts'
import { notifyDone } from '../../parts/notify.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { ask, useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { retention as texts } from '../../texts/keeping.ts'
import { t } from '../../texts/texts.ts'

type Workspace = NonNullable<RetentionQuery['project']>['workspace']
type Limits = Workspace['retention']
type Kind = keyof typeof texts.kept
type Older = NonNullable<NonNullable<RetentionPreviewQuery['workspace']>['retentionPreview']>

const { kept } = texts
const kinds = Object.keys(kept) as Kind[]

/** The days of a field; null where it is empty, undefined where it holds no number of days. */
function daysIn(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^[1-9]\d{0,4}$/.test(typed) ? Number(typed) : undefined
}

function faultOf(text: string, most: number | null): string | undefined {
  const days = daysIn(text)
  if (days === undefined) return texts.wrong
  return days !== null && most !== null && days > most ? texts.tooMany(most) : undefined
}

function Goes({ older }: { readonly older: Older }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{texts.goes}</Text>
      <List size="sm">
        {older.map(({ kind, firstKeptOn, rowCount }) => (
          <List.Item key={kind}>
            {texts.before(texts.lost[kind](rowCount), t.day(firstKeptOn))}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** A field for each kind of data. What would go is shown before it is saved. */
function Form({ workspace }: { readonly workspace: Workspace }) {
  const { id, retention, serviceRetention } = workspace
  const [values, setValues] = useState<Readonly<Record<Kind, string>>>(
    () =>
      Object.fromEntries(kinds.map((kind) => [kind, String(retention[kind] ?? '')])) as Record<
        Kind,
        string
      >,
  )
  const [isTried, setTried] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const client = useQueryClient()
  const change = useChange(SetRetentionDocument)
  const faults = kinds.map((kind) => faultOf(values[kind], serviceRetention[kind]))
  async function save(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    setError(null)
    if (faults.some((fault) => fault !== undefined)) return
    const days = Object.fromEntries(
      kinds.map((kind) => [kind, daysIn(values[kind]) ?? null]),
    ) as Limits
    const variables = { workspace: id, ...days }
    const set = (said: string) =>
      change.mutate(variables, {
        onSuccess: () => {
          notifyDone(said)
          void client.invalidateQueries()
        },
      })
    setLooking(true)
    try {
      const { workspace: found } = await ask(RetentionPreviewDocument, variables)
      const older = found?.retentionPreview ?? []
      if (older.length === 0) return set(texts.saved)
      confirmLoss({
        title: texts.shorten,
        goes: <Goes older={older} />,
        label: texts.confirm,
        onConfirm: () => set(texts.savedOlder),
      })
    } catch (fault) {
      setError(fault instanceof Error ? fault : new Error(String(fault)))
    } finally {
      setLooking(false)
    }
  }
  return (
    <Panel title={texts.title} sub={texts.lead}>
      <form onSubmit={save}>
        <Stack gap="md" maw={560}>
          {kinds.map((kind, at) => {
            const most = serviceRetention[kind]
            const hint = most === null ? kept[kind].what : `${kept[kind].what} ${texts.most(most)}`
            return (
              <TextInput
                key={kind}
                name={kind}
                label={texts.daysOf(kept[kind].name)}
                description={hint}
                value={values[kind]}
                placeholder={texts.days(most)}
                inputMode="numeric"
                onChange={({ currentTarget }) => {
                  const { value } = currentTarget
                  setValues((before) => ({ ...before, [kind]: value }))
                }}
                error={isTried && faults[at]}
              />
            )
          })}
          <Text size="sm" c="dimmed">
            {texts.stays}
          </Text>
          <Group>
            <Button type="submit" loading={isLooking || change.isPending}>
              {texts.save}
            </Button>
          </Group>
          <Fault error={error ?? change.error} />
        </Stack>
      </form>
    </Panel>
  )
}

const columnsOf = (limits: Limits): readonly Column<Kind>[] => [
  textColumn(texts.kinds, (kind) => kept[kind].name),
  textColumn(texts.keptFor, (kind) => texts.days(limits[kind])),
  longColumn(texts.includes, (kind) => kept[kind].what),
]

/** How long data is kept: a form for owners, a table for all others. */
export function Retention({ project }: { readonly project: string }) {
  const variables = { project }
  const may = useMay()
  return (
    <Answered query={useQuestion(RetentionDocument, variables)}>
      {({ project: found }) => {
        if (!found) return null
        if (may(SetRetentionDocument)) return <Form workspace={found.workspace} />
        return (
          <Part
            title={texts.title}
            lead={texts.readLead}
            asked={{ document: RetentionDocument, variables }}
            columns={columnsOf(found.workspace.retention)}
            rows={kinds}
            keyOf={(kind) => kind}
            after={
              <Text size="sm" c="dimmed">
                {texts.stays}
              </Text>
            }
          />
        )
      }}
    </Answered>
  )
}
