import { roundFloat, roundQuotient } from '../metrics.ts'

/** What the definitions of visibility count in the same answers. */
export interface DefinitionCounts {
  readonly answers: number
  /** Answers that mention the brand. */
  readonly mentioned: number
  /** Answers in which it has rank 1 among the tracked brands. */
  readonly first: number
  /** Points for the ranks of the brand: `rankPoints` at most in an answer. */
  readonly points: number
  /** Answers that cite a domain of the brand. */
  readonly cited: number
  readonly prompts: number
  /** Prompts with an answer that mentions the brand. */
  readonly promptsMentioned: number
  /** The visibility of each prompt, from 0 to 1, added up. */
  readonly promptRates: number
  /** Mentioning answers of all tracked brands, added up. */
  readonly allMentioned: number
  /** Occurrences of the brand's name. */
  readonly occurrences: number
  readonly allOccurrences: number
}

/** Points for rank 1. Each later rank has one less. */
export const rankPoints = 10

export const definitionNames = [
  'any_mention',
  'first_mention',
  'cited_domain',
  'position_weighted',
  'prompt_mean',
  'prompt_coverage',
  'share_of_voice',
  'share_of_occurrences',
] as const

export type DefinitionName = (typeof definitionNames)[number]

/** One way to count how visible a brand is. */
export interface Definition {
  readonly name: string
  readonly meaning: string
  /** Tools by what their help pages said in November 2026. */
  readonly usedBy: string
  /** What is counted, and its base. */
  readonly ratio: (counts: DefinitionCounts) => readonly [numerator: number, denominator: number]
}

export const definitions: Readonly<Record<DefinitionName, Definition>> = {
  any_mention: {
    name: 'Any mention',
    meaning: 'Answers that mention the brand, of all answers.',
    usedBy: 'Visibility in Sightline, Profound and Peec AI; Presence in Trakkr.',
    ratio: ({ mentioned, answers }) => [mentioned, answers],
  },
  first_mention: {
    name: 'First mention only',
    meaning: 'Answers that rank the brand first, of all answers.',
    usedBy: 'First mention rate in GEOlyze.',
    ratio: ({ first, answers }) => [first, answers],
  },
  cited_domain: {
    name: 'Cited domain only',
    meaning: 'Answers that cite a domain of the brand, of all answers, whatever they mention.',
    usedBy: 'Retrieved in Peec AI; usage of a domain in Sightline.',
    ratio: ({ cited, answers }) => [cited, answers],
  },
  position_weighted: {
    name: 'Weighted by position',
    meaning:
      'Ten points for each answer that ranks the brand first, nine for second, down to one for tenth, of ten points for every answer.',
    usedBy: 'Visibility in Trakkr, which then takes the square root: 49% is shown as 70.',
    ratio: ({ points, answers }) => [points, rankPoints * answers],
  },
  prompt_mean: {
    name: 'Per prompt, then the mean',
    meaning:
      'The visibility of each prompt, averaged: each prompt counts once, however many answers it has.',
    usedBy: 'Spreadsheets that average the column of an exported list of prompts.',
    ratio: ({ promptRates, prompts }) => [promptRates, prompts],
  },
  prompt_coverage: {
    name: 'Prompts with a mention',
    meaning: 'Prompts with at least one answer that mentions the brand, of all prompts.',
    usedBy: 'Brand coverage in Otterly.AI.',
    ratio: ({ promptsMentioned, prompts }) => [promptsMentioned, prompts],
  },
  share_of_voice: {
    name: 'Share of voice, without repeats',
    meaning:
      'Answers that mention the brand, of the same counts of all tracked brands added up. Several mentions in an answer count once.',
    usedBy: 'Share of voice in Sightline and Profound.',
    ratio: ({ mentioned, allMentioned }) => [mentioned, allMentioned],
  },
  share_of_occurrences: {
    name: 'Share of voice, with repeats',
    meaning: "Occurrences of the brand's name, of those of the names of all tracked brands.",
    usedBy: 'Counts of every mention, as in media monitoring.',
    ratio: ({ occurrences, allOccurrences }) => [occurrences, allOccurrences],
  },
}

/** The number of a definition: percent, with two decimals. */
export interface DefinedNumber {
  readonly definition: DefinitionName
  /** Null without a base. */
  readonly value: number | null
  readonly numerator: number
  readonly denominator: number
}

/** The same answers counted by each definition, in the order of the list. */
export const numbersByDefinition = (counts: DefinitionCounts): DefinedNumber[] =>
  definitionNames.map((definition) => {
    const [numerator, denominator] = definitions[definition].ratio(counts)
    return {
      definition,
      value: denominator === 0 ? null : percentOf(numerator, denominator),
      numerator: roundFloat(numerator),
      denominator,
    }
  })

/** A sum of rates is no integer. */
const percentOf = (numerator: number, denominator: number) =>
  Number.isInteger(numerator)
    ? roundQuotient(100 * numerator, denominator)
    : roundFloat((100 * numerator) / denominator)
