/**
 * An element with properties and children. Names with a hyphen are attributes.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {Array<Node | string>} children
 * @returns {any}
 */
export function element (tag, properties = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) made.setAttribute(name, value)
    else made[name] = value
  }
  made.append(...children)
  return made
}
