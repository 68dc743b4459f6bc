import { shown } from '../../../web/share/numbers.ts'
import { type AgreeingFragment, AgreementDocument, type AgreementQuery } from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { rangeText } from '../../parts/figures.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'

type Report = NonNullable<NonNullable<AgreementQuery['project']>['agreement']>
type Pair = Report['pairs'][number]

const waysOf = ({ first, second }: Pair) =>
  first === second
    ? texts.askedTwice(t.shell.ways[first])
    : texts.waysOf(t.shell.ways[first], t.shell.ways[second])

/** A percentage with its interval below it. */
function agreeColumn(name: string, of: (pair: Pair) => AgreeingFragment): Column<Pair> {
  const show = (pair: Pair) => {
    const { value, low, high } = of(pair)
    if (value === null || value === undefined) return '–'
    const range = rangeText(low ?? null, high ?? null, 'percent')
    return range === '' ? (
      shown(value, 'percent')
    ) : (
      <span title={t.sure.interval(range)}>
        {shown(value, 'percent')} <small>{range}</small>
      </span>
    )
  }
  return { name, show, value: (pair) => of(pair).value ?? null }
}

const columns: readonly Column<Pair>[] = [
  textColumn(t.columns.platform, ({ platform }) => platform.displayName),
  textColumn(texts.compared, waysOf),
  countColumn(texts.pairedQuestions, ({ questionCount }) => questionCount),
  {
    name: t.overview.visibility,
    show: ({ firstVisibility, secondVisibility }) =>
      texts.visibilities(shown(firstVisibility, 'percent'), shown(secondVisibility, 'percent')),
    value: ({ firstVisibility, secondVisibility }) => secondVisibility - firstVisibility,
  },
  agreeColumn(texts.sameMentions, ({ mentions }) => mentions),
  agreeColumn(texts.sameFirst, ({ firstPlaces }) => firstPlaces),
  agreeColumn(texts.sameDomains, ({ domains }) => domains),
]

/** How far pages, APIs and imports agree: is the API what people see? */
export function AgreementPart({ project }: { readonly project: string }) {
  const { window } = useAddress()
  const variables = { project, window }
  const asked = { document: AgreementDocument, variables }
  return (
    <Answered query={useQuestion(AgreementDocument, variables)}>
      {({ project: found }) => (
        <Part
          title={texts.agreement}
          lead={texts.agreementLead}
          empty={(found?.agreement?.ways.length ?? 0) > 1 ? texts.noPairs : texts.oneWay}
          asked={asked}
          columns={columns}
          rows={found?.agreement?.pairs ?? []}
          keyOf={({ platform, first, second }) => `${platform.slug} ${first} ${second}`}
        />
      )}
    </Answered>
  )
}
