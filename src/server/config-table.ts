import { configSchema } from '../config.ts'

/** The table of variables in the README: name, default, what it is for. Run directly, this file prints it. */
export function configTable (): string {
  const rows = Object.entries(configSchema.properties).map(([name, { default: value, description }]) =>
    `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${description} |`)
  return ['| Variable | Default | What it is for |', '|---|---|---|', ...rows].join('\n')
}

if (import.meta.main) process.stdout.write(`${configTable()}\n`)
