import { beforeAll, describe, expect, test } from 'vitest'
import { lookOf } from '../../imports/files/looks.ts'
import { recognised } from '../../imports/uploads/kinds.ts'
import { run } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { importReport } from '../kit/imports/web-analytics.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
})

const rowsOf = (projectId: string) =>
  run(api.warehouse, {
    id: 'test.rows',
    sql: `SELECT toString(day) AS day, page, source, medium, part, platform, sessions, users,
                 bounced_sessions AS bounced, duration_seconds AS seconds, conversions
            FROM web_analytics FINAL WHERE project_id = {projectId:UUID} ORDER BY ALL`,
    params: { projectId },
    row: (raw) => raw,
  })

interface Language {
  /** Date, landing page, source / medium, sessions, active users, bounce rate, duration, key events. */
  readonly columns: readonly string[]
  /** Words of the comments: the report, an account, start and end of the period. */
  readonly comments: readonly [report: string, account: string, start: string, end: string]
  readonly total: string
  readonly unset: string
  readonly day: string
  /** 1,234, half as a percentage, and 62.5. */
  readonly numbers: readonly [thousands: string, half: string, duration: string]
}

/**
 * Written after the download of a report of Google Analytics 4, with the names that Google's help gives to columns in
 * these languages, and numbers and dates as spreadsheets of these languages save them.
 * @see https://support.google.com/analytics/answer/9143382
 */
const languages: Readonly<Record<string, Language>> = {
  English: {
    columns: [
      ...['Date', 'Landing page', 'Session source / medium', 'Sessions', 'Active users'],
      ...['Bounce rate', 'Average session duration', 'Key events'],
    ],
    comments: ['Landing page', 'Account', 'Start date', 'End date'],
    total: 'Grand total',
    unset: '(not set)',
    day: '20250510',
    numbers: ['1234', '0.5', '62.5'],
  },
  German: {
    columns: [
      ...['Datum', 'Landingpage', 'Sitzung – Quelle/Medium', 'Sitzungen', 'Aktive Nutzer'],
      ...['Absprungrate', 'Durchschnittliche Sitzungsdauer', 'Schlüsselereignisse'],
    ],
    comments: ['Landingpage', 'Konto', 'Startdatum', 'Enddatum'],
    total: 'Gesamtsumme',
    unset: '(nicht festgelegt)',
    day: '10.05.2025',
    numbers: ['1.234', '50,0 %', '62,5'],
  },
  French: {
    columns: [
      ...['Date', 'Page de destination', 'Source/Support de la session', 'Sessions'],
      ...['Utilisateurs actifs', 'Taux de rebond', 'Durée moyenne des sessions', 'Événements clés'],
    ],
    comments: ['Page de destination', 'Compte', 'Date de début', 'Date de fin'],
    total: 'Total général',
    unset: '(non défini)',
    day: '10 mai 2025',
    numbers: ['1\u202f234', '50\u202f%', '62,5'],
  },
  Spanish: {
    columns: [
      ...['Fecha', 'Página de destino', 'Fuente/Medio de la sesión', 'Sesiones'],
      ...['Usuarios activos', 'Porcentaje de rebote', 'Duración media de la sesión'],
      'Eventos clave',
    ],
    comments: ['Página de destino', 'Cuenta', 'Fecha de inicio', 'Fecha de finalización'],
    total: 'Total general',
    unset: '(no establecido)',
    day: '10/05/2025',
    numbers: ['1234', '0.5', '62.5'],
  },
  Portuguese: {
    columns: [
      ...['Data', 'Página de destino', 'Origem / mídia da sessão', 'Sessões', 'Usuários ativos'],
      ...['Taxa de rejeição', 'Duração média da sessão', 'Eventos principais'],
    ],
    comments: ['Página de destino', 'Conta', 'Data de início', 'Data de término'],
    total: 'Total geral',
    unset: '(não definido)',
    day: '10 de mai. de 2025',
    numbers: ['1.234', '50%', '62,5'],
  },
  Japanese: {
    columns: [
      ...['日付', 'ランディング ページ', 'セッションの参照元 / メディア', 'セッション'],
      ...['アクティブ ユーザー', '直帰率', '平均セッション継続時間', 'キーイベント'],
    ],
    comments: ['ランディング ページ', 'アカウント', '開始日', '終了日'],
    total: '合計',
    unset: '(未設定)',
    day: '2025年5月10日',
    numbers: ['1,234', '50%', '62.5'],
  },
  Italian: {
    columns: [
      ...['Data', 'Pagina di destinazione', 'Sorgente/mezzo sessione', 'Sessioni'],
      ...['Utenti attivi', 'Frequenza di rimbalzo', 'Durata media della sessione', 'Eventi chiave'],
    ],
    comments: ['Pagina di destinazione', 'Account', 'Data di inizio', 'Data di fine'],
    total: 'Totale generale',
    unset: '(non impostato)',
    day: '10/05/2025',
    numbers: ['1.234', '50,0%', '62,5'],
  },
}

const line = (cells: readonly string[]) =>
  cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')

/** The download, with the columns at these places. The chart of the page comes first, by the day of the period. */
function download(
  { columns, comments, total, unset, day, numbers }: Language,
  places: readonly number[],
): string {
  const [report, account, start, end] = comments
  const [thousands, half, duration] = numbers
  const chosen = (cells: readonly string[]) => line(places.map((place) => cells[place] ?? ''))
  const bar = `# ${'-'.repeat(40)}`
  const rows = [
    ['', total, '', '1236', '700', half, duration, '3'],
    [day, '/a', 'chatgpt.com / referral', thousands, '699', half, duration, '3'],
    [day, unset, '(direct) / (none)', '2', '1', half, duration, '0'],
  ]
  const head = [bar, `# ${report}`, `# ${account}: Acme`, bar, '#', '# All Users']
  const period = [`# ${start}: 20250501`, `# ${end}: 20250531`]
  const chart = ['Nth day,X', '0000,12']
  return [...head, ...period, ...chart, '#', ...period, chosen(columns), ...rows.map(chosen)].join(
    '\r\n',
  )
}

const all = [0, 1, 2, 3, 4, 5, 6, 7]

describe.each(Object.entries(languages))('a download of Google Analytics in %s', (_, language) => {
  test('reads to the same numbers', async () => {
    const project = await workspace.project()
    const file = Buffer.from(download(language, all))
    const look = lookOf(file)
    expect(look && recognised(look, file).kind).toBe('web_analytics')
    expect(await importReport(api, project, file)).toEqual({
      read: 2,
      loaded: 2,
      rejected: [],
    })
    const row = { day: '2025-05-10', part: '' }
    expect(await rowsOf(project)).toEqual([
      {
        ...{ ...row, page: '', source: '(direct)', medium: '(none)', platform: '' },
        ...{ sessions: 2, users: 1, bounced: 1, seconds: 125, conversions: 0 },
      },
      {
        ...{ ...row, page: '/a', source: 'chatgpt.com', medium: 'referral', platform: 'chatgpt' },
        ...{ sessions: 1234, users: 699, bounced: 617, seconds: 77125, conversions: 3 },
      },
    ])
  })

  test('without date, users and bounce rate is one total of the period that its comments name', async () => {
    const project = await workspace.project()
    await importReport(api, project, download(language, [1, 2, 3, 6]))
    const total = { day: '2025-05-31', part: 'from 2025-05-01', users: null, bounced: null }
    expect(await rowsOf(project)).toMatchObject([
      { ...total, page: '', sessions: 2, conversions: null },
      { ...total, page: '/a', sessions: 1234, seconds: 77125 },
    ])
  })
})

test('totals of a period count in exactly that window, and never beside rows by day', async () => {
  const project = await workspace.project()
  const { German } = languages
  if (German === undefined) throw new Error('German is missing')
  await importReport(api, project, download(German, [1, 2, 3, 6]))
  const asked = async (from: string, to: string) => {
    const reply = await api.graphql(
      `{ project(id: "${project}") { webAnalytics(window: { from: "${from}", to: "${to}" }) {
        totals { sessions bounceRate averageDuration } series(interval: month) { sessions }
        periods { from to } } topPages(window: { from: "${from}", to: "${to}" }) { nodes { path sessions } }
        aiReferrals(window: { from: "${from}", to: "${to}" }) { nodes { platformId: source sessions } } } }`,
      key,
    )
    return (await reply.json()).data.project
  }
  const periods = [{ from: '2025-05-01', to: '2025-05-31' }]
  expect(await asked('2025-05-01', '2025-05-31')).toEqual({
    webAnalytics: {
      totals: { sessions: 1236, bounceRate: null, averageDuration: 62.5 },
      series: [{ sessions: 0 }],
      periods,
    },
    topPages: { nodes: [{ path: '/a', sessions: 1234 }] },
    aiReferrals: { nodes: [{ platformId: 'chatgpt.com', sessions: 1234 }] },
  })
  expect(await asked('2025-05-02', '2025-05-31')).toMatchObject({
    webAnalytics: { totals: { sessions: 0 }, periods },
    topPages: { nodes: [] },
  })
  const head = 'Date,Landing page,Session source,Sessions,Engaged sessions'
  await importReport(api, project, `${head}\n20250531,/b,google,4,3\n`)
  expect(await asked('2025-05-01', '2025-05-31')).toMatchObject({
    webAnalytics: { totals: { sessions: 4, bounceRate: 25, averageDuration: null } },
    topPages: { nodes: [{ path: '/b', sessions: 4 }] },
  })
})

test.each([
  [
    'Datum,Landingpage,Sitzungsquelle,Besuche\n',
    /`sessions` is not a column .*Not known: `Besuche`/,
  ],
  [
    'Landingpage,Sitzungsquelle,Sitzungen\n',
    /`date` is not a column .* no line before names its days/,
  ],
  ['日付,セッション\n', /`landingPage` is not a column/],
])('%j is refused with the column that is missing', async (text, reason) => {
  const project = await workspace.project()
  await expect(importReport(api, project, text)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(reason),
  })
})

test('a day that is another one in Britain than in America is rejected', async () => {
  const head = 'Date,Landing page,Session source,Sessions'
  const text = `${head}\n05/10/2025,/a,google,1\n"May 13, 2025",/a,google,1\n`
  expect(await importReport(api, await workspace.project(), text)).toMatchObject({
    loaded: 1,
    rejected: [{ line: 2, reason: expect.stringMatching(/^`date` must be a day/) }],
  })
})
