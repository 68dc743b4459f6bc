import {
  Box,
  Button,
  Checkbox,
  Group,
  Loader,
  Menu,
  Pagination,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns, IconSearch } from '@tabler/icons-react'
import {
  type ColumnDef,
  getCoreRowModel,
  getFilteredRowModel,
  getPaginationRowModel,
  getSortedRowModel,
  type SortingState,
  type Table as TableModel,
  useReactTable,
  type VisibilityState,
} from '@tanstack/react-table'
import { type ReactNode, useMemo, useState } from 'react'
import { useHeld } from '../state/held.ts'
import { type Needing, useMay } from '../state/may.ts'
import { t } from '../texts/texts.ts'
import { Panel, type PanelProps } from './panel.tsx'
import { saveCsv } from './save.ts'
import { useWhole } from './whole-rows.ts'

/** A column: what readers see, and the value that it is sorted by and that a CSV has. */
export interface Column<Row> {
  readonly name: string
  /** Stands before the name in the head of the table, such as a box that selects all rows. */
  readonly head?: ReactNode
  readonly show: (row: Row) => ReactNode
  /** Absent: the column is neither sorted nor in the CSV. */
  readonly value?: (row: Row) => string | number | null
  readonly isText?: boolean
  /** A text of several words. */
  readonly isLong?: boolean
  /** Not shown on a phone. */
  readonly isMinor?: boolean
  /** Not shown until the reader chooses it. */
  readonly isHidden?: boolean
  /** In the CSV alone, because it takes too long to count for a page. */
  readonly isOfFile?: boolean
  /** Of a column of buttons: who may not make the change has no such column. */
  readonly make?: Needing
  /** The key of the change that takes the row away, where it may be held. */
  readonly held?: (row: Row) => string | undefined
}

/** A table whose rows the service sorts and pages. */
export interface Remote {
  /** Columns that the service sorts by. */
  readonly sortable: readonly string[]
  readonly sorted: { readonly column: string; readonly isDescending: boolean } | undefined
  onSort(column: string, isDescending: boolean): void
  /** Reads the next rows; absent at the end of the list. */
  readonly more?: (() => void) | undefined
  readonly isLoading: boolean
  /** The rows shown, of all. */
  readonly words: string
}

export interface TableProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly isOwn?: (row: Row) => boolean
  /** Rows on a page of the table. */
  readonly size?: number
  /** The length of the whole list, of which `rows` may be the first. */
  readonly total?: number | null | undefined
  /** Absent: the browser has all rows that there are, or as many as it shows. */
  readonly remote?: Remote
  /** Reads the rows that the browser does not have; absent where it has all, or too many are left. */
  readonly onRest?: (() => void) | undefined
  /** The other rows are on their way. */
  readonly isReading?: boolean
}

const usualSize = 10
const searchedFrom = 8
/** Columns that a phone shows side by side; with more, each row is a block of its own. */
const mostBesides = 3
/** Buttons and texts of several words need the room of two columns. */
const roomOf = <Row,>({ value, isLong }: Column<Row>) => (value && !isLong ? 1 : 2)

/** Numbers by size, texts as a dictionary does, and what is unknown last. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), undefined, { numeric: true })
}

function storedColumns(title: string): VisibilityState | undefined {
  const text = localStorage.getItem(`sightline-columns ${title}`)
  return text ? (JSON.parse(text) as VisibilityState) : undefined
}

/** The table of a card: its sorting, search, page and chosen columns. */
function useTable<Row>(props: TableProps<Row>): TableModel<Row> {
  const { title, columns, rows, size = usualSize, remote } = props
  const [sorting, setSorting] = useState<SortingState>([])
  const [search, setSearch] = useState('')
  const [columnVisibility, setVisibility] = useState<VisibilityState>(
    () =>
      storedColumns(title) ??
      Object.fromEntries(
        columns.flatMap(({ name, isHidden }) => (isHidden ? [[name, false]] : [])),
      ),
  )
  const definitions = useMemo<ColumnDef<Row>[]>(
    () =>
      columns.map(({ name, value, isText }) => ({
        id: name,
        header: name,
        accessorFn: (row) => value?.(row) ?? undefined,
        enableSorting: remote ? remote.sortable.includes(name) : value !== undefined,
        enableGlobalFilter: isText === true,
        sortUndefined: 'last',
        sortDescFirst: !isText,
        sortingFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
      })),
    [columns, remote],
  )
  const remoteSorting = remote?.sorted
    ? [{ id: remote.sorted.column, desc: remote.sorted.isDescending }]
    : []
  return useReactTable<Row>({
    data: rows as Row[],
    columns: definitions,
    state: {
      sorting: remote ? remoteSorting : sorting,
      columnVisibility,
      globalFilter: search,
      ...(remote && { pagination: { pageSize: Math.max(1, rows.length), pageIndex: 0 } }),
    },
    initialState: { pagination: { pageSize: size, pageIndex: 0 } },
    manualSorting: remote !== undefined,
    onSortingChange: (change) => {
      if (!remote) {
        props.onRest?.()
        return setSorting(change)
      }
      const [next] = typeof change === 'function' ? change(remoteSorting) : change
      if (next) remote.onSort(next.id, next.desc)
    },
    enableSortingRemoval: remote === undefined,
    onGlobalFilterChange: setSearch,
    onColumnVisibilityChange: (change) => {
      const next = typeof change === 'function' ? change(columnVisibility) : change
      localStorage.setItem(`sightline-columns ${title}`, JSON.stringify(next))
      setVisibility(next)
    },
    getRowId: (row) => props.keyOf(row),
    globalFilterFn: (row, id, text: string) =>
      String(row.getValue(id) ?? '')
        .toLowerCase()
        .includes(text.toLowerCase()),
    getColumnCanGlobalFilter: (column) => column.columnDef.enableGlobalFilter === true,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  })
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const

function Heads<Row>({
  table,
  columns,
}: {
  table: TableModel<Row>
  columns: readonly Column<Row>[]
}) {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return table.getFlatHeaders().map(({ column }) => {
    const own = byName.get(column.id)
    const sorted = column.getIsSorted()
    const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown
    return (
      <Table.Th
        key={column.id}
        scope="col"
        className={classOf(own)}
        aria-sort={sorted ? sortWords[sorted] : undefined}
      >
        {own?.head && <span className="head">{own.head}</span>}
        {column.getCanSort() ? (
          <UnstyledButton
            className="sort"
            data-sorted={sorted || undefined}
            onClick={column.getToggleSortingHandler()}
          >
            {column.id}
            <Arrow size={14} aria-hidden />
          </UnstyledButton>
        ) : (
          column.id
        )}
      </Table.Th>
    )
  })
}

const classOf = (
  column:
    | { readonly isText?: boolean; readonly isLong?: boolean; readonly isMinor?: boolean }
    | undefined,
) =>
  [column?.isText ? 'text' : 'number', column?.isLong && 'long', column?.isMinor && 'minor']
    .filter(Boolean)
    .join(' ')

interface BodyProps<Row> extends TableProps<Row> {
  readonly table: TableModel<Row>
}

function Body<Row>({ title, table, columns, isOwn }: BodyProps<Row>) {
  const shown = columns.filter(({ name }) => table.getColumn(name)?.getIsVisible())
  const main = shown.filter(({ isMinor }) => !isMinor)
  const isStacked = main.reduce((sum, column) => sum + roomOf(column), 0) > mostBesides
  return (
    <div className="fits">
      <Table aria-label={title} className="rows" data-stacked={isStacked || undefined}>
        <Table.Thead>
          <Table.Tr>
            <Heads table={table} columns={columns} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <Table.Tr key={id} className={isOwn?.(original) ? 'own' : undefined}>
              {shown.map((column, at) =>
                at === 0 ? (
                  <Table.Th key={column.name} scope="row" className={classOf(column)}>
                    {column.show(original)}
                  </Table.Th>
                ) : (
                  <Table.Td
                    key={column.name}
                    className={classOf(column)}
                    // Buttons say themselves what they do.
                    data-label={column.name === t.columns.actions ? undefined : column.name}
                  >
                    {column.show(original)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** The pages of a table, and how many rows the search has left. */
function Foot<Row>({ title, table, rows, total, onRest, isReading }: BodyProps<Row>) {
  const found = table.getFilteredRowModel().rows.length
  const isWhole = !total || total <= rows.length
  const pages = table.getPageCount()
  if (pages < 2) return null
  return (
    <Group justify="space-between" px="md" pt="sm" gap="xs">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {isWhole || found < rows.length ? t.tools.rows(found) : t.tools.firstRows(found, total)}
        </Text>
        {(onRest || isReading) && (
          <Button size="compact-xs" variant="subtle" loading={isReading ?? false} onClick={onRest}>
            {t.tools.rest}
          </Button>
        )}
      </Group>
      <Pagination
        size="sm"
        total={pages}
        value={table.getState().pagination.pageIndex + 1}
        onChange={(page) => table.setPageIndex(page - 1)}
        getControlProps={(control) => ({ 'aria-label': `${t.tools.pages[control]}: ${title}` })}
        aria-label={t.tools.pagesOf(title)}
      />
    </Group>
  )
}

/** How many rows of a long list are shown, and a button for more. */
function More({ remote }: { readonly remote: Remote }) {
  return (
    <Group justify="space-between" px="md" pt="sm" gap="xs">
      <Text size="sm" c="dimmed">
        {remote.words}
      </Text>
      {remote.more && (
        <Button size="xs" variant="default" loading={remote.isLoading} onClick={remote.more}>
          {t.tools.more}
        </Button>
      )}
    </Group>
  )
}

function ColumnChoice<Row>({ table }: { table: TableModel<Row> }) {
  return (
    <>
      <Menu.Label>
        <Group gap={6}>
          <IconColumns size={14} /> {t.tools.columns}
        </Group>
      </Menu.Label>
      {table
        .getAllLeafColumns()
        .slice(1)
        .map((column) => (
          <Menu.Item key={column.id} closeMenuOnClick={false} component="div">
            <Checkbox
              size="xs"
              label={column.id}
              checked={column.getIsVisible()}
              onChange={column.getToggleVisibilityHandler()}
            />
          </Menu.Item>
        ))}
      <Menu.Divider />
    </>
  )
}

export interface PartProps<Row, R, V extends object>
  extends TableProps<Row>,
    Pick<PanelProps<R, V>, 'asked' | 'right'> {
  readonly lead?: ReactNode
  /** Stands in place of the table where there are no rows. */
  readonly empty?: string
  readonly chart?: ReactNode
  readonly after?: ReactNode
  /** Reads all rows for the file, where the table may show some of them. */
  readonly whole?: () => Promise<readonly Row[]>
}

/** Whether one of the texts of a row has the text that the reader searches for. */
const hasText = <Row,>(columns: readonly Column<Row>[], row: Row, text: string) =>
  columns.some(
    ({ isText, value }) =>
      isText &&
      String(value?.(row) ?? '')
        .toLowerCase()
        .includes(text.toLowerCase()),
  )

/** The rows without those that a held change takes away. */
function useStaying<Row>({ rows, columns }: TableProps<Row>): readonly Row[] {
  const held = useHeld()
  const going = columns.flatMap((column) => column.held ?? [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are made anew each time, and of the same rows are the same.
  return useMemo(
    () =>
      held.size === 0
        ? rows
        : rows.filter((row) => !going.some((keyOf) => held.has(keyOf(row) ?? ''))),
    [rows, held],
  )
}

/** A card with a table, and perhaps a chart above it. */
export function Part<Row, R, V extends object>(first: PartProps<Row, R, V>) {
  const may = useMay()
  const given = { ...first, ...useWhole(first) }
  const props = {
    ...given,
    rows: useStaying(given),
    columns: given.columns.filter(({ make, isOfFile }) => !isOfFile && (!make || may(make))),
  }
  const { title, lead, empty, chart, after, rows, columns, whole, asked, right } = props
  const table = useTable(props)
  const isSearched =
    !props.remote &&
    rows.length >= searchedFrom &&
    columns.some(({ isText, value }) => isText && value)
  async function saveRows() {
    // The file has all rows that the search leaves, not only those that the browser has.
    const search: string = table.getState().globalFilter
    const chosen = whole
      ? (await whole()).filter((row) => !search || hasText(columns, row, search))
      : table.getSortedRowModel().rows.map(({ original }) => original)
    await saveCsv(title, given.columns, chosen)
  }
  return (
    <Panel
      title={title}
      sub={lead}
      asked={asked}
      right={right}
      saveCsv={rows.length > 0 ? saveRows : undefined}
      hasChart={chart !== undefined}
      menu={rows.length > 0 && <ColumnChoice table={table} />}
    >
      {chart}
      {rows.length === 0 && empty && (
        <Text size="sm" c="dimmed" py="md" ta="center">
          {empty}
        </Text>
      )}
      {rows.length > 0 && (
        <Box className="flush">
          {isSearched && (
            <TextInput
              size="xs"
              mx="md"
              mb="xs"
              maw={280}
              leftSection={<IconSearch size={14} />}
              placeholder={t.tools.search}
              aria-label={t.tools.searchIn(title)}
              value={(table.getState().globalFilter as string) ?? ''}
              onChange={({ currentTarget }) => {
                props.onRest?.()
                table.setGlobalFilter(currentTarget.value)
              }}
              rightSection={props.isReading && <Loader size={14} />}
            />
          )}
          <Body {...props} table={table} />
          {props.remote ? <More remote={props.remote} /> : <Foot {...props} table={table} />}
        </Box>
      )}
      {after}
    </Panel>
  )
}
