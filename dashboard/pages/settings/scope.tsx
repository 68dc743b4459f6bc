import {
  AddLocationDocument,
  AddTopicDocument,
  RemoveLocationDocument,
  RemoveTopicDocument,
} from '../../documents.ts'
import { actColumn, textColumn } from '../../parts/columns.tsx'
import { ChangeForm, Field } from '../../parts/form.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import type { Found, SettingsPart } from './names.tsx'

type Topic = NonNullable<Found['topics']>['nodes'][number]
type Location = NonNullable<Found['locations']>['nodes'][number]

/** The topics, and a form for one more. */
export function Topics({ project, found, asked }: SettingsPart) {
  const rows = found.topics?.nodes ?? []
  const columns: readonly Column<Topic>[] = [
    textColumn(t.settings.topic, ({ name }) => name),
    textColumn(t.settings.prompts, ({ promptCount, trackedPromptCount }) =>
      t.settings.ofPrompts(trackedPromptCount, promptCount),
    ),
    actColumn(t.columns.actions, RemoveTopicDocument, ({ id, name }) => ({
      label: t.settings.remove,
      of: name,
      document: RemoveTopicDocument,
      variables: { project, id },
      held: t.act.removed(name),
    })),
  ]
  return (
    <Part
      title={t.settings.topics}
      empty={t.settings.noTopics}
      asked={asked}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      after={
        <ChangeForm
          document={AddTopicDocument}
          variablesOf={(text) => ({ project, name: text('topic') })}
          submit={t.settings.add}
        >
          <Field name="topic" label={t.settings.topic} />
        </ChangeForm>
      }
    />
  )
}

const placeText = ({ city, region, countryCode }: Location) =>
  [city, region, countryCode].filter(Boolean).join(', ')

/** The locations, and a form for one more. */
export function Locations({ project, found, asked }: SettingsPart) {
  const rows = found.locations?.nodes ?? []
  const columns: readonly Column<Location>[] = [
    textColumn(t.settings.place, placeText),
    actColumn(t.columns.actions, RemoveLocationDocument, (place) => ({
      label: t.settings.remove,
      of: placeText(place),
      document: RemoveLocationDocument,
      variables: { project, id: place.id },
      held: t.act.removed(placeText(place)),
    })),
  ]
  return (
    <Part
      title={t.settings.places}
      empty={t.settings.noPlaces}
      asked={asked}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      after={
        <ChangeForm
          document={AddLocationDocument}
          variablesOf={(text) => ({
            project,
            place: text('place'),
            country: text('country').toUpperCase() || null,
          })}
          submit={t.settings.add}
        >
          <Field name="place" label={t.settings.place} />
          <Field name="country" label={t.settings.country} isOptional />
        </ChangeForm>
      }
    />
  )
}
