import type { Reason, Result } from './edit.ts'

type Texts = { detail: (fields: string) => string, message?: string }

const texts: Record<'en' | 'es', Record<Reason, Texts>> = {
  en: {
    removed: {
      detail: fields => `The edit refers to a record that was removed on this device. Change ${fields}, or discard the edit.`,
      message: 'The record was removed on this device.'
    },
    lost: { detail: () => 'The server no longer has this record, or one that it refers to.' },
    unknown: {
      detail: () => 'The server was restored. This record, or one that it refers to, is not on this device, so the edit was not sent.'
    },
    proxy: { detail: () => 'A proxy or firewall of the network does not let this through to the server. Try another network.' }
  },
  es: {
    removed: {
      detail: fields => `El cambio se refiere a un registro que se eliminó en este dispositivo. Cambie ${fields} o descarte el cambio.`,
      message: 'El registro se eliminó en este dispositivo.'
    },
    lost: { detail: () => 'El servidor ya no tiene este registro, o uno al que se refiere.' },
    unknown: {
      detail: () => 'El servidor se restauró. Este registro, o uno al que se refiere, no está en este dispositivo: el cambio no se envió.'
    },
    proxy: { detail: () => 'Un proxy o cortafuegos de la red no deja pasar esto al servidor. Pruebe con otra red.' }
  }
}

/**
 * A result with its texts. Those of a refusal by this device, or of an edit that is set apart, are in the language of the client, as are
 * the server's.
 */
export function withTexts ({ reason, ...result }: Result & { reason?: Reason }, language: 'en' | 'es' = 'en'): Result {
  if (reason === undefined) return result
  const { detail, message } = (texts[language] ?? texts.en)[reason]
  const fields = Object.keys(result.codes ?? {})
  const withDetail = { ...result, detail: detail(fields.map(field => `\`${field}\``).join(', ')) }
  if (message === undefined) return withDetail
  return { ...withDetail, errors: Object.fromEntries(fields.map(field => [field, [message]])) }
}
