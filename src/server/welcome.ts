import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { demoPassword, demoUsers } from '../domain/demo/data.ts'

/** The message of a development server after its start: addresses and, with demo data, log-ins and a first request. */
export function welcome (config: Config, kind: Database['kind'], port: number, demo: boolean): string {
  const origin = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`
  const base = `${origin}/api/v1`
  const where = kind === 'embedded' ? `embedded PostgreSQL in ${config.DATA_DIR}` : 'PostgreSQL (DATABASE_URL)'
  const page = config.DOCS === 'on' ? `Reference page, to read and try out: ${origin}/docs/\n` : ''
  const example = `Example app, which works offline: ${origin}/example/\nExample page for the office: ${origin}/example/office/\n`
  const opening = `
Obra is listening on ${base}/
Start page, with all links: ${origin}/
${page}${example}Database: ${where}

`
  if (!demo) return opening
  const credentials = JSON.stringify({ email: 'director@demo.example', password: demoPassword })
  const logIn = `curl -s ${base}/api-token-auth/ -H 'Content-Type: application/json' -d '${credentials}'`
  const accessOf = "sed 's/.*\"access\":\"\\([^\"]*\\)\".*/\\1/'"
  return `${opening}Demo log-ins, all with the password ${demoPassword}:
${demoUsers.map(({ email, nombre }) => `  ${email.padEnd(26)} ${nombre}`).join('\n')}

Try it:
  curl -s ${base}/contracts/ -H "Authorization: Bearer $(${logIn} | ${accessOf})"

`
}
