import { expect, test } from 'vitest'
import { readable } from '../../dashboard/state/workbook.ts'
import { zipOf } from '../imports/zip.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number) => `<c><v>${value}</v></c>`
/** A cell in the format of dates, which counts days since 1900. */
const day = (value: number) => `<c s="1"><v>${value}</v></c>`
const yes = '<c t="b"><v>1</v></c>'

/** A workbook as Office Open XML (ECMA-376) lays it out, with sheets of rows of cells. */
function workbook(name: string, tabs: Readonly<Record<string, readonly string[][]>>): File {
  const names = Object.keys(tabs)
  const list = names.map(
    (tab, at) => `<sheet name="${tab}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  )
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${sheets}" xmlns:r="${relations}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, at) => `<Relationship Id="r${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="s" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${sheets}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
  for (const [at, tab] of names.entries()) {
    const rows = tabs[tab]?.map((cells, row) => {
      const placed = cells.map((cell, column) =>
        cell.replace('<c', `<c r="${String.fromCharCode(65 + column)}${row + 1}"`),
      )
      return `<row r="${row + 1}">${placed.join('')}</row>`
    })
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet xmlns="${sheets}"><sheetData>${rows?.join('')}</sheetData></worksheet>`
  }
  return new File([new Uint8Array(zipOf(files))], name)
}

test('the sheet of a workbook is read as CSV, with its numbers and days', async () => {
  const rows = [
    [text('prompt'), text('volume'), text('since'), text('tracked')],
    [text('Best anvil, &quot;heavy&quot;?'), number(1200), day(45_992), yes],
    [text('Cheapest anvil'), number(0.5), '<c/>', '<c/>'],
  ]
  const found = await readable(workbook('Prompts.XLSX', { Sheet1: rows }))
  expect(found.name).toBe('Prompts.XLSX')
  expect(await found.text()).toBe(
    'prompt,volume,since,tracked\n"Best anvil, ""heavy""?",1200,2025-12-01,true\nCheapest anvil,0.5,,\n',
  )
})

test('of several sheets the first filled one is read, and named', async () => {
  const tabs = { Notes: [], Prompts: [[text('text')], [text('a')]], Other: [[text('x')]] }
  const found = await readable(workbook('plan.xlsx', tabs))
  expect([found.name, await found.text()]).toEqual(['plan.xlsx (Prompts)', 'text\na\n'])
})

test('other files stay, and what only has the name of a workbook is refused', async () => {
  const csv = new File(['text\na\n'], 'a.csv')
  expect(await readable(csv)).toBe(csv)
  await expect(readable(new File(['text\n'], 'a.xlsx'))).rejects.toThrow()
})
