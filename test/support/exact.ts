/** Exact arithmetic for models: amounts in cents, other decimals in units of their last place. */

/** Formats units of a decimal place as the API does. @param least places that are always shown */
export function decimal (units: bigint, places = 2, least = places): string {
  const digits = String(sizeOf(units)).padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, -places), digits.slice(-places)]
  let end = places
  while (end > least && fraction[end - 1] === '0') end--
  return `${units < 0n ? '-' : ''}${whole}.${fraction.slice(0, end)}`
}

/** `amount / unit`, rounded, half away from zero. */
export function rounded (amount: bigint, unit: bigint): bigint {
  const size = (sizeOf(amount) * 2n + unit) / (unit * 2n)
  return amount < 0n ? -size : size
}

/** `amount` × `percentage`, in hundredths of a percent, rounded to the cent. */
export function share (amount: bigint, percentage: bigint): bigint {
  return rounded(amount * percentage, 10_000n)
}

export function sum (amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** The amount without its sign. */
export function sizeOf (amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
