import { styleText } from 'node:util'
import type { Command } from 'commander'
import { examine } from './doctor/doctor.ts'
import type { Finding } from './doctor/finding.ts'
import { CliError, report } from './output.ts'

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const

/** `obra doctor`. */
export function addDoctorCommand (program: Command): void {
  program.command('doctor')
    .description('check the configuration, the services that it names, the database and the files; changes nothing')
    .action(async (_options, command: Command) => {
      const findings = await examine(process.env)
      const failed = findings.filter(({ outcome }) => outcome === 'failed').length
      report(command, { healthy: failed === 0, findings }, findings.map(line).join('\n'))
      if (failed > 0) throw new CliError(failed === 1 ? 'one check failed' : `${failed} checks failed`)
    })
}

/** Formats a finding, with colour on a terminal without `NO_COLOR`. */
function line ({ check, outcome, message }: Finding): string {
  return `${styleText(colours[outcome], outcome.padEnd(8), { stream: process.stdout })} ${check.padEnd(14)} ${message}`
}
