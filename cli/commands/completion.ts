import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { example } from '../options.ts'

const notes = `Add it to the start of your shell, such as ~/.bashrc, and put \`sightline\` on the PATH:
  $ npm link
  $ echo 'source <(sightline completion bash)' >> ~/.bashrc`

/** Adds the completion of commands and options by the Tab key. Call it last: it completes the commands before it. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print the script by which bash, zsh, fish or powershell completes commands')
    .addHelpText('after', example('completion bash', notes))
}
