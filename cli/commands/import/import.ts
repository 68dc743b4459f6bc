import type { Command } from 'commander'
import { commandGroup } from '../../options.ts'
import { addImportAccessLog } from './access-log.ts'
import { addImportSearchConsole, addImportWebAnalytics } from './analytics.ts'
import { addImportAnswers } from './answers.ts'
import {
  addImportArticles,
  addImportBrandProfile,
  addImportDomainAuthority,
  addImportPageContents,
  addImportPages,
} from './content.ts'
import { addImports } from './imports.ts'
import { addImportPrompts } from './prompts.ts'

export function addImport(program: Command): void {
  const parent = commandGroup(
    program,
    'import',
    'import data collected by other tools, list and undo imports',
    'import answers answers.jsonl --project 8c1e…',
  )
  parent.commandsGroup('Files:')
  addImportAnswers(parent)
  addImportPrompts(parent)
  addImportAccessLog(parent)
  addImportArticles(parent)
  addImportBrandProfile(parent)
  addImportDomainAuthority(parent)
  addImportPageContents(parent)
  addImportPages(parent)
  addImportWebAnalytics(parent)
  addImportSearchConsole(parent)
  parent.commandsGroup('Imports so far:')
  addImports(parent)
}
