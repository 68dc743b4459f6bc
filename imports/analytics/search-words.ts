import { countryCode3 } from '../../core/countries.ts'

/** Words of the page of Search Console in the languages of its readers. Google names its files in them too. */

const fileNames = {
  day: 'chart dates diagramm gráfico grafico graphique grafiek グラフ wykres график diagram 图表 圖表 차트 grafik',
  query:
    'queries suchanfragen consultas requêtes query zoekopdrachten クエリ zapytania запросы sökfrågor 查询数 查詢 검색어 sorgular',
  page: 'pages seiten páginas pagine "pagina’s" ページ strony страницы sidor 网页 網頁 페이지 sayfalar',
  country:
    'countries länder países pays paesi landen 国 kraje страны 国家/地区 國家/地區 국가 ülkeler',
  device:
    'devices geräte dispositivos appareils dispositivi apparaten デバイス urządzenia устройства enheter 设备 裝置 기기 cihazlar',
  filter:
    'filters filter filtros filtres filtri フィルタ filtry фильтры 过滤器 篩選器 필터 filtreler',
} as const

/** What a table of the export is of. */
export type NamedTable = keyof typeof fileNames

const tableOf = new Map(
  (Object.entries(fileNames) as [NamedTable, string][]).flatMap(([table, names]) =>
    names.split(' ').map((name) => [name.replaceAll('"', ''), table] as const),
  ),
)

/** The table that a file is by its name, such as `Suchanfragen.csv`; undefined for a name that no language has. */
export function tableByName(path: string): NamedTable | undefined {
  const name = path.split('/').at(-1) ?? ''
  return tableOf.get(
    name
      .replace(/\.csv$/i, '')
      .normalize('NFC')
      .toLowerCase(),
  )
}

const devices: readonly (readonly [device: string, words: RegExp])[] = [
  ['tablet', /tabl|タブレット|平板|태블릿|планшет|แท็บเล็ต|جهاز لوحي|máy tính bảng/i],
  [
    'mobile',
    /mobi|móv|mobil|celul|cellul|handy|phone|smart|telef|携帯|モバイル|スマート|移动|手機|手机|行動|휴대|모바일|мобил|телефон|komór|الجوّال|di động|มือถือ/i,
  ],
  [
    'desktop',
    /desk|comp|ordin|orden|escrit|bureau|rechner|パソコン|デスクトップ|桌面|電腦|电脑|데스크|컴퓨터|компьют|пк|pc|dator|bilgisayar|skrivbord|سطح المكتب|máy tính|เดสก์ท็อป/i,
  ],
]

/** A device in the spelling of the API; undefined for no device. */
export function deviceOf(cell: string): string | undefined {
  return devices.find(([, words]) => words.test(cell))?.[0]
}

/** Languages of Search Console whose names of countries are tried. */
const languages =
  'en de es fr pt pt-PT it nl ja ko zh-CN zh-TW ru pl tr sv da nb fi cs sk hu ro bg el uk hr sr sl lt lv et id ms th vi hi ar he fa ca fil'.split(
    ' ',
  )

const plain = (name: string) => name.normalize('NFC').trim().toLowerCase()

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The codes of ISO 3166-1: other codes have names too, such as those of states that are gone. */
function codes(): readonly string[] {
  known ??= letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => countryCode3(code) !== null)
  return known
}
let known: readonly string[] | undefined

type Names = ReadonlyMap<string, string>

const namesIn = new Map<string, Names>()

function namesOf(language: string): Names {
  const before = namesIn.get(language)
  if (before) return before
  const found = new Map<string, string>()
  for (const style of ['long', 'short'] as const) {
    const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
    for (const code of codes()) {
      const name = names.of(code)
      if (name) found.set(plain(name), code)
    }
  }
  namesIn.set(language, found)
  return found
}

/** How much of a table must be names of countries of one language: a few are regions that no list has. */
const leastShare = 0.6

/**
 * The country of each cell by the language that knows most of them, as ISO 3166-1 alpha-3 codes; `zzz` for a region that
 * it does not know.
 * @returns undefined where the cells are no countries
 */
export function countriesOf(cells: readonly string[]): readonly string[] | undefined {
  const best = languages
    .map((language) => {
      const names = namesOf(language)
      const found = cells.map((cell) => names.get(plain(cell)))
      return { found, count: found.filter((code) => code !== undefined).length }
    })
    .reduce((a, b) => (b.count > a.count ? b : a))
  const found = cells.map((cell, at) => {
    const code = best.found[at]
    return (code && countryCode3(code)) ?? countryCode3(cell)
  })
  const count = found.filter((code) => code != null).length
  if (cells.length === 0 || count < leastShare * cells.length) return undefined
  return found.map((code) => code ?? 'zzz')
}

/** The word of Search Console for a search of web pages, in its languages. */
export const isWebSearch = (cell: string) =>
  /^(?:web|ウェブ|веб|интернет|网页|網頁|網路|웹|الويب|ويب|वेब|เว็บ|ιστός|sieć|internet|verkko|אינטרנט)$/i.test(
    cell.trim(),
  )

/** The word for a date, in the languages of Search Console. */
export const isDateWord = (cell: string) =>
  /^(?:date|datum|fecha|data|dato|日付|日期|날짜|дата|tarih|päivämäärä|dátum|dată|ngày|วันที่|التاريخ|ημερομηνία|tanggal|tarikh|kuupäev)$/i.test(
    cell.trim(),
  )
