import { Box, Card, Group, Menu, Text, Title } from '@mantine/core'
import { IconCode, IconDownload, IconPhoto } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import type { TypedDocumentString } from '../documents.ts'
import { graphiqlAddress } from '../state/ask.ts'
import { t } from '../texts/texts.ts'
import { More } from './more.tsx'
import { notifyFailure } from './notify.ts'

/** The query behind a card. */
export interface Asked<R, V extends object> {
  readonly document: TypedDocumentString<R, V>
  readonly variables: V
}

export interface PanelProps<R, V extends object> {
  readonly title: string
  readonly sub?: ReactNode
  /** Controls beside the title. */
  readonly right?: ReactNode
  readonly asked?: Asked<R, V> | undefined
  /** Saves all rows as a CSV file. */
  readonly saveCsv?: (() => Promise<void>) | undefined
  /** More entries of the menu. */
  readonly menu?: ReactNode
  /** Whether the card has a chart that can be saved as an image. */
  readonly hasChart?: boolean
  readonly children: ReactNode
}

async function saveImage(title: string, card: HTMLElement | null): Promise<void> {
  const svg = card?.querySelector('svg.recharts-surface')
  if (!card || !(svg instanceof SVGElement)) return
  const { savePng } = await import('./image.ts')
  await savePng(title, card, svg)
}

/** A card of a page, with a menu of what can be done with it. */
export function Panel<R, V extends object>(props: PanelProps<R, V>) {
  const { title, sub, right, asked, saveCsv, menu, hasChart, children } = props
  const card = useRef<HTMLDivElement>(null)
  return (
    <Card component="section" aria-label={title} ref={card} className="panel">
      <Group justify="space-between" align="flex-start" mb="sm" gap="xs" className="panel-head">
        <Box miw={0} flex={1}>
          <Title order={2}>{title}</Title>
          {sub && (
            <Text size="xs" c="dimmed" component="div">
              {sub}
            </Text>
          )}
        </Box>
        {right && <Box className="panel-right">{right}</Box>}
        {(asked || saveCsv || menu || hasChart) && (
          <More of={title}>
            {menu}
            {saveCsv && (
              <Menu.Item
                leftSection={<IconDownload size={16} />}
                onClick={() => void saveCsv().catch(notifyFailure)}
              >
                {t.tools.csv}
              </Menu.Item>
            )}
            {hasChart && (
              <Menu.Item
                leftSection={<IconPhoto size={16} />}
                onClick={() => void saveImage(title, card.current).catch(notifyFailure)}
              >
                {t.tools.image}
              </Menu.Item>
            )}
            {asked && (
              <Menu.Item
                component="a"
                href={graphiqlAddress(asked.document, asked.variables)}
                leftSection={<IconCode size={16} />}
              >
                {t.tools.graphiql}
              </Menu.Item>
            )}
          </More>
        )}
      </Group>
      {children}
    </Card>
  )
}
