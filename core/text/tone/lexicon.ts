import de from '../../data/tones/de.json' with { type: 'json' }
import en from '../../data/tones/en.json' with { type: 'json' }
import es from '../../data/tones/es.json' with { type: 'json' }
import fr from '../../data/tones/fr.json' with { type: 'json' }
import it from '../../data/tones/it.json' with { type: 'json' }
import nl from '../../data/tones/nl.json' with { type: 'json' }
import pt from '../../data/tones/pt.json' with { type: 'json' }

type Texts = readonly string[]

interface ByStrength {
  readonly strong: Texts
  readonly plain: Texts
  readonly weak: Texts
}

/**
 * What the rules of tones know of one language. Words are in lower case. A word that ends in a key of `forms`, such as
 * "gut*", stands for its forms: "gut", "gute", "gutes".
 */
export interface Lexicon {
  readonly forms: Readonly<Record<string, Texts | undefined>>
  /** Whether an apostrophe parts words: "l'aide". */
  readonly elides: boolean
  readonly positive: ByStrength
  readonly negative: ByStrength
  /** Phrases that are no opinion, though their words are. */
  readonly neither: Texts
  /** Words that turn the opinion after them. */
  readonly negators: Texts
  /** Verbs of opinion that a negator after them turns: "empfehle ich nicht". */
  readonly verbs: Texts
  /** Verbs of which blame is the object: "detects breaches". */
  readonly shields: Texts
  /** Those of them that say of a fault that it is mended: "fixed the crashes". */
  readonly menders: Texts
  /** Those that only say what is to be mended, and blame when they are denied: "did not fix the crashes". */
  readonly toMend: Texts
  /** What says of the fault before it that it is mended, as regular expressions: "has been fixed". */
  readonly mended: Texts
  /** What was and no longer is: "used to be". */
  readonly former: Texts
  /** Words that put a clause into a time that is over: "formerly". */
  readonly past: Texts
  /** What sets blame aside, in its clause or in one that turns against it: "wrongly". */
  readonly dismissals: Texts
  /** Words that begin another clause. */
  readonly contrasts: Texts
  /** Contrasts whose clause weighs more than the one before: "but". */
  readonly turns: Texts
  /** Words after which a contrast begins none: "anything but". */
  readonly affirmedContrasts: Texts
  readonly concessions: Texts
  /** Openings of what is said of the reader, as regular expressions: "if you". */
  readonly conditions: Texts
  /** What stands before the brand with which another is compared, as regular expressions. */
  readonly comparisons: Texts
  /** Those after which praise of the one blames the other: "faster than". */
  readonly outdone: Texts
  /** What stands before an example: "such as". */
  readonly examples: Texts
  /** What stands before a brand that is not spoken of: "works with". */
  readonly asides: Texts
  /** What ends as an aside does, but speaks of the brand: "problems with". */
  readonly subjects: Texts
  /** What stands before the owner of a thing: "the network of". */
  readonly owners: Texts
  /** Words between one of those and the name. */
  readonly determiners: Texts
  /** Words between the last two names of a list. */
  readonly joints: Texts
  /** First words of sentences that go on about the brand of the sentence before; none where any may. */
  readonly continuations: Texts
  readonly labels: { readonly praise: Texts; readonly blame: Texts; readonly detail: Texts }
  readonly titles: { readonly praise: Texts; readonly blame: Texts }
  /** First words of parts that speak of no brand. */
  readonly sections: Texts
  /** Words whose full stop ends no sentence, as regular expressions. */
  readonly abbreviations: Texts
}

const lexicons = { de, en, es, fr, it, nl, pt } satisfies Record<string, Lexicon>

/** A language whose tones the rules rate, as a code of ISO 639-1. */
export type ToneLanguage = keyof typeof lexicons

export const toneLanguages = Object.keys(lexicons) as ToneLanguage[]

export const lexiconOf = (language: ToneLanguage): Lexicon => lexicons[language]
