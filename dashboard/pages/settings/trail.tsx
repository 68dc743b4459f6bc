import { AllEntriesDocument, type OneEntryFragment } from '../../documents.ts'
import { textColumn, timeColumn } from '../../parts/columns.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'

const { trail } = t

const verbs: Readonly<Record<string, string>> = trail.verbs

/** What was changed and how, such as “Competitor added”. */
function changeText({ action, subjectType }: OneEntryFragment): string {
  const verb = action.slice(action.indexOf('.') + 1)
  return trail.change(trail.subjects[subjectType], verbs[verb] ?? verb)
}

/** The name of what was changed, where the change has it. */
function nameText({ before, after }: OneEntryFragment): string {
  const facts = { ...(before as object | null), ...(after as object | null) }
  const named = ['name', 'text', 'email', 'title', 'label', 'domain', 'host', 'lastFour'] as const
  const known = facts as Readonly<Partial<Record<(typeof named)[number], unknown>>>
  const found = named.map((name) => known[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}

function byText({ member, key, userId }: OneEntryFragment): string {
  const person = member?.email ?? (userId ? trail.formerMember : trail.commandLine)
  return key ? trail.byKey(person, t.settings.keyName(key.name, key.lastFour)) : person
}

const columns: readonly Column<OneEntryFragment>[] = [
  timeColumn(trail.at, ({ at }) => at),
  textColumn(trail.what, changeText),
  { ...textColumn<OneEntryFragment>(trail.name, nameText), isLong: true },
  {
    ...textColumn<OneEntryFragment>(t.shell.project, ({ project }) => project?.name ?? ''),
    isMinor: true,
  },
  textColumn(trail.by, byText),
]

/** Who changed what. The table has the newest changes, and the file all of them. */
export function Trail({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered query={useQuestion(AllEntriesDocument, variables)}>
      {({ project: found }) => {
        const list = found?.workspace.auditTrail
        const rows = list?.nodes ?? []
        return (
          <Part
            title={trail.title}
            lead={trail.lead(rows.length, list?.pageInfo.hasNextPage ?? false)}
            asked={{ document: AllEntriesDocument, variables }}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            size={25}
            whole={() =>
              wholeList(AllEntriesDocument, variables, (all) => all.project?.workspace.auditTrail)
            }
          />
        )
      }}
    </Answered>
  )
}
