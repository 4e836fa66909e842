import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describeService } from '../server/describe-service.ts'
import { report } from './output.ts'

/** `obra openapi`. */
export function addOpenapiCommand (program: Command): void {
  program.command('openapi')
    .description('print the OpenAPI document')
    .option('--output <file>', 'write it to this file')
    .option('--server <address>', 'scheme and host of the service, for generated clients (default: the server of the document)')
    .action(async ({ output, server }: { output?: string, server?: string }, command: Command) => {
      const document = await describeService(server)
      const text = JSON.stringify(document, null, 2)
      if (output === undefined) {
        report(command, document, text)
        return
      }
      writeFileSync(output, `${text}\n`)
      const operations = Object.values(document.paths ?? {}).flatMap(item => Object.keys(item ?? {})).length
      report(command, { output, operations }, `written to ${output}`)
    })
}
