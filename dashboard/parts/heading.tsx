import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'

interface HeadingProps {
  readonly title: string
  /** The list that the object of the page is from. */
  readonly from: { readonly label: string; readonly href: string }
  readonly sub?: ReactNode
  /** Buttons beside the title. */
  readonly right?: ReactNode
}

/** The title of a page about one object, with the way back to its list. */
export function Heading({ title, from, sub, right }: HeadingProps) {
  useEffect(() => {
    document.title = `${title} – ${from.label}`
  }, [title, from.label])
  return (
    <Box mb="md">
      <Anchor component={Link} href={from.href} size="sm">
        {from.label}
      </Anchor>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={1} className="wrap">
          {title}
        </Title>
        {right}
      </Group>
      {sub && (
        <Text size="sm" c="dimmed" component="div">
          {sub}
        </Text>
      )}
    </Box>
  )
}
