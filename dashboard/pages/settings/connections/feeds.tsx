import { Alert, Button, Group, Progress, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  AddDataFeedDocument,
  type DataConnectionsQuery,
  type FeedKind,
  ListGooglePropertiesDocument,
  PullDataFeedDocument,
  RemoveDataFeedDocument,
} from '../../../documents.ts'
import { Act, Fault } from '../../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../../parts/columns.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { type Column, Part } from '../../../parts/table.tsx'
import { useChange } from '../../../state/change.ts'
import { connections as texts } from '../../../texts/english/connections.ts'
import { t } from '../../../texts/texts.ts'
import type { GooglePart } from './google-accounts.tsx'

type Feed = NonNullable<DataConnectionsQuery['project']>['dataFeeds'][number]

const colours = { backfilling: 'blue', current: 'teal', failing: 'red' } as const

function stateText({ state, daysLoaded, daysTotal, firstFailedAt }: Feed): string {
  if (state === 'failing') return texts.failing(firstFailedAt ? t.moment(firstFailedAt) : '')
  if (state === 'current') return texts.current
  return daysLoaded === 0 ? texts.queued : texts.backfilling(daysLoaded, daysTotal)
}

function FeedState(feed: Feed) {
  const { state, daysLoaded, daysTotal, problem } = feed
  return (
    <Stack gap={4}>
      <Text size="sm" c={colours[state]} fw={600}>
        {stateText(feed)}
      </Text>
      {state === 'backfilling' && (
        <Progress
          value={(100 * daysLoaded) / Math.max(1, daysTotal)}
          aria-label={stateText(feed)}
          size="sm"
        />
      )}
      {problem && (
        <Text size="xs" c="dimmed" className="wrap">
          {problem}
        </Text>
      )}
    </Stack>
  )
}

const nameOf = ({ name, label }: Feed) => label ?? name

const columnsOf = (project: string): readonly Column<Feed>[] => [
  textColumn(texts.source, ({ kind }) => texts.kinds[kind]),
  textColumn(texts.property, nameOf),
  textColumn(texts.state, stateText, (feed) => <FeedState {...feed} />),
  textColumn(texts.days, ({ loadedFrom, loadedTo }) =>
    loadedFrom && loadedTo ? texts.period(loadedFrom, loadedTo) : '',
  ),
  { ...countColumn<Feed>(texts.rows, ({ rowsLoaded }) => rowsLoaded), isMinor: true },
  { ...timeColumn<Feed>(texts.next, ({ nextPullAt }) => nextPullAt), isMinor: true },
  {
    ...textColumn<Feed>(
      t.columns.actions,
      () => '',
      (feed) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Act
            label={texts.pullNow}
            of={nameOf(feed)}
            document={PullDataFeedDocument}
            variables={{ project, kind: feed.kind }}
          />
          <Act
            label={texts.stop}
            of={nameOf(feed)}
            document={RemoveDataFeedDocument}
            variables={{ project, kind: feed.kind }}
            confirm={texts.stopAsk}
          />
        </Group>
      ),
    ),
  },
]

interface ListProps {
  readonly project: string
  readonly account: string
  readonly kind: FeedKind
  readonly label: string
  readonly list: {
    readonly properties: readonly { readonly name: string; readonly label: string | null }[]
    readonly problem: string | null
  }
}

/** What an account may read of one kind, to choose from. */
function PropertyChoice({ project, account, kind, label, list }: ListProps) {
  const [name, setName] = useState<string | null>(list.properties[0]?.name ?? null)
  const add = useChange(AddDataFeedDocument)
  const chosen = list.properties.find((each) => each.name === name)
  if (list.problem) {
    return (
      <Alert color="yellow" role="status" p="xs" title={label}>
        {list.problem}
      </Alert>
    )
  }
  const load = () =>
    chosen &&
    add.mutate(
      { project, kind, account, name: chosen.name, label: chosen.label },
      { onSuccess: () => notifyDone(texts.loading(chosen.label ?? chosen.name)) },
    )
  return (
    <div>
      <Group gap="sm" align="flex-end">
        <Select
          label={label}
          placeholder={list.properties.length === 0 ? texts.none : undefined}
          data={list.properties.map((each) => ({
            value: each.name,
            label: each.label ? `${each.label} (${each.name})` : each.name,
          }))}
          value={name}
          onChange={setName}
          searchable
          allowDeselect={false}
          w={{ base: '100%', sm: 360 }}
        />
        <Button onClick={load} loading={add.isPending} disabled={!chosen}>
          {texts.load}
        </Button>
      </Group>
      <Fault error={add.error} />
    </div>
  )
}

/** Asks Google what an account may read, and lets it be chosen. */
function Choose({ project, workspace, accounts }: Omit<GooglePart, 'asked'>) {
  const working = accounts.filter(({ endedAt }) => endedAt === null)
  const [account, setAccount] = useState<string | null>(working[0]?.id ?? null)
  const lists = useChange(ListGooglePropertiesDocument)
  const found = lists.data?.listGoogleProperties
  if (working.length === 0 || account === null) return null
  return (
    <Stack gap="sm" mt="sm">
      <Group gap="sm" align="flex-end">
        {working.length > 1 && (
          <Select
            label={texts.account}
            data={working.map(({ id, email }) => ({ value: id, label: email }))}
            value={account}
            onChange={(id) => {
              setAccount(id)
              lists.reset()
            }}
            allowDeselect={false}
          />
        )}
        <Button
          variant="default"
          loading={lists.isPending}
          onClick={() => lists.mutate({ workspace, account })}
        >
          {texts.choose}
        </Button>
      </Group>
      <Fault error={lists.error} />
      {found && 'searchConsole' in found && (
        <>
          <PropertyChoice
            project={project}
            account={account}
            kind="search_console"
            label={texts.site}
            list={found.searchConsole}
          />
          <PropertyChoice
            project={project}
            account={account}
            kind="web_analytics"
            label={texts.analytics}
            list={found.webAnalytics}
          />
        </>
      )}
    </Stack>
  )
}

/** What is pulled for the project, with its progress. */
export function Feeds({
  name,
  feeds,
  asked,
  ...shared
}: GooglePart & { readonly name: string; readonly feeds: readonly Feed[] }) {
  return (
    <Part
      title={texts.feeds(name)}
      lead={texts.feedsLead}
      empty={texts.noFeeds}
      asked={asked}
      columns={columnsOf(shared.project)}
      rows={feeds}
      keyOf={({ id }) => id}
      after={<Choose {...shared} />}
    />
  )
}
