import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPassword } from '../domain/demo/data.ts'
import type { Language, Texts } from '../http/messages.ts'
import manifest from '../../package.json' with { type: 'json' }

const folder = import.meta.dirname
const style = readFileSync(join(folder, 'start-page.css'), 'utf8')
const image = `data:image/svg+xml;base64,${readFileSync(join(folder, '../openapi/reference-page/icon.svg'), 'base64')}`

/** The content policy of the page, which loads nothing. */
export const startPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const texts = {
  summary: { en: 'The API of construction contracts, estimates and payments', es: 'La API de contratos de obra, estimaciones y pagos' },
  version: { en: 'Version', es: 'Versión' },
  base: { en: 'Clients send requests to', es: 'Los clientes envían sus peticiones a' },
  demo: { en: 'With the demo data, log in as', es: 'Con los datos de demostración, entre como' },
  password: { en: 'with the password', es: 'con la contraseña' }
} satisfies Record<string, Texts>

interface Link { address: string, title: Texts, text: Texts }

const docs: Link[] = [
  {
    address: 'docs/',
    title: { en: 'API reference', es: 'Referencia de la API' },
    text: { en: 'All operations, to read and try out', es: 'Todas las operaciones, para leer y probar (en inglés)' }
  },
  {
    address: 'docs/guide.html?README.md',
    title: { en: 'Guides', es: 'Guías' },
    text: { en: 'Tutorial, how-to guides and explanations', es: 'Tutorial, instrucciones y explicaciones (en inglés)' }
  },
  {
    address: 'openapi.json',
    title: { en: 'OpenAPI document', es: 'Documento OpenAPI' },
    text: { en: 'For generators of clients, and tools such as Postman', es: 'Para generadores de clientes y herramientas como Postman' }
  }
]
const examples: Link[] = [
  {
    address: 'example/',
    title: { en: 'App for the site', es: 'App de obra' },
    text: {
      en: 'Contracts, measurements and photos on a phone, also offline',
      es: 'Contratos, mediciones y fotos en el teléfono, también sin conexión'
    }
  },
  {
    address: 'example/office/',
    title: { en: 'Page for the office', es: 'Página de oficina' },
    text: { en: 'Statements of account, progress and reports', es: 'Estados de cuenta, avance y reportes' }
  }
]
const health: Link = {
  address: 'health/ready/',
  title: { en: 'Health', es: 'Estado del servicio' },
  text: { en: 'Whether this server can serve requests', es: 'Si este servidor puede atender peticiones' }
}

/** What a server has: the reference page, and the example pages with a demo account. */
interface Served {
  docs: boolean
  examples: boolean
}

const linksTo = (serves: Served) => [...serves.docs ? docs : [], ...serves.examples ? examples : [], health]

/** The start page as JSON. @param origin scheme and host of the links */
export function startLinks (language: Language, serves: Served, origin: string) {
  const links = linksTo(serves).map(({ address, title, text }) => {
    return { title: title[language], text: text[language], url: `${origin}/${address}` }
  })
  return { name: 'Obra', version: manifest.version, api: `${origin}/api/v1/`, links }
}

/** The HTML of the start page. Its links are relative, so that it works under any path. */
export function startPage (language: Language, serves: Served): string {
  const text = (name: keyof typeof texts) => texts[name][language]
  const items = linksTo(serves).map(({ address, title, text }) => {
    return `<li><a href="${address}"><strong>${title[language]}</strong>${text[language]}</a></li>`
  })
  const demo = `<p>${text('demo')} <code>director@demo.example</code> ${text('password')} <code>${demoPassword}</code>.</p>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Obra</title>
<link rel="icon" href="${image}">
<style>${style}</style>
</head>
<body>
<header>
<h1><img src="${image}" alt="" width="32" height="32">Obra</h1>
<p>${text('summary')}. ${text('version')} ${manifest.version}</p>
</header>
<main>
<ul>
${items.join('\n')}
</ul>
<p>${text('base')} <code>api/v1/</code>.</p>
${serves.examples ? demo : ''}
</main>
</body>
</html>
`
}
