/**
 * Words of the page of Google Analytics 4 in English, German, French, Spanish, Portuguese, Japanese and Italian, by the
 * English name that the import knows. A language may have several: Google renames columns, and countries differ.
 * @see https://support.google.com/analytics/answer/9143382
 */

const dimensions = {
  Date: ['Datum', 'Date', 'Fecha', 'Data', '日付'],
  'Landing page': [
    ...[
      'Landingpage',
      'Zielseite',
      'Page de destination',
      'Página de destino',
      'Página de entrada',
    ],
    ...['ランディング ページ', 'Pagina di destinazione'],
  ],
  'Landing page + query string': [
    ...['Landingpage + Abfragestring', 'Page de destination + chaîne de requête'],
    ...['Page de destination et chaîne de requête', 'Página de destino + cadena de consulta'],
    ...['Página de destino + string de consulta', 'ランディング ページ + クエリ文字列'],
    'Pagina di destinazione + stringa di query',
  ],
  'Page path': [
    ...['Seitenpfad', 'Chemin de la page', 'Chemin de page', 'Ruta de la página', 'Ruta de página'],
    ...[
      'Caminho da página',
      'ページパス',
      'ページのパス',
      'Percorso pagina',
      'Percorso della pagina',
    ],
  ],
  'Page path + query string': [
    ...['Seitenpfad + Abfragestring', 'Chemin de la page + chaîne de requête'],
    ...['Ruta de la página + cadena de consulta', 'Ruta de página + cadena de consulta'],
    ...['Caminho da página + string de consulta', 'ページパス + クエリ文字列'],
    'Percorso pagina + stringa di query',
  ],
  'Page path and screen class': [
    ...['Seitenpfad und Bildschirmklasse', "Chemin de la page et classe de l'écran"],
    ...["Chemin de page et classe d'écran", 'Ruta de página y clase de pantalla'],
    ...['Caminho da página e classe da tela', 'ページパスとスクリーン クラス'],
    'Percorso pagina e classe schermata',
  ],
  'Session source': [
    ...['Sitzung – Quelle', 'Sitzungsquelle', 'Source de la session', 'Source de session'],
    ...['Fuente de la sesión', 'Fuente de sesión', 'Origem da sessão', 'セッションの参照元'],
    ...['Sorgente sessione', 'Sorgente della sessione', 'Origine sessione'],
  ],
  'Session medium': [
    ...['Sitzung – Medium', 'Sitzungsmedium', 'Support de la session', 'Support de session'],
    ...['Medio de la sesión', 'Medio de sesión', 'Mídia da sessão', 'Meio da sessão'],
    ...['セッションのメディア', 'Mezzo sessione', 'Mezzo della sessione'],
  ],
  'Session source / medium': [
    ...['Sitzung – Quelle/Medium', 'Sitzungsquelle/Medium', 'Source/Support de la session'],
    ...['Source/support de session', 'Fuente/Medio de la sesión', 'Fuente/medio de sesión'],
    ...['Origem/mídia da sessão', 'Origem/meio da sessão', 'セッションの参照元/メディア'],
    ...['Sorgente/mezzo sessione', 'Sorgente/mezzo della sessione', 'Origine/mezzo sessione'],
  ],
  Hostname: ['Hostname', "Nom d'hôte", 'Nombre de host', 'Nome do host', 'ホスト名', 'Nome host'],
  'Session default channel group': [
    ...['Sitzung – Standard-Channelgruppe', 'Groupe de canaux par défaut de la session'],
    ...['Grupo de canales predeterminado de la sesión', 'Grupo de canais padrão da sessão'],
    ...['セッションのデフォルト チャネル グループ', 'Gruppo di canali predefinito della sessione'],
  ],
  'Session primary channel group': [
    ...['Sitzung – Primäre Channelgruppe', 'Groupe de canaux principal de la session'],
    ...['Grupo de canales principal de la sesión', 'Grupo principal de canais da sessão'],
    ...['セッションのメインのチャネル グループ', 'Gruppo di canali principale della sessione'],
  ],
  Country: ['Land', 'Pays', 'País', '国', 'Paese'],
  'Device category': [
    ...['Gerätekategorie', "Catégorie d'appareil", 'Categoría de dispositivo'],
    ...['Categoria do dispositivo', 'デバイス カテゴリ', 'Categoria dispositivo'],
  ],
} as const

const metrics = {
  Sessions: ['Sitzungen', 'Sessions', 'Sesiones', 'Sessões', 'セッション', 'Sessioni'],
  'Engaged sessions': [
    ...['Sitzungen mit Interaktionen', 'Sessions avec engagement', 'Sesiones con interacción'],
    ...['Sesiones con interacciones', 'Sessões engajadas', 'Sessões com envolvimento'],
    ...['エンゲージのあったセッション数', 'Sessioni con coinvolgimento'],
  ],
  'Engagement rate': [
    ...['Interaktionsrate', "Taux d'engagement", 'Porcentaje de interacciones'],
    ...['Tasa de interacción', 'Taxa de engajamento', 'Taxa de envolvimento', 'エンゲージメント率'],
    'Tasso di coinvolgimento',
  ],
  'Total users': [
    ...['Nutzer insgesamt', 'Gesamtzahl der Nutzer', "Nombre total d'utilisateurs"],
    ...['Total des utilisateurs', 'Total de usuarios', 'Usuarios totales', 'Total de usuários'],
    ...['Total de utilizadores', '総ユーザー数', '合計ユーザー数', 'Utenti totali'],
  ],
  'Active users': [
    ...['Aktive Nutzer', 'Utilisateurs actifs', 'Usuarios activos', 'Usuários ativos'],
    ...['Utilizadores ativos', 'アクティブ ユーザー', 'アクティブ ユーザー数', 'Utenti attivi'],
  ],
  'New users': [
    ...['Neue Nutzer', 'Nouveaux utilisateurs', 'Usuarios nuevos', 'Novos usuários'],
    ...['Novos utilizadores', '新規ユーザー数', 'Nuovi utenti'],
  ],
  'Bounce rate': [
    ...['Absprungrate', 'Taux de rebond', 'Porcentaje de rebote', 'Tasa de rebote'],
    ...['Taxa de rejeição', '直帰率', 'Frequenza di rimbalzo'],
  ],
  'Average session duration': [
    ...['Durchschnittliche Sitzungsdauer', 'Durée moyenne des sessions'],
    ...['Durée moyenne de session', 'Durée moyenne de la session', 'Duración media de la sesión'],
    ...['Duración promedio de la sesión', 'Duração média da sessão', '平均セッション継続時間'],
    ...['Durata media della sessione', 'Durata media sessione'],
  ],
  'Average engagement time per session': [
    ...['Durchschnittliche Interaktionsdauer pro Sitzung', "Temps d'engagement moyen par session"],
    ...['Tiempo de interacción medio por sesión', 'Tempo médio de engajamento por sessão'],
    ...[
      'セッションあたりの平均エンゲージメント時間',
      'Durata media del coinvolgimento per sessione',
    ],
  ],
  Views: ['Aufrufe', 'Vues', 'Vistas', 'Visualizações', '表示回数', 'Visualizzazioni'],
  'Event count': [
    ...['Ereignisanzahl', "Nombre d'événements", 'Número de eventos', 'Contagem de eventos'],
    ...['イベント数', 'Conteggio eventi'],
  ],
  'Key events': [
    ...['Schlüsselereignisse', 'Événements clés', 'Eventos clave', 'Eventos principais'],
    ...['Eventos-chave', 'キーイベント', 'Eventi chiave'],
  ],
  'Total revenue': [
    ...['Gesamtumsatz', 'Revenu total', 'Ingresos totales', 'Receita total', '合計収益'],
    'Entrate totali',
  ],
} as const

/** Letters and digits alone: case, spaces and signs differ from one version to the next. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const englishOf = (words: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(words).flatMap(([english, names]) =>
      [english, ...names].map((name) => [folded(name), english] as const),
    ),
  )
const dimensionOf = englishOf(dimensions)
const metricOf = englishOf(metrics)

/** The English name of a column; undefined for a name that no language has. */
export const englishColumn = (name: string): string | undefined =>
  dimensionOf.get(folded(name)) ?? metricOf.get(folded(name))

/** Whether a column is named in a language other than English. */
export const isTranslated = (name: string): boolean => {
  const english = englishColumn(name)
  return english !== undefined && folded(english) !== folded(name)
}

/** Whether a column counts something, so that no dimension follows. */
export const isMetricColumn = (name: string): boolean => metricOf.has(folded(name))

/** Whether a table has the columns of a report of sessions, in any of the languages. */
export const isSessionsTable = (names: readonly string[]): boolean =>
  names.some((name) => englishColumn(name) === 'Sessions') &&
  names.some((name) => dimensionOf.has(folded(name)))

/** Whether a file has a table of sessions, first or after a comment: that of the chart may come before it. */
export const hasSessionsTable = (head: Uint8Array): boolean =>
  Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .some((line, at, all) => {
      const isFirst = at === 0 || all[at - 1]?.startsWith('#')
      return isFirst && [',', ';', '\t'].some((delimiter) => isSessionsTable(line.split(delimiter)))
    })

const totals = new Set(
  [
    ...['Total', 'Totals', 'Grand total', 'Gesamt', 'Gesamtsumme', 'Insgesamt', 'Summe', 'Totaux'],
    ...[
      'Total général',
      'Total geral',
      'Totais',
      'Totales',
      'Total general',
      '合計',
      '総計',
      'Totale',
    ],
    ...['Totali', 'Totale generale', 'Totale complessivo'],
  ].map(folded),
)

/** The word beside a row of grand totals. */
export const isTotalWord = (cell: string): boolean => totals.has(folded(cell))

const unset = new Set(
  [
    ...['(nicht festgelegt)', '(nicht definiert)', '(non défini)', '(non définie)'],
    ...['(no establecido)', '(no definido)', '(não definido)', '(não definida)'],
    ...['(未設定)', '(設定なし)', '(non impostato)', '(non definito)'],
  ].map((text) => text.normalize('NFKC')),
)

/** A cell in which Google says that it does not know, as the API writes it. */
export const englishCell = (cell: string): string =>
  unset.has(cell.trim().normalize('NFKC').toLowerCase()) ? '(not set)' : cell

const languages = ['en', 'de', 'fr', 'es', 'pt', 'it']

const plainMonth = (name: string) => name.normalize('NFC').toLowerCase().replace(/\.$/, '')

const monthOf = new Map(
  languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, index) => {
        const name = plainMonth(format.format(Date.UTC(2025, index, 1)))
        return [name, index + 1] as const
      })
    }),
  ),
)

const iso = (year: string, month: string | number, day: string) =>
  `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * A day as one of the languages writes it, as `YYYY-MM-DD`; undefined for anything else. In English `05/10/2025` is no day:
 * it is another one in Britain than in America.
 * @param isDayFirst whether the text is in a language that writes the day before the month
 */
export function dayOfText(text: string, isDayFirst: boolean): string | undefined {
  const cell = text.trim().normalize('NFKC')
  const [, year, month, day] =
    /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})$/.exec(cell) ??
    /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(cell) ??
    []
  if (year && month && day) return iso(year, month, day)
  const [, first, second, last] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(cell) ?? []
  if (first && second && last) {
    if (isDayFirst || cell.includes('.') || Number(first) > 12) return iso(last, second, first)
    return Number(second) > 12 ? iso(last, first, second) : undefined
  }
  const [, date, name, ofYear] =
    /^(\d{1,2})\.?\s+(?:de\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/u.exec(cell) ?? []
  const [, english, at, inYear] = /^(\p{L}+)\.?\s+(\d{1,2}),?\s+(\d{4})$/u.exec(cell) ?? []
  const named = monthOf.get(plainMonth(name ?? english ?? ''))
  const [known, of] = [date ?? at, ofYear ?? inYear]
  return named && known && of ? iso(of, named, known) : undefined
}
