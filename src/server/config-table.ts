import { configSchema } from '../config/variables.ts'

/** The table of variables for docs/reference/variables.md. Run directly, this file prints it. */
export function configTable (): string {
  const rows = Object.entries(configSchema.properties).map(([name, { default: value, description }]) =>
    `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${description} |`)
  return ['| Variable | Default | Description |', '|---|---|---|', ...rows].join('\n')
}

if (import.meta.main) process.stdout.write(`${configTable()}\n`)
