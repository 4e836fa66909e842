/** Columns of a line in a migration. */
const width = 120

/** The code of a migration that runs SQL statements. @param name lower-case words joined by hyphens */
export function migrationSource (number: number, name: string, statements: readonly string[]): string {
  const words = name.split('-').map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return [
    "import { Migration } from '@mikro-orm/migrations'",
    '',
    `export class Migration${number}${words} extends Migration {`,
    '  override up (): void {',
    ...statements.map(statement => `    this.addSql(${literal(statement)})`),
    '  }',
    '}',
    ''
  ].join('\n')
}

/** A statement as a literal of JavaScript: on one line if it is short and has one kind of quotes, otherwise wrapped in a template. */
function literal (statement: string): string {
  const isPlain = statement.length <= width - 20 && !/[\\\n]/.test(statement)
  if (isPlain && !statement.includes("'")) return `'${statement}'`
  if (isPlain && !statement.includes('"')) return `"${statement}"`
  return `\`\n      ${wrapped(statement).map(line => line.replaceAll(/[`\\]|\$\{/g, '\\$&')).join('\n        ')}\``
}

/** The lines of a statement. Breaks no string, identifier or dollar-quoted text. */
function wrapped (statement: string): string[] {
  const words = statement.match(/(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|[^\s'"])+/g) ?? []
  const lines = ['']
  for (const word of words) {
    const line = lines[lines.length - 1]
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + word.length + 9 <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
