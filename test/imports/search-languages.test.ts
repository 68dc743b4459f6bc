import { beforeAll, describe, expect, test } from 'vitest'
import { searchTableOf } from '../../imports/analytics/search-export.ts'
import { run } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { importSearch } from '../kit/imports/search-console.ts'
import { zipOf } from './zip.ts'

const api = useApi()
let workspace: TestWorkspace
beforeAll(async () => {
  workspace = await api.workspace()
})

interface Language {
  /** Names of the files: days, queries, pages, countries, devices, appearances, filters. */
  readonly files: readonly string[]
  /** First columns of the tables, in the same order, without the filters. */
  readonly keys: readonly string[]
  /** Clicks, impressions, rate, position. */
  readonly metrics: string
  readonly countries: readonly [germany: string, usa: string, unknown: string]
  readonly devices: readonly [mobile: string, desktop: string]
  readonly filters: string
  readonly appearance: string
  /** 7.5, 1234 and a percentage as the language writes them. */
  readonly decimal: (text: string) => string
}

const comma = (text: string) => text.replace('.', ',')

/**
 * Written after Google's help in these languages, with the names that it gives to reports, tables and countries.
 * @see https://support.google.com/webmasters/answer/7576553
 */
const languages: Readonly<Record<string, Language>> = {
  English: {
    files: ['Chart', 'Queries', 'Pages', 'Countries', 'Devices', 'Search appearance', 'Filters'],
    keys: ['Date', 'Top queries', 'Top pages', 'Country', 'Device', 'Search Appearance'],
    metrics: 'Clicks,Impressions,CTR,Position',
    countries: ['Germany', 'United States', 'Unknown region'],
    devices: ['Mobile', 'Desktop'],
    filters: 'Filter,Value\nSearch type,Web\nDate,Last 3 months\n',
    appearance: 'Review snippet',
    decimal: (text) => text,
  },
  German: {
    files: [
      'Diagramm',
      'Suchanfragen',
      'Seiten',
      'Länder',
      'Geräte',
      'Darstellung in der Suche',
      'Filter',
    ],
    keys: [
      'Datum',
      'Häufigste Suchanfragen',
      'Die häufigsten Seiten',
      'Land',
      'Gerät',
      'Darstellung in der Suche',
    ],
    metrics: 'Klicks,Impressionen,CTR,Position',
    countries: ['Deutschland', 'Vereinigte Staaten', 'Unbekannte Region'],
    devices: ['Mobil', 'Computer'],
    filters: 'Filter,Wert\nSuchtyp,Web\nDatum,Letzte 3 Monate\n',
    appearance: 'Rezensions-Snippet',
    decimal: comma,
  },
  Spanish: {
    files: [
      'Gráfico',
      'Consultas',
      'Páginas',
      'Países',
      'Dispositivos',
      'Apariencia en búsquedas',
      'Filtros',
    ],
    keys: [
      'Fecha',
      'Consultas principales',
      'Páginas principales',
      'País',
      'Dispositivo',
      'Apariencia en búsquedas',
    ],
    metrics: 'Clics,Impresiones,CTR,Posición',
    countries: ['Alemania', 'Estados Unidos', 'Región desconocida'],
    devices: ['Móvil', 'Ordenador'],
    filters: 'Filtro,Valor\nTipo de búsqueda,Web\nFecha,Últimos 3 meses\n',
    appearance: 'Fragmento de reseña',
    decimal: comma,
  },
  French: {
    files: [
      'Graphique',
      'Requêtes',
      'Pages',
      'Pays',
      'Appareils',
      'Apparence dans la recherche',
      'Filtres',
    ],
    keys: [
      'Date',
      'Requêtes les plus fréquentes',
      'Pages les plus populaires',
      'Pays',
      'Appareil',
      'Apparence',
    ],
    metrics: 'Clics,Impressions,CTR,Position',
    countries: ['Allemagne', 'États-Unis', 'Région inconnue'],
    devices: ['Mobile', 'Ordinateur'],
    filters: 'Filtre,Valeur\nType de recherche,Web\nDate,3 derniers mois\n',
    appearance: "Extrait d'avis",
    decimal: comma,
  },
  Portuguese: {
    files: [
      'Gráfico',
      'Consultas',
      'Páginas',
      'Países',
      'Dispositivos',
      'Aspecto da pesquisa',
      'Filtros',
    ],
    keys: [
      'Data',
      'Principais consultas',
      'Principais páginas',
      'País',
      'Dispositivo',
      'Aspecto da pesquisa',
    ],
    metrics: 'Cliques,Impressões,CTR,Posição',
    countries: ['Alemanha', 'Estados Unidos', 'Região desconhecida'],
    devices: ['Dispositivos móveis', 'Computador'],
    filters: 'Filtro,Valor\nTipo de pesquisa,Web\nData,Últimos 3 meses\n',
    appearance: 'Snippet de avaliação',
    decimal: comma,
  },
  Japanese: {
    files: ['グラフ', 'クエリ', 'ページ', '国', 'デバイス', '検索での見え方', 'フィルタ'],
    keys: ['日付', '上位のクエリ', '上位のページ', '国', 'デバイス', '検索での見え方'],
    metrics: 'クリック数,表示回数,CTR,掲載順位',
    countries: ['ドイツ', 'アメリカ合衆国', '不明な地域'],
    devices: ['モバイル', 'パソコン'],
    filters: 'フィルタ,値\n検索タイプ,ウェブ\n日付,過去 3 か月間\n',
    appearance: 'レビュー スニペット',
    decimal: (text) => text,
  },
}

const quoted = (cell: string) => (cell.includes(',') ? `"${cell}"` : cell)

/** The same numbers as a ZIP of a language; `named` gives the files other names. */
function exportOf(language: Language, named = (name: string) => name): Record<string, string> {
  const { files, keys, metrics, countries, devices, filters, appearance, decimal } = language
  const row = (key: string, clicks: number, impressions: number, rate: string, place: string) =>
    [key, clicks, impressions, quoted(`${decimal(rate)}%`), quoted(decimal(place))].join(',')
  const table = (at: number, ...rows: string[]) =>
    `${[keys[at], metrics].join(',')}\n${rows.join('\n')}\n`
  const tables = [
    table(0, row('2025-08-01', 3, 1240, '7.5', '4.2'), row('2025-08-02', 1, 10, '10', '8')),
    table(1, row('anvil', 3, 30, '10', '2.5'), row('rope', 1, 15, '6.67', '12.5')),
    table(2, row('https://acme.com/anvil', 4, 45, '8.89', '5')),
    table(
      3,
      row(countries[0], 3, 30, '10', '4'),
      row(countries[1], 1, 15, '6.67', '7'),
      row(countries[2], 0, 5, '0', '9'),
    ),
    table(4, row(devices[0], 3, 40, '7.5', '4'), row(devices[1], 1, 10, '10', '8')),
    table(5, row(appearance, 1, 2, '50', '1')),
    filters,
  ]
  return Object.fromEntries(tables.map((text, at) => [`${named(files[at] ?? '')}.csv`, text]))
}

async function rowsOf(project: string) {
  return run(api.warehouse, {
    id: 'test.rows',
    sql: `SELECT toString(day) AS day, query, page, country, device, shape, clicks, impressions, position
            FROM search_console FINAL WHERE project_id = {project:UUID}
           ORDER BY shape, day, query, page, country, device`,
    params: { project },
    row: (raw) => raw,
  })
}

async function loaded(tables: Record<string, string>) {
  const project = await workspace.project()
  const result = await importSearch(api, project, zipOf(tables))
  return { result, rows: await rowsOf(project) }
}

describe('an export of Search Console', () => {
  let wanted: unknown
  beforeAll(async () => {
    wanted = await loaded(exportOf(languages.English as Language))
  })

  test('has days, and totals of queries, pages, countries and devices', () => {
    expect(wanted).toMatchObject({ result: { read: 10, loaded: 10, rejected: [] } })
  })

  test.each(Object.entries(languages))(
    'in %s is read to the same numbers',
    async (_name, language) => {
      expect(await loaded(exportOf(language))).toEqual(wanted)
    },
  )

  test.each(Object.entries(languages))(
    'in %s is known by what is in its tables, whatever their names',
    async (_name, language) => {
      // Queries have more rows than appearances, as in life; numbers keep the names apart.
      expect(await loaded(exportOf(language, (name) => `x ${name}`))).toEqual(wanted)
    },
  )

  test('with separators of thousands, a day first, and empty tables is read too', async () => {
    const german = exportOf(languages.German as Language)
    const tables = {
      ...german,
      'Diagramm.csv':
        'Datum;Klicks;Impressionen;CTR;Position\n01.08.2025;3;1.240;7,5 %;4,2\n02.08.2025;1;10;10 %;8\n',
      'Geräte.csv': 'Gerät,Klicks,Impressionen,CTR,Position\n',
    }
    const { result, rows } = await loaded(tables)
    expect(result).toEqual({ read: 8, loaded: 8, rejected: [] })
    expect(rows.filter((row) => row.shape === 'date')).toMatchObject([
      { day: '2025-08-01', clicks: 3, impressions: 1240, position: 4.2 },
      { day: '2025-08-02', clicks: 1, impressions: 10, position: 8 },
    ])
  })

  test.each([
    [
      'a filter',
      { 'Filter.csv': 'Filter,Wert\nSuchtyp,Web\nDatum,Letzte 3 Monate\nLand,Deutschland\n' },
      'is filtered by Land',
    ],
    [
      'another kind of search',
      { 'Filter.csv': 'Filter,Wert\nSuchtyp,Bilder\nDatum,Letzte 3 Monate\n' },
      'is filtered by Suchtyp',
    ],
    [
      'two periods',
      {
        'Diagramm.csv':
          'Datum,Klicks A,Klicks B,Impressionen A,Impressionen B,CTR,Position\n2025-08-01,1,1,1,1,1%,1\n',
      },
      'compares two periods',
    ],
  ])('with %s is refused', async (_what, changed, message) => {
    const german = exportOf(languages.German as Language)
    await expect(loaded({ ...german, ...changed } as Record<string, string>)).rejects.toThrow(
      message,
    )
  })

  test('of one table is read where it has days, and known where it has none', async () => {
    const german = exportOf(languages.German as Language)
    const project = await workspace.project()
    expect(await importSearch(api, project, german['Diagramm.csv'] ?? '')).toMatchObject({
      loaded: 2,
    })
    const queries = german['Suchanfragen.csv'] ?? ''
    expect(searchTableOf(Buffer.from(queries))).toBe('totals')
    await expect(importSearch(api, project, queries)).rejects.toThrow('or the ZIP of the web page')
    expect(searchTableOf(Buffer.from('Name,Alter\nAna,5\n'))).toBeNull()
  })
})
