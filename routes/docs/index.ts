import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpError } from '../../src/http/errors.ts'
import { sendFile } from '../../src/http/send-file.ts'
import { pageRoute, servePage } from '../../src/server/page.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/openapi/reference-page')
const files = {
  ...Object.fromEntries(globSync('*.{js,css,svg}', { cwd: folder }).sort().map(name => [name, join(folder, name)])),
  // A guide is a view of the page, with an address of its own.
  'guide.html': join(folder, 'index.html'),
  'marked.js': fileURLToPath(import.meta.resolve('marked'))
}

/** Pages of the documentation and their images, by the path that their links have. */
const pages = new Set(globSync(['**/*.md', 'images/*.png'], { cwd: join(root, 'docs') }))

/** The reference page, and the guides to which it links. */
export default async function docsRoutes (app: FastifyInstance) {
  servePage(app, { folder, files })
  app.get<{ Params: { '*': string } }>('/pages/*', pageRoute, sendPage)
  app.get('/headings.json', pageRoute, async () => await (headings ??= readHeadings()))
}

/** The title and headings of a page. */
interface Headings { page: string, title: string, headings: string[] }

let headings: Promise<Headings[]> | undefined

/** Reads the headings for the search of the reference page. Decisions are for engineers of the service. */
async function readHeadings (): Promise<Headings[]> {
  const readers = [...pages].filter(page => page.endsWith('.md') && !page.startsWith('decisions/')).sort()
  return await Promise.all(readers.map(async (page) => {
    const text = await readFile(join(root, 'docs', page), 'utf8')
    // Comments of commands look like headings.
    const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, '')
    const [title = page, ...others] = [...prose.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) => heading)
    return { page, title, headings: others }
  }))
}

async function sendPage (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): Promise<FastifyReply> {
  const { '*': path } = request.params
  if (!pages.has(path)) throw httpError(404)
  return await sendFile(request, reply, posix.basename(path), join(root, 'docs', posix.dirname(path)))
}
