import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { IconBook, IconCode, IconKey, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from 'wouter'
import { accountPath } from '../state/address.ts'
import { sendHeld } from '../state/held.ts'
import { signOut } from '../state/session.ts'
import { t } from '../texts/texts.ts'

/** The menu of the person: light or dark, documentation, and the way out. */
export function Account() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={230} shadow="md">
      <Menu.Target>
        <ActionIcon variant="light" radius="xl" size="lg" aria-label={t.shell.account}>
          <IconUser size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.shell.scheme}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          mx="xs"
          mb="xs"
          aria-label={t.shell.scheme}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'auto')}
          data={Object.entries(t.shell.schemes).map(([value, label]) => ({ value, label }))}
        />
        <Menu.Divider />
        <Menu.Item component={Link} href={accountPath} leftSection={<IconKey size={16} />}>
          {t.account.title}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} />}>
          {t.shell.docs}
        </Menu.Item>
        <Menu.Item component="a" href="/graphql" leftSection={<IconCode size={16} />}>
          {t.shell.graphiql}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => void sendHeld().then(signOut)}
        >
          <Text size="sm">{t.shell.signOut}</Text>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
