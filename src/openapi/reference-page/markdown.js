/*
 * HTML of the Markdown of the OpenAPI document and the guides. HTML in it is shown as text.
 */
import { Marked, Renderer } from 'marked'

/** @param {string} text */
function escaped (text) {
  return text.replace(/[&<>"]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character])
}

/** The anchor of a heading, as on GitHub. */
export function anchorOf (heading) {
  return heading.toLowerCase().replace(/[`*]|\[|\]\([^)]*\)/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-')
}

/** @param {(address: string) => string | undefined} hrefOf where a link leads. Without an address, its text stays */
function parserOf (hrefOf) {
  return new Marked({
    renderer: {
      heading ({ tokens, depth, text }) {
        return `<h${depth} id="${escaped(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link ({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const address = hrefOf(href)
        return address === undefined ? label : `<a href="${escaped(address)}">${label}</a>`
      },
      image: ({ href, text }) => `<img src="${escaped(hrefOf(href) ?? '')}" alt="${escaped(text)}">`,
      html: ({ text }) => text.startsWith('<!--') ? '' : escaped(text),
      text (token) {
        return token.tokens === undefined ? escaped(token.text) : this.parser.parseInline(token.tokens)
      },
      // Keyboards scroll what can have the focus.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table (token) {
        return `<div class="wide" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>`
      }
    }
  })
}

const usual = parserOf(href => href)

/** HTML of a line. @param {string} text */
export function inline (text) {
  return usual.parseInline(text)
}

/**
 * HTML of a text.
 * @param {string} text
 * @param {(address: string) => string | undefined} [hrefOf]
 */
export function blocks (text, hrefOf) {
  return (hrefOf === undefined ? usual : parserOf(hrefOf)).parse(text)
}
