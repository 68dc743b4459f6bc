import {
  Anchor,
  Button,
  Center,
  Fieldset,
  Group,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { CreateProjectDocument } from '../documents.ts'
import { ChangeForm, Field } from '../parts/form.tsx'
import { Logo } from '../shell/logo.tsx'
import { pathOf } from '../state/address.ts'
import { t } from '../texts/texts.ts'
import { pages } from './pages.ts'

export interface Home {
  readonly id: string
  readonly name: string
}

/** A competitor has a name and a domain, or it is an empty row. */
function competitorsOf(text: (name: string) => string, rows: number) {
  return Array.from({ length: rows }, (_, at) => ({
    name: text(`competitor-${at}`),
    domain: text(`competitor-domain-${at}`),
  })).filter(({ name, domain }) => name || domain)
}

const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/** Pairs of a name and a domain. */
function Competitors({ rows, onMore }: { readonly rows: number; onMore(): void }) {
  return (
    <Fieldset legend={t.newProject.competitors}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.newProject.competitorsHint}
        </Text>
        {Array.from({ length: rows }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added, at the end
          <SimpleGrid key={at} cols={{ base: 1, xs: 2 }}>
            <Field
              name={`competitor-${at}`}
              label={t.newProject.competitor(at + 1)}
              isOptional
              mostCharacters={200}
            />
            <Field
              name={`competitor-domain-${at}`}
              label={t.newProject.competitorDomain(at + 1)}
              isOptional
            />
          </SimpleGrid>
        ))}
        <Group>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onMore}>
            {t.newProject.more}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

/** Names the brand of a new project. Without a project yet, this is the first page. */
export function NewProject({ home, back }: { readonly home: Home; readonly back?: string }) {
  const [, go] = useLocation()
  const [rows, setRows] = useState(1)
  const title = back === undefined ? t.newProject.first : t.newProject.title
  useEffect(() => {
    document.title = `${title} – ${t.product}`
  }, [title])
  return (
    <Center p="md" component="main" id="page">
      <Stack maw={640} w="100%" py="lg">
        <Group gap="xs">
          <Logo />
          <Text fw={750}>{t.product}</Text>
        </Group>
        <div>
          <Title order={1}>{title}</Title>
          <Text c="dimmed">{t.newProject.lead(home.name)}</Text>
        </div>
        <ChangeForm
          document={CreateProjectDocument}
          layout="column"
          variablesOf={(text) => ({
            workspace: home.id,
            name: text('name'),
            domain: text('domain'),
            aliases: linesOf(text('aliases')).map((alias) => ({ text: alias })),
            competitors: competitorsOf(text, rows),
          })}
          submit={t.newProject.submit}
          keeps
          onDone={({ createProject: answer }) => {
            if (answer && 'project' in answer) go(pathOf(answer.project.id, pages[0]?.name ?? ''))
          }}
        >
          <Field name="name" label={t.newProject.brand} mostCharacters={200} />
          <Field name="domain" label={t.newProject.domain} example="example.com" />
          <Textarea
            name="aliases"
            label={t.newProject.aliases}
            description={t.newProject.aliasesHint}
            rows={3}
          />
          <Competitors rows={rows} onMore={() => setRows(rows + 1)} />
        </ChangeForm>
        {back !== undefined && (
          <Anchor component={Link} href={back} size="sm">
            {t.newProject.back}
          </Anchor>
        )}
      </Stack>
    </Center>
  )
}
