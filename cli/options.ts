import type { Command } from 'commander'

/** Adds a command that takes its project as an option. */
export function projectCommand(parent: Command, verb: string): Command {
  return parent
    .command(verb)
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
}

/** Adds a command that takes its workspace as an option. */
export function workspaceCommand(parent: Command, verb: string): Command {
  return parent
    .command(verb)
    .requiredOption('--workspace <workspace>', 'select the workspace, by its id or name')
}

/**
 * The end of a command's help.
 * @param notes paragraphs that follow the example
 */
export function example(line: string, ...notes: readonly string[]): string {
  return [`\nExample:\n  $ npx sightline ${line}`, ...notes].join('\n\n')
}

/** Reads an option that may be given more than once. */
export function repeatable(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

/** Adds a command that only groups others. */
export function commandGroup(
  program: Command,
  name: string,
  description: string,
  exampleLine: string,
): Command {
  return program.command(name).description(description).addHelpText('after', example(exampleLine))
}
