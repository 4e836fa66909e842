import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { licences } from '../support/licences.ts'

/** Licences without duties for the source code of a service. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', '(MIT AND Zlib)']

/**
 * Licences of packages of fonts. The SIL Open Font License 1.1 allows a font to be bundled with software and embedded in documents. It only
 * demands that the font is not sold by itself, and that changed files have another name and the same licence.
 */
const ofFonts = ['MIT AND OFL-1.1']

t.test('the page lists the packages of an installation, all with permissive licences', async (t) => {
  const table = licences()
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/dependencies.md'), 'utf8')
  const shown = /<!-- licences -->\n([\s\S]*?)\n?<!-- \/licences -->/.exec(page)?.[1]
  t.equal(shown, table, 'put the output of `node test/support/licences.ts` between <!-- licences --> and <!-- /licences --> in docs/reference/dependencies.md')
  const found = [...table.matchAll(/^\| ([^|]+?) \| \d+ \|/gm)].map(([, licence]) => licence as string)
  t.strictSame(found.filter(licence => !permissive.includes(licence) && !ofFonts.includes(licence)), [])
  const fonts = table.split('\n').filter(row => ofFonts.some(licence => row.startsWith(`| ${licence} |`))).flatMap(row => row.split('|')[3]?.split(',') ?? [])
  t.strictSame(fonts.filter(name => !name.trim().startsWith('@expo-google-fonts/')), [], 'only fonts have a licence of fonts')
  t.ok(found.length > 3)
})
