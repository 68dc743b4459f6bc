import { providerNames } from '../../../core/collecting/providers/names.ts'

/** The name of a provider, as its owner writes it. */
export const nameOf = (provider: string): string =>
  (providerNames as Readonly<Record<string, string>>)[provider] ?? provider
