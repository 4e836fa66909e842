/*
 * The part of Markdown that the OpenAPI document and the guides use. Text is escaped before anything is marked up.
 */

/** @param {string} text */
export function escaped (text) {
  return String(text).replace(/[&<>"]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character])
}

/**
 * HTML of a line: code, links, images, bold and italic text.
 * @param {string} text
 * @param {(address: string) => string | undefined} hrefOf where a link leads. Without an address, its text stays
 */
export function inline (text, hrefOf = href => href) {
  const codes = []
  const link = (label, address) => {
    const href = hrefOf(address)
    return href === undefined ? label : `<a href="${escaped(href)}">${label}</a>`
  }
  return escaped(text)
    .replace(/(`+)(.+?)\1(?!`)/g, (_all, _ticks, code) => `\uE000${codes.push(`<code>${code}</code>`) - 1}\uE000`)
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_all, alt, address) => `<img src="${hrefOf(address) ?? ''}" alt="${alt}">`)
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_all, label, address) => link(label, address))
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[^\w*])\*([^*\s][^*]*)\*(?!\w)/g, '$1<em>$2</em>')
    .replace(/\uE000(\d+)\uE000/g, (_all, index) => codes[index])
}

/** The anchor of a heading, as on GitHub. */
function anchorOf (heading) {
  return heading.toLowerCase().replace(/[`*]|\[|\]\([^)]*\)/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-')
}

const cellsOf = row => row.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))

/**
 * HTML of a text: headings, paragraphs, lists, tables and blocks of code.
 * @param {string} text
 * @param {(address: string) => string | undefined} [hrefOf]
 */
export function blocks (text, hrefOf) {
  const lines = text.split('\n')
  const html = []
  const mark = words => inline(words, hrefOf)
  const takeWhile = (test) => {
    const taken = []
    while (lines.length > 0 && test(lines[0])) taken.push(lines.shift())
    return taken
  }
  const startsBlock = /^(?:#{1,6} |\s*(?:[-*]|\d+\.) |\s*```|\||<!--|\s*$)/

  const list = (indent) => {
    const item = /^(\s*)([-*]|\d+\.) (.*)$/
    const [, , first = ''] = item.exec(lines[0]) ?? []
    const tag = /\d/.test(first) ? 'ol' : 'ul'
    const items = []
    for (let match; (match = item.exec(lines[0] ?? '')) !== null && match[1].length === indent && /\d/.test(match[2]) === (tag === 'ol');) {
      lines.shift()
      // Lines of an item are indented, and blank ones belong to it if an indented line follows.
      const inner = takeWhile((line) => {
        const next = lines.slice(1).find(other => other.trim() !== '') ?? ''
        return /^\s*$/.test(line) ? next.startsWith(' '.repeat(indent + 2)) : line.startsWith(' '.repeat(indent + 2))
      })
      const width = indent + match[2].length + 1
      const own = [match[3], ...inner.map(line => line.replace(new RegExp(`^ {1,${width}}`), ''))].join('\n')
      items.push(`<li>${inner.some(line => startsBlock.test(line.trimStart())) ? blocks(own, hrefOf) : mark(own)}</li>`)
      takeWhile(line => line.trim() === '' && item.exec(lines[1] ?? '')?.[1].length === indent)
    }
    return `<${tag}>${items.join('')}</${tag}>`
  }

  while (lines.length > 0) {
    const line = lines[0]
    const [, hashes, heading = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? []
    if (line.trim() === '') lines.shift()
    else if (hashes !== undefined) {
      lines.shift()
      html.push(`<h${hashes.length} id="${escaped(anchorOf(heading))}">${mark(heading)}</h${hashes.length}>`)
    } else if (/^\s*```/.test(line)) {
      lines.shift()
      html.push(`<pre tabindex="0"><code>${escaped(takeWhile(other => !/^\s*```/.test(other)).join('\n'))}</code></pre>`)
      lines.shift()
    } else if (line.startsWith('<!--')) {
      takeWhile(other => !other.includes('-->'))
      lines.shift()
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = takeWhile(other => other.startsWith('|')).map(cellsOf)
      const row = (cells, tag) => `<tr>${cells.map(cell => `<${tag}>${mark(cell)}</${tag}>`).join('')}</tr>`
      const body = rows.map(cells => row(cells, 'td')).join('')
      html.push(`<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`)
    } else if (/^\s*(?:[-*]|\d+\.) /.test(line)) html.push(list(/^\s*/.exec(line)[0].length))
    else html.push(`<p>${mark([lines.shift(), ...takeWhile(other => !startsBlock.test(other))].join('\n'))}</p>`)
  }
  return html.join('\n')
}
