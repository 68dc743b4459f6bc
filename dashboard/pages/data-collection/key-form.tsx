import {
  Autocomplete,
  Button,
  Checkbox,
  Collapse,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { providerNames } from '../../../core/collecting/providers/names.ts'
import { providerTerms } from '../../../core/collecting/providers/request.ts'
import {
  isService,
  type ServiceName,
  type SurfaceName,
} from '../../../core/collecting/providers/surfaces/names.ts'
import { services, surfacesOf } from '../../../core/collecting/providers/surfaces/services.ts'
import {
  type AnswerProvider,
  ListProviderModelsDocument,
  type OneSourceFragment,
  ProviderKeysDocument,
  SetProviderKeyDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Answered } from '../../parts/states.tsx'
import { ask, useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'

interface KeyFormProps {
  readonly workspace: string
  readonly sources: readonly OneSourceFragment[]
  /** The source whose key is replaced; absent for a new one. */
  readonly replaced?: OneSourceFragment | undefined
  onDone(): void
}

const providers = Object.entries(providerNames).map(([value, label]) => ({ value, label }))

/** The first label of a provider that no other key has. */
function freeLabel(provider: string, taken: readonly string[]): string {
  const numbered = (at: number) => (at === 1 ? provider : `${provider} ${at}`)
  let at = 1
  while (taken.includes(numbered(at))) at++
  return numbered(at)
}

/** The form for a key, with what is stored of one that is replaced. */
export function KeyForm(props: KeyFormProps) {
  const { workspace, replaced } = props
  const query = useQuestion(
    ProviderKeysDocument,
    { workspace },
    { enabled: replaced !== undefined },
  )
  if (!replaced) return <EmptyForm {...props} stored={undefined} />
  return (
    <Answered query={query} loading={<Skeleton h={240} />}>
      {({ workspace: found }) => (
        <EmptyForm
          {...props}
          stored={found?.providerKeys?.nodes.find(({ id }) => id === replaced.keyId)}
        />
      )}
    </Answered>
  )
}

interface KeyValues {
  readonly provider: AnswerProvider
  readonly secret: string
  readonly model: string
  readonly label: string
  readonly address: string
  readonly surfaces: string[]
  /** US dollars of 1,000 units, as plans are priced. */
  readonly thousand: number | ''
}
type Form = UseFormReturnType<KeyValues>

interface StoredProps extends KeyFormProps {
  readonly stored:
    | {
        readonly baseUrl: string | null
        readonly model: string | null
        readonly surfaces: readonly string[]
        readonly unitPrice: number | null
      }
    | undefined
}

/** What a service reads, and what it costs. */
function ServiceFields({ service, form }: { readonly service: ServiceName; readonly form: Form }) {
  const { units, unit, placeOf, knowsLanguages, listPrice } = services[service]
  const names = surfacesOf(service)
  const places = names.some((name) => placeOf(name) === 'city') ? 'city' : 'country'
  return (
    <>
      <Checkbox.Group
        label={texts.surfaces}
        description={texts.surfacesHint}
        {...form.getInputProps('surfaces')}
      >
        <Stack gap="xs" mt="xs">
          {names.map((name: SurfaceName) => (
            <Checkbox
              key={name}
              value={name}
              label={texts.surfaceNames[name]}
              description={texts.unitsOf(units[name] ?? 0, unit)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Stack gap={2}>
        {[
          [texts.places, texts.placesOfService(places)],
          [texts.languages, texts.languagesOfService(knowsLanguages)],
        ].map(([name, what]) => (
          <Text size="sm" key={name}>
            <Text span fw={500}>
              {name}:
            </Text>{' '}
            {what}
          </Text>
        ))}
      </Stack>
      <NumberInput
        label={texts.unitPrice(unit)}
        description={
          listPrice === undefined ? texts.unitPriceHint : texts.unitPriceListed(1000 * listPrice)
        }
        min={0}
        max={100_000}
        decimalScale={4}
        {...form.getInputProps('thousand')}
      />
    </>
  )
}

/** A key is tested, and stored if the provider takes it. */
function EmptyForm({ workspace, sources, replaced, stored, onDone }: StoredProps) {
  const [hasMore, { toggle }] = useDisclosure(false)
  const form = useForm<KeyValues>({
    initialValues: {
      provider: replaced?.provider ?? 'openai',
      secret: '',
      model: stored?.model ?? '',
      label: replaced?.label ?? '',
      address: stored?.baseUrl ?? '',
      surfaces: [...(stored?.surfaces ?? [])],
      thousand: stored?.unitPrice == null ? '' : stored.unitPrice * 1000,
    },
    validate: {
      secret: (text) => (text.trim() === '' ? texts.needsSecret : null),
      model: (text, { provider }) =>
        text.trim() === '' && provider === 'compatible' ? texts.needsModel : null,
      surfaces: (names, { provider }) =>
        isService(provider) && names.length === 0 ? texts.needsSurface : null,
      address: (text, { provider }) =>
        (text.trim() !== '' && !/^https?:\/\/./.test(text.trim())) ||
        (text.trim() === '' && (provider === 'compatible' || replaced?.hasOwnAddress))
          ? texts.needsAddress
          : null,
    },
  })
  const { provider, secret, address } = form.values
  const change = useChange(SetProviderKeyDocument)
  const models = useMutation({
    mutationFn: async (more: { secret?: string; baseUrl?: string }) => {
      const asked = { workspace, provider, ...more }
      const { listProviderModels: found } = await ask(ListProviderModelsDocument, asked)
      return found && 'models' in found ? found : undefined
    },
  })
  const { mutate: listModels } = models
  // What is known of a provider is there at once; its own list comes when the key is there.
  useEffect(() => {
    void provider
    listModels({})
  }, [provider, listModels])
  const standard = providerTerms[provider].model
  const isCompatible = provider === 'compatible'
  const needsAddress = isCompatible || replaced?.hasOwnAddress === true
  function send(values: typeof form.values) {
    const taken = sources.map(({ label }) => label)
    const optional = (text: string) => text.trim() || null
    change.mutate(
      {
        workspace,
        provider: values.provider,
        secret: values.secret.trim(),
        label: values.label.trim() || freeLabel(values.provider, taken),
        baseUrl: optional(values.address),
        model: optional(values.model),
        ...(isService(values.provider) && {
          model: null,
          surfaces: values.surfaces,
          unitPrice: values.thousand === '' ? null : values.thousand / 1000,
        }),
      },
      {
        onSuccess: () => {
          notifyDone(texts.keyStored(providerNames[values.provider]))
          onDone()
        },
      },
    )
  }
  const found = models.data
  const fields = (
    <>
      <TextInput
        label={texts.address}
        description={needsAddress ? texts.addressHint : texts.addressOfProvider}
        {...form.getInputProps('address')}
      />
      {!replaced && (
        <TextInput
          label={texts.label}
          description={texts.labelHint}
          maxLength={100}
          {...form.getInputProps('label')}
        />
      )}
    </>
  )
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="sm">
        <Select
          label={texts.provider}
          data={providers}
          allowDeselect={false}
          disabled={replaced !== undefined}
          {...form.getInputProps('provider')}
          onChange={(value) => {
            if (value) form.setFieldValue('provider', value as AnswerProvider)
            form.setFieldValue('model', '')
            form.setFieldValue('surfaces', [])
            form.setFieldValue('thousand', '')
            form.clearErrors()
          }}
        />
        <PasswordInput
          label={texts.secret}
          description={texts.secretHints[provider]}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('secret')}
          onBlur={() => {
            const own = secret.trim()
            if (own) listModels({ secret: own, ...(address.trim() && { baseUrl: address.trim() }) })
          }}
        />
        {isService(provider) ? (
          <ServiceFields service={provider} form={form} />
        ) : (
          <Autocomplete
            label={texts.model}
            description={
              found?.isListed
                ? texts.modelsListed(found.models.length)
                : standard
                  ? texts.modelHint(standard)
                  : texts.modelHintPlain
            }
            data={[...(found?.models ?? [])]}
            placeholder={standard ?? ''}
            limit={100}
            {...form.getInputProps('model')}
          />
        )}
        {needsAddress ? (
          fields
        ) : (
          <>
            <Group>
              <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={hasMore}>
                {texts.more}
              </Button>
            </Group>
            <Collapse expanded={hasMore}>
              <Stack gap="sm">{fields}</Stack>
            </Collapse>
          </>
        )}
        <Text size="xs" c="dimmed">
          {isService(provider) ? texts.testingService : texts.testing}
        </Text>
        <Fault error={change.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {texts.testAndSave}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
