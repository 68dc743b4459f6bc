import { Badge, Group, List, ScrollArea, Stack, Table, Text } from '@mantine/core'
import type { PreviewPromptsMutation } from '../../documents.ts'
import { t } from '../../texts/texts.ts'

export type Preview = Extract<
  NonNullable<PreviewPromptsMutation['previewPrompts']>,
  { readonly read: number }
>
type State = Preview['lines'][number]['state']

const { prompts: texts } = t

const colors: Readonly<Record<State, string>> = {
  created: 'teal',
  updated: 'blue',
  unchanged: 'gray',
  repeated: 'gray',
}
const mostLines = 100

interface PreviewProps {
  readonly preview: Preview
  /** Lines before the first one that the reader wrote. */
  readonly above?: number | undefined
}

/** What would become of each line, with faults first. */
export function PreviewLines({ preview, above = 0 }: PreviewProps) {
  const { lines, rejected, created, updated, unchanged, repeated } = preview
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Badge color="teal">{texts.wouldAdd(created)}</Badge>
        {updated > 0 && <Badge color="blue">{texts.wouldChange(updated)}</Badge>}
        {unchanged > 0 && <Badge color="gray">{texts.thereAlready(unchanged)}</Badge>}
        {repeated > 0 && <Badge color="gray">{texts.repeated(repeated)}</Badge>}
        {rejected.length > 0 && <Badge color="red">{texts.faulty(rejected.length)}</Badge>}
      </Group>
      {rejected.length > 0 && (
        <List size="sm">
          {rejected.slice(0, mostLines).map(({ line, reason }) => (
            <List.Item key={line}>{texts.faultAt(line - above, texts.faultOf(reason))}</List.Item>
          ))}
        </List>
      )}
      {lines.length > 0 && (
        <ScrollArea.Autosize mah={280} type="auto" scrollbars="y" viewportProps={{ tabIndex: 0 }}>
          <Table aria-label={texts.preview} className="rows">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col" className="number">
                  {texts.line}
                </Table.Th>
                <Table.Th scope="col" className="text long">
                  {t.columns.prompt}
                </Table.Th>
                <Table.Th scope="col" className="text">
                  {t.columns.state}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.slice(0, mostLines).map(({ line, text, state, prompt, ...rest }) => {
                const read = [
                  ...rest.topics,
                  rest.location,
                  rest.intentCategory && texts.intents[rest.intentCategory],
                  rest.keywordSearchVolume !== null && texts.volumeOf(rest.keywordSearchVolume),
                ].filter(Boolean)
                return (
                  <Table.Tr key={line}>
                    <Table.Td className="number">{line - above}</Table.Td>
                    <Table.Th scope="row" className="text long">
                      {text}
                      {read.length > 0 && (
                        <Text size="xs" c="dimmed">
                          {read.join(' · ')}
                        </Text>
                      )}
                    </Table.Th>
                    <Table.Td className="text">
                      <Badge color={colors[state]} miw="max-content">
                        {texts.lineStates[state]}
                      </Badge>
                      {prompt && prompt.text !== text && (
                        <Text size="xs" c="dimmed">
                          {texts.as(prompt.text)}
                        </Text>
                      )}
                    </Table.Td>
                  </Table.Tr>
                )
              })}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  )
}
