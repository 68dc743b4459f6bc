import { Badge, Button, Group, Menu, Modal, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type DataCollectionQuery,
  type OneSourceFragment,
  RemoveProviderKeyDocument,
  TestProviderKeyDocument,
} from '../../documents.ts'
import { textColumn } from '../../parts/columns.tsx'
import { confirmLoss } from '../../parts/confirm.ts'
import { May } from '../../parts/may.tsx'
import { More } from '../../parts/more.tsx'
import { notifyDone, notifyRefused } from '../../parts/notify.ts'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useChange } from '../../state/change.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { KeyForm } from './key-form.tsx'
import { moneyText } from './money.tsx'

type Coverage = readonly {
  readonly provider: string
  readonly asked: number
  readonly answered: number
}[]

/** Whether the provider takes the key. */
function KeyState({ workedAt, refusedAt, refusal }: OneSourceFragment) {
  if (refusedAt) {
    return (
      <>
        <Text size="sm" c="red" fw={600}>
          {texts.refusedSince(t.day(refusedAt))}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {refusal}
        </Text>
      </>
    )
  }
  return (
    <Text size="sm" c={workedAt ? 'teal' : 'dimmed'}>
      {workedAt ? texts.worked(t.day(workedAt)) : texts.untested}
    </Text>
  )
}

interface ActsProps {
  readonly workspace: string
  readonly source: OneSourceFragment
  onReplace(source: OneSourceFragment): void
}

function Acts({ workspace, source, onReplace }: ActsProps) {
  const { keyId: key, label, providerName: name } = source
  const test = useChange(TestProviderKeyDocument)
  const removal = useChange(RemoveProviderKeyDocument)
  function runTest() {
    test.mutate(
      { workspace, key },
      {
        onError: (error) => notifyRefused(texts.testFailed(name), error),
        onSuccess: ({ testProviderKey: found }) => {
          if (!found || !('testProblem' in found)) return
          if (found.testProblem === null) notifyDone(texts.testPassed(name))
          else notifyRefused(texts.testFailed(name), new Error(found.testProblem))
        },
      },
    )
  }
  function remove() {
    confirmLoss({
      title: `${texts.remove}: ${label}`,
      goes: texts.removeAsk(name),
      label: texts.remove,
      onConfirm: () =>
        removal.mutate(
          { workspace, id: key },
          {
            onError: (error) => notifyRefused(texts.notChanged, error),
            onSuccess: () => notifyDone(texts.removed(name)),
          },
        ),
    })
  }
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-xs"
        variant="default"
        loading={test.isPending}
        aria-label={`${texts.test}: ${label}`}
        onClick={runTest}
      >
        {texts.test}
      </Button>
      <More of={label}>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onReplace(source)}>
          {texts.replace}
        </Menu.Item>
        <Menu.Item
          color="var(--mantine-color-red-text)"
          leftSection={<IconTrash size={16} />}
          onClick={remove}
        >
          {texts.remove}
        </Menu.Item>
      </More>
    </Group>
  )
}

function shareOf(coverage: Coverage, provider: string): number | null {
  const found = coverage.find((counts) => counts.provider === provider)
  return found && found.asked > 0 ? (100 * found.answered) / found.asked : null
}

function columnsOf(
  coverage: Coverage,
  acts: (source: OneSourceFragment) => Omit<ActsProps, 'source'>,
): readonly Column<OneSourceFragment>[] {
  return [
    textColumn(
      texts.provider,
      ({ providerName }) => providerName,
      ({ providerName, label, provider, platform, model }) => (
        <>
          {providerName}
          <Text size="xs" c="dimmed" className="wrap" hiddenFrom="sm" aria-hidden>
            {platform.displayName} ({model})
          </Text>
          {label !== provider && (
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          )}
        </>
      ),
    ),
    {
      ...textColumn(
        t.columns.platform,
        ({ platform, model }: OneSourceFragment) => `${platform.displayName} (${model})`,
        ({ platform, model }) => (
          <>
            {platform.displayName}
            <Text size="xs" c="dimmed" className="wrap">
              {model}
            </Text>
          </>
        ),
      ),
      isMinor: true,
    },
    {
      ...textColumn(
        texts.how,
        ({ isSurface }) => (isSurface ? texts.surface : texts.api),
        ({ isSurface }) => (
          <Tooltip label={isSurface ? texts.surfaceHint : texts.apiHint}>
            <Badge color={isSurface ? 'indigo' : 'gray'} tabIndex={0}>
              {isSurface ? texts.surface : texts.api}
            </Badge>
          </Tooltip>
        ),
      ),
      isMinor: true,
    },
    {
      name: texts.perThousand,
      value: ({ expectedCost }) => expectedCost && expectedCost * 1000,
      show: ({ expectedCost }) => moneyText(expectedCost && expectedCost * 1000),
      isMinor: true,
    },
    {
      name: texts.answeredShare,
      value: ({ provider }) => shareOf(coverage, provider),
      show: ({ provider }) => {
        const share = shareOf(coverage, provider)
        return share === null ? '–' : `${share.toFixed(1)}%`
      },
      isMinor: true,
    },
    {
      name: texts.key,
      isText: true,
      value: ({ refusal }) => refusal ?? '',
      show: (source) => <KeyState {...source} />,
    },
    {
      name: t.columns.actions,
      make: TestProviderKeyDocument,
      show: (source) => <Acts source={source} {...acts(source)} />,
    },
  ]
}

interface SourcesProps {
  readonly workspace: string
  readonly sources: readonly OneSourceFragment[]
  readonly coverage: Coverage
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}

/** The provider keys: what they ask, at what price, and whether they work. */
export function Sources({ workspace, sources, coverage, asked }: SourcesProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [replaced, setReplaced] = useState<OneSourceFragment>()
  function replace(source?: OneSourceFragment) {
    setReplaced(source)
    open()
  }
  return (
    <div id="sources">
      <Part
        title={texts.sources}
        lead={texts.sourcesLead}
        empty={texts.noSources}
        asked={asked}
        columns={columnsOf(coverage, () => ({ workspace, onReplace: replace }))}
        rows={sources}
        keyOf={({ keyId, model }) => `${keyId} ${model}`}
        right={
          <May make={TestProviderKeyDocument}>
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => replace()}>
              {texts.addKey}
            </Button>
          </May>
        }
      />
      <Modal
        opened={isOpen}
        onClose={close}
        title={replaced ? texts.replaceTitle(replaced.providerName) : texts.keyTitle}
      >
        <KeyForm workspace={workspace} sources={sources} replaced={replaced} onDone={close} />
      </Modal>
    </div>
  )
}
