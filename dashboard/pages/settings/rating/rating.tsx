import {
  Alert,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { providerNames } from '../../../../core/collecting/providers/names.ts'
import { modelsOf, providerTerms } from '../../../../core/collecting/providers/request.ts'
import {
  RateOlderAnswersDocument,
  RatingDocument,
  RatingPriceDocument,
  type RatingQuery,
  SetSentimentMethodDocument,
  SetupModelsDocument,
} from '../../../documents.ts'
import { Fault } from '../../../parts/act.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { Panel } from '../../../parts/panel.tsx'
import { Answered } from '../../../parts/states.tsx'
import { useQuestion } from '../../../state/ask.ts'
import { useChange } from '../../../state/change.ts'
import { useMay } from '../../../state/may.ts'
import { rating as texts } from '../../../texts/rating.ts'
import { moneyText } from '../../data-collection/money.tsx'

type Method = NonNullable<RatingQuery['project']>['sentimentMethod']
type Price = NonNullable<Method['estimate']>

const money = (amount: number | null | undefined) => (amount == null ? null : moneyText(amount))

/** What 1,000 answers cost, before anything is saved. */
function PriceLine({ price }: { readonly price: Price | null | undefined }) {
  if (price === undefined) return <Text size="sm">{texts.pricing}</Text>
  const cost = money(price?.costPerThousand)
  return (
    <Text size="sm" role="status">
      {cost === null ? texts.noPrice : texts.price(cost, price?.isMeasured ?? false)}
    </Text>
  )
}

interface FormProps {
  readonly project: string
  readonly method: Method
}

/** Rules or a model, with its price and its limit. */
function MethodForm({ project, method }: FormProps) {
  const { data } = useQuestion(SetupModelsDocument, { project })
  const keys = (data?.project?.workspace.providerKeys?.nodes ?? []).filter(
    ({ provider }) => modelsOf(provider) === null,
  )
  const [by, setBy] = useState(method.by)
  const [chosen, setKey] = useState(method.providerKeyId)
  const [written, setModel] = useState<string | null>(method.model)
  const [cap, setCap] = useState<number | string>(method.monthCap ?? (method.version ? '' : 5))
  const key = keys.find(({ id }) => id === chosen) ?? keys[0]
  const usual = key && (key.model ?? providerTerms[key.provider].model)
  const model = written ?? usual ?? ''
  const [priced] = useDebouncedValue({ key: key?.id, model }, 400)
  const change = useChange(SetSentimentMethodDocument)
  const wanted =
    by === 'rules'
      ? { project, by }
      : {
          project,
          by,
          key: key?.id,
          model: model || null,
          monthCap: cap === '' ? null : Number(cap),
        }
  return (
    <Stack gap="sm" align="flex-start" maw={560}>
      <SegmentedControl
        aria-label={texts.title}
        value={by}
        onChange={(value) => setBy(value as typeof by)}
        data={(['rules', 'model'] as const).map((value) => ({ value, label: texts.by[value] }))}
      />
      <Text size="sm" c="dimmed">
        {by === 'rules' ? texts.rulesHint : texts.modelHint}
      </Text>
      {by === 'model' && !key && <Text size="sm">{texts.noKey}</Text>}
      {by === 'model' && key && (
        <>
          <Group align="flex-start" gap="sm">
            <Select
              label={texts.key}
              allowDeselect={false}
              value={key.id}
              onChange={(id) => {
                setKey(id)
                setModel(null)
              }}
              data={keys.map(({ id, provider, label }) => ({
                value: id,
                label: texts.keyOf(providerNames[provider], label),
              }))}
            />
            <TextInput
              label={texts.model}
              value={model}
              maxLength={200}
              onChange={({ currentTarget }) => setModel(currentTarget.value)}
            />
          </Group>
          <NumberInput
            label={texts.cap}
            description={texts.capHint}
            min={0}
            decimalScale={2}
            value={cap}
            onChange={setCap}
          />
          {priced.key && priced.model && (
            <Priced project={project} keyId={priced.key} model={priced.model} method={method} />
          )}
        </>
      )}
      <Button
        loading={change.isPending}
        disabled={by === 'model' && !key}
        onClick={() => change.mutate(wanted, { onSuccess: () => notifyDone(texts.saved) })}
      >
        {texts.save}
      </Button>
      <Fault error={change.error} />
    </Stack>
  )
}

interface PricedProps extends FormProps {
  readonly keyId: string
  readonly model: string
}

/** What a model would take, and which answers would be unrated at first. */
function Priced({ project, keyId, model, method }: PricedProps) {
  const { data, error } = useQuestion(RatingPriceDocument, { project, key: keyId, model })
  if (error) return <Fault error={error} />
  const price = data?.project?.sentimentEstimate
  const isOther = method.model !== model
  return (
    <>
      <PriceLine price={data ? price : undefined} />
      {isOther && price && price.pendingAnswers > 0 && (
        <Text size="sm">{texts.becomeUnrated(price.pendingAnswers)}</Text>
      )}
    </>
  )
}

/** What the model is doing, what it has taken, and what it has left out. */
function State({ project, method }: FormProps) {
  const change = useChange(RateOlderAnswersDocument)
  const may = useMay()
  const { estimate, problem, ratesOlder, monthCap, spentThisMonth } = method
  if (method.by === 'rules') return null
  const pending = estimate?.pendingAnswers ?? 0
  return (
    <Stack gap="xs" align="flex-start" mt="md">
      <Text size="sm" c="dimmed">
        {texts.now(method.version ?? '')} ·{' '}
        {texts.spent(moneyText(spentThisMonth), money(monthCap))}
      </Text>
      {problem && (
        <Alert color="orange" role="alert" title={texts.waits}>
          {problem}
        </Alert>
      )}
      {pending > 0 && ratesOlder && !problem && (
        <Text size="sm" role="status">
          {texts.rating(pending)}
        </Text>
      )}
      {pending > 0 && !ratesOlder && (
        <Group gap="sm">
          <Text size="sm">{texts.older(pending)}</Text>
          {may(RateOlderAnswersDocument) && (
            <Button
              variant="default"
              size="xs"
              loading={change.isPending}
              onClick={() => change.mutate({ project })}
            >
              {texts.rateOlder(money(estimate?.pendingCost))}
            </Button>
          )}
        </Group>
      )}
      <Fault error={change.error} />
    </Stack>
  )
}

/** Who rates the sentiment of answers. */
export function Rating({ project }: { readonly project: string }) {
  const variables = { project }
  const may = useMay()
  return (
    <Answered query={useQuestion(RatingDocument, variables)}>
      {({ project: found }) => {
        const method = found?.sentimentMethod
        if (!method) return null
        return (
          <Panel
            title={texts.title}
            sub={texts.lead}
            asked={{ document: RatingDocument, variables }}
          >
            {may(SetSentimentMethodDocument) ? (
              <MethodForm
                key={`${method.version} ${method.providerKeyId} ${method.monthCap}`}
                project={project}
                method={method}
              />
            ) : (
              <Text size="sm">{texts.now(method.version ?? texts.by.rules)}</Text>
            )}
            <State project={project} method={method} />
          </Panel>
        )
      }}
    </Answered>
  )
}

/** One line about who rates the sentiment of a new project, with the other choice. */
export function RatingLine({ project }: { readonly project: string }) {
  const { data } = useQuestion(RatingDocument, { project })
  const models = useQuestion(SetupModelsDocument, { project })
  const change = useChange(SetSentimentMethodDocument)
  const method = data?.project?.sentimentMethod
  if (!method) return null
  const key = models.data?.project?.workspace.providerKeys?.nodes.find(
    ({ provider }) => modelsOf(provider) === null,
  )
  const isByModel = method.by === 'model'
  const other = isByModel
    ? ({ project, by: 'rules' } as const)
    : key &&
      ({
        project,
        by: 'model',
        key: key.id,
        monthCap: key.expectedCost === null ? null : 5,
      } as const)
  return (
    <Group gap="sm">
      <Text size="sm">
        {isByModel
          ? texts.line(
              method.model ?? '',
              money(method.estimate?.costPerThousand),
              money(method.monthCap),
            )
          : texts.ruled}
      </Text>
      {other && (
        <Button
          size="compact-xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate(other)}
        >
          {isByModel ? texts.useRules : texts.useModel}
        </Button>
      )}
      <Fault error={change.error} />
    </Group>
  )
}
