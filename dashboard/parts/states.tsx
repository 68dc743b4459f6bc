import {
  Alert,
  Button,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { AskError } from '../state/ask-error.ts'
import { t } from '../texts/texts.ts'

/** The outline of a page whose numbers are on their way. */
export function Loading() {
  return (
    <Stack role="status">
      <VisuallyHidden>{t.loading}</VisuallyHidden>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} h={120} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton h={280} radius="md" />
    </Stack>
  )
}

/** Whether the page has its heading: that of an object comes with the object. */
export const Headed = createContext(true)

/** What a reader can do about a failed request, in words that name no status and no field. */
function Failed({ error, retry }: { readonly error: Error; retry(): void }) {
  const isHeaded = useContext(Headed)
  const isGone = error instanceof AskError && error.code === 'not_found'
  return (
    <>
      {!isHeaded && (
        <Title order={1} mb="md">
          {isGone ? t.shell.missing : t.failed}
        </Title>
      )}
      <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t.failed}>
        <Text size="sm">{error instanceof TypeError ? t.unreachable : error.message}</Text>
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          {t.retry}
        </Button>
      </Alert>
    </>
  )
}

/** The answer to a query, or what the page shows in its place until there is one. */
export function Answered<R>({
  query,
  loading = <Loading />,
  children,
}: {
  readonly query: Pick<UseQueryResult<R, Error>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>
  readonly loading?: ReactNode
  readonly children: (data: R) => ReactNode
}) {
  const { data, error, refetch, isPlaceholderData } = query
  if (data !== undefined) {
    return (
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'stale' : undefined}>
        <Headed value>
          {error && <Failed error={error} retry={() => void refetch()} />}
          {children(data)}
        </Headed>
      </div>
    )
  }
  return error ? <Failed error={error} retry={() => void refetch()} /> : loading
}
