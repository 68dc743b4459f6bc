import { Group, Text } from '@mantine/core'
import {
  AddAliasDocument,
  AddCompetitorDocument,
  type NamesQuery,
  ReanalyzeDocument,
  RemoveAliasDocument,
  RemoveCompetitorDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { actColumn, countColumn, longColumn, textColumn } from '../../parts/columns.tsx'
import { ChangeForm, Field } from '../../parts/form.tsx'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'

export type Found = NonNullable<NamesQuery['project']>
type Matches = NonNullable<Found['brandMatches']>
type Name = Matches['names'][number]
type Competitor = NonNullable<Found['competitors']>['nodes'][number]

export interface SettingsPart {
  readonly project: string
  readonly found: Found
  readonly asked: Asked<NamesQuery, { project: string }>
}

/** The graph gives both sides of a name without the spaces beside it. */
const spaceBefore = (text: string) => (/[\p{L}\p{N}\p{Pe}.,;:!?]$/u.test(text) ? ' ' : '')
const spaceAfter = (text: string) => (/^[\p{L}\p{N}\p{Ps}]/u.test(text) ? ' ' : '')

function Samples({ name }: { readonly name: Name }) {
  return name.samples.map(({ answer, before, matched, after, setAside }) => (
    <Text key={(answer?.id ?? '') + before} size="sm">
      {before + spaceBefore(before)}
      <mark className={setAside ? '' : 'own'}>{matched}</mark>
      {spaceAfter(after) + after}
    </Text>
  ))
}

/** The names of all brands with what they find, and a form for one more of the own brand. */
export function Names({ project, found, asked }: SettingsPart) {
  const { brandMatches: matches } = found
  // The name and the domain of the brand stay.
  const aliases = new Set(found.brandAliases?.nodes.map(({ text }) => text))
  const columns: readonly Column<Name>[] = [
    textColumn(t.settings.name, ({ text }) => text),
    textColumn(t.settings.brand, ({ brand }) => brand.name),
    textColumn(t.settings.match, ({ match }) => t.settings.matches[match]),
    countColumn(t.settings.found, ({ answerCount }) => answerCount),
    countColumn(t.settings.aside, ({ answersSetAside }) => answersSetAside),
    {
      name: t.settings.samples,
      isText: true,
      isLong: true,
      show: (name) => <Samples name={name} />,
    },
    actColumn(
      t.columns.actions,
      RemoveAliasDocument,
      ({ brand, text }) =>
        brand.isOwn &&
        aliases.has(text) && {
          label: t.settings.remove,
          of: text,
          document: RemoveAliasDocument,
          variables: { project, text },
          held: t.act.removed(text),
        },
    ),
  ]
  return (
    <Part
      title={t.settings.names}
      lead={t.settings.namesLead(matches?.answersSearched ?? 0)}
      asked={asked}
      columns={columns}
      rows={matches?.names ?? []}
      keyOf={({ brand, text }) => `${brand.name} ${text}`}
      isOwn={({ brand }) => brand.isOwn}
      after={
        <>
          <ChangeForm
            document={AddAliasDocument}
            variablesOf={(text) => ({ project, text: text('alias') })}
            submit={t.settings.add}
          >
            <Field name="alias" label={t.settings.alias} />
          </ChangeForm>
          <Group mt="md" gap="sm">
            <Text size="sm" c="dimmed">
              {t.settings.reanalyzeLead}
            </Text>
            <Act
              label={t.settings.reanalyze}
              document={ReanalyzeDocument}
              variables={{ project }}
            />
          </Group>
        </>
      }
    />
  )
}

/** The competitors, and a form for one more. */
export function Competitors({ project, found, asked }: SettingsPart) {
  const rows = found.competitors?.nodes ?? []
  const columns: readonly Column<Competitor>[] = [
    textColumn(t.settings.name, ({ name }) => name),
    textColumn(t.settings.domain, ({ domain }) => domain),
    longColumn(t.settings.aliases, ({ aliases }) => aliases.map(({ text }) => text).join(', ')),
    actColumn(t.columns.actions, RemoveCompetitorDocument, ({ id, name }) => ({
      label: t.settings.remove,
      of: name,
      document: RemoveCompetitorDocument,
      variables: { project, id },
      held: t.act.removed(name),
    })),
  ]
  return (
    <Part
      title={t.settings.competitors}
      empty={t.settings.noCompetitors}
      asked={asked}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      after={
        <ChangeForm
          document={AddCompetitorDocument}
          variablesOf={(text) => ({ project, name: text('name'), domain: text('domain') })}
          submit={t.settings.add}
        >
          <Field name="name" label={t.settings.name} />
          <Field name="domain" label={t.settings.domain} />
        </ChangeForm>
      }
    />
  )
}
