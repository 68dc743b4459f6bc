import { useId } from 'react'
import {
  AddLocationDocument,
  AddPromptsDocument,
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
type Place = NonNullable<Found['locations']>['nodes'][number]

/** The topics, and a form for one more. */
export function Topics({ project, found, asked }: SettingsPart) {
  const rows = found.topics?.nodes ?? []
  const columns: readonly Column<Topic>[] = [
    textColumn(t.settings.topic, ({ name }) => name),
    textColumn(t.settings.prompts, ({ promptCount, trackedPromptCount }) =>
      t.settings.ofPrompts(trackedPromptCount, promptCount),
    ),
    actColumn(t.settings.acts, ({ id, name }) => ({
      label: t.settings.remove,
      of: name,
      document: RemoveTopicDocument,
      variables: { project, id },
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

const placeText = ({ city, region, countryCode }: Place) =>
  [city, region, countryCode].filter(Boolean).join(', ')

/** The places, and a form for one more. */
export function Places({ project, found, asked }: SettingsPart) {
  const rows = found.locations?.nodes ?? []
  const columns: readonly Column<Place>[] = [
    textColumn(t.settings.place, placeText),
    actColumn(t.settings.acts, (place) => ({
      label: t.settings.remove,
      of: placeText(place),
      document: RemoveLocationDocument,
      variables: { project, id: place.id },
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

/** A form that adds prompts, one a line. */
export function NewPrompts({ project }: { readonly project: string }) {
  const id = useId()
  const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])
  return (
    <section className="part">
      <h2>{t.settings.newPrompts}</h2>
      <p className="lead" id={`${id}h`}>
        {t.settings.newPromptsLead}
      </p>
      <ChangeForm
        document={AddPromptsDocument}
        variablesOf={(text) => ({
          project,
          prompts: linesOf(text('prompts')).map((line) => ({ text: line })),
        })}
        submit={t.settings.add}
      >
        <label htmlFor={id}>{t.settings.prompts}</label>
        <textarea id={id} name="prompts" rows={4} cols={60} required aria-describedby={`${id}h`} />
      </ChangeForm>
    </section>
  )
}
