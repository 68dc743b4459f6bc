import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { t } from '../../texts/texts.ts'

interface SecretProps {
  /** What the reader should do with it now. */
  readonly text: string
  readonly secret: string | undefined
}

/** A key that is shown once, with a button that copies it. */
export function Secret({ text, secret }: SecretProps) {
  return (
    <div role="status">
      {secret && (
        <Alert color="teal" mt="md" title={text}>
          <Group gap="sm">
            <Code className="wrap">{secret}</Code>
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy}>
                  <Text span size="sm">
                    {copied ? t.settings.copied : t.settings.copy}
                  </Text>
                </Button>
              )}
            </CopyButton>
          </Group>
        </Alert>
      )}
    </div>
  )
}
