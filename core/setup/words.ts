/**
 * The words of four languages by which pages of a site become topics and questions. Other languages get the questions
 * that the site itself asks.
 */
export type SetupLanguage = 'en' | 'de' | 'fr' | 'es'

const list = (text: string) => text.trim().split(/\s*\|\s*/)

/** Links of every site, which are about no subject. */
const general = new Set(
  list(
    `home | homepage | about | about us | our story | contact | contact us | login | log in | sign in | sign up | register |
    join | account | my account | cart | basket | bag | checkout | wishlist | search | menu | blog | news | newsroom | press |
    media | careers | jobs | help | help center | help centre | support | customer service | faq | faqs | pricing | prices |
    plans | privacy | privacy policy | terms | terms of service | legal | imprint | cookies | cookie policy | shop | shop all |
    shop now | store | stores | find a store | store locator | all products | products | product | services | service |
    solutions | platform | features | company | team | partners | customers | case studies | resources | docs |
    documentation | developers | api | download | downloads | get started | start | start free | demo | book a demo |
    request a demo | get a demo | free trial | try for free | newsletter | community | events | webinars | language |
    english | deutsch | français | español | sale | sales | new | new in | new arrivals | what's new | best sellers |
    bestsellers | gift cards | gifts | returns | shipping | delivery | orders | track order | status | security | sitemap |
    more | read more | learn more | see all | view all | all | overview | guides | articles | stories | compare | comparison |
    reviews | videos | podcast | investors | sustainability | accessibility | offers | deals | outlet | warranty | skip to content |
    startseite | über uns | kontakt | anmelden | registrieren | konto | mein konto | warenkorb | kasse | suche | aktuelles |
    presse | karriere | hilfe | service | preise | datenschutz | agb | impressum | produkte | alle produkte | lösungen |
    unternehmen | ratgeber | angebote | neuheiten | neu | rückgabe | versand | partner | referenzen | magazin |
    accueil | à propos | qui sommes-nous | connexion | compte | mon compte | panier | recherche | actualités | carrières |
    aide | tarifs | confidentialité | mentions légales | produits | tous les produits | solutions | entreprise | guide |
    nouveautés | promotions | livraison | retours | boutique |
    inicio | sobre nosotros | quiénes somos | contacto | iniciar sesión | registrarse | cuenta | mi cuenta | carrito |
    buscar | noticias | prensa | empleo | ayuda | precios | privacidad | aviso legal | productos | todos los productos |
    soluciones | empresa | guías | novedades | ofertas | envíos | devoluciones | tienda`,
  ),
)

export const isGeneral = (text: string): boolean => general.has(text.toLowerCase())

/** Parts of paths below which no page says what a site is about. */
export const ownBusiness =
  /\/(?:login|log-in|signin|sign-in|signup|sign-up|register|account|cart|basket|checkout|wishlist|search|privacy|terms|legal|imprint|impressum|datenschutz|agb|cookies?|careers?|jobs?|press|investors?|returns?|shipping|orders?|tag|author|feed|wp-[a-z]+|cdn-cgi)(?:[/._-]|$)/i

/** Questions about the shop rather than about what it sells. */
export const aboutOrders =
  /\b(?:my|our|your|we|us|i return|order|orders|shipping|ship|deliver(?:y|ed)?|refunds?|returns?|account|password|cookies?|invoice|coupon|discount|unsubscribe|newsletter|meine?r?|mein|wir|uns|unsere?|bestellung|versand|lieferung|rückgabe|konto|passwort|rechnung|notre|nos|votre|commande|livraison|retour|compte|mot de passe|nuestr[oa]s?|pedido|envío|devolución|cuenta|contraseña)\b/iu

type Intent = 'informational' | 'commercial' | 'navigational'

export interface Template {
  /** `{}` stands for the topic, the brand or the product. */
  readonly text: string
  readonly intent: Intent
}

interface Templates {
  /** For topics that name several things, such as "running shoes". */
  readonly things: readonly Template[]
  /** For all other topics, such as "project management". */
  readonly subject: readonly Template[]
  readonly brand: readonly Template[]
  /** With the brand as `{}` and a topic as `[]`. */
  readonly brandOfTopic: Template
  readonly product: Template
}

const informational = (text: string): Template => ({ text, intent: 'informational' })
const commercial = (text: string): Template => ({ text, intent: 'commercial' })

export const templates: Readonly<Record<SetupLanguage, Templates>> = {
  en: {
    things: [
      commercial('What are the best {}?'),
      informational('How do I choose {}?'),
      commercial('Which brands make good {}?'),
      commercial('Which {} are worth the money?'),
    ],
    subject: [
      commercial('Which companies are best for {}?'),
      informational('What should I look for in {}?'),
      commercial('Who offers good value in {}?'),
      commercial('What do experts recommend for {}?'),
    ],
    brand: [
      commercial('What are the best alternatives to {}?'),
      informational('What is {} known for?'),
      commercial('How does {} compare with its competitors?'),
    ],
    brandOfTopic: commercial('Is {} a good choice for []?'),
    product: commercial('Is the {} worth buying?'),
  },
  de: {
    things: [
      commercial('Was sind die besten {}?'),
      informational('Worauf sollte man bei {} achten?'),
      commercial('Welche Marken sind bei {} zu empfehlen?'),
      commercial('Welche {} sind ihr Geld wert?'),
    ],
    subject: [
      commercial('Welche Anbieter sind für {} am besten?'),
      informational('Worauf sollte man bei {} achten?'),
      commercial('Wer hat bei {} ein gutes Preis-Leistungs-Verhältnis?'),
      commercial('Was empfehlen Fachleute für {}?'),
    ],
    brand: [
      commercial('Was sind die besten Alternativen zu {}?'),
      informational('Wofür ist {} bekannt?'),
      commercial('Wie schneidet {} im Vergleich zur Konkurrenz ab?'),
    ],
    brandOfTopic: commercial('Ist {} für [] eine gute Wahl?'),
    product: commercial('Lohnt sich der Kauf von {}?'),
  },
  fr: {
    things: [
      commercial('Quels sont les meilleurs choix en {} ?'),
      informational('Comment choisir parmi les {} ?'),
      commercial('Quelles marques recommander pour les {} ?'),
      commercial('Quels {} valent leur prix ?'),
    ],
    subject: [
      commercial('Quelles entreprises sont les meilleures pour {} ?'),
      informational('À quoi faut-il faire attention pour {} ?'),
      commercial('Qui propose le meilleur rapport qualité-prix pour {} ?'),
      commercial('Que recommandent les experts pour {} ?'),
    ],
    brand: [
      commercial('Quelles sont les meilleures alternatives à {} ?'),
      informational('Pour quoi {} est-il connu ?'),
      commercial('Que vaut {} face à ses concurrents ?'),
    ],
    brandOfTopic: commercial('{} est-il un bon choix pour [] ?'),
    product: commercial('Faut-il acheter {} ?'),
  },
  es: {
    things: [
      commercial('¿Cuáles son las mejores opciones en {}?'),
      informational('¿Cómo elegir {}?'),
      commercial('¿Qué marcas recomiendas para {}?'),
      commercial('¿Qué {} merecen la pena por su precio?'),
    ],
    subject: [
      commercial('¿Qué empresas son las mejores para {}?'),
      informational('¿En qué hay que fijarse en {}?'),
      commercial('¿Quién ofrece la mejor relación calidad-precio en {}?'),
      commercial('¿Qué recomiendan los expertos para {}?'),
    ],
    brand: [
      commercial('¿Cuáles son las mejores alternativas a {}?'),
      informational('¿Por qué es conocido {}?'),
      commercial('¿Cómo es {} en comparación con sus competidores?'),
    ],
    brandOfTopic: commercial('¿Es {} una buena opción para []?'),
    product: commercial('¿Merece la pena comprar {}?'),
  },
}

/** The language of templates for a `lang` attribute; null for a language without them. English where none is given. */
export function setupLanguage(lang: string | null): SetupLanguage | null {
  const code = (lang ?? 'en').slice(0, 2).toLowerCase()
  return code in templates ? (code as SetupLanguage) : null
}
