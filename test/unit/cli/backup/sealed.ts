import { createHash } from 'node:crypto'

/** Adds the matching checksum to changed lines, as an attacker who knows the format does. */
export function sealed (lines: string[]): string[] {
  return [...lines, JSON.stringify({ sha256: createHash('sha256').update(lines.map(line => `${line}\n`).join('')).digest('hex') })]
}

/** The backup in the format of earlier versions, without a checksum. */
export function asFormat1 (lines: string[]): string[] {
  return [JSON.stringify({ ...JSON.parse(lines[0] as string), format: 1 }), ...lines.slice(1, -1)]
}
