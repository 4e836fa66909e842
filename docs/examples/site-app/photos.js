/*
 * Photos of an estimate. They are scaled on the phone, and the store keeps them until the service has them.
 */
import { drawList, fill, onClick, perform } from './dom.js'
import { locale, text } from './texts.js'

/** Pixels of the longer side. */
const mostPixels = 1600
const quality = 0.8

/**
 * The section of photos in the view of an estimate.
 * @param {any} view
 * @param {any} store
 * @returns {(estimate: any, attachments: any[]) => void} shows the photos of an estimate
 */
export function photosOf (view, store) {
  const section = view.querySelector('.photos')
  const input = section.querySelector('input')
  let estimate
  input.onchange = async () => await perform(input, async () => {
    const [photo] = input.files
    input.value = ''
    if (photo !== undefined) await take(store, photo, estimate)
  })
  return (shown, attachments) => {
    estimate = shown
    section.hidden = estimate === undefined
    const files = new Map(store.files.progress.map(file => [file.id, file]))
    const photos = attachments.filter(({ tipo }) => tipo.startsWith('image/')).toReversed().map(record => ({ ...record, ...files.get(record.id) ?? { state: record.estado === 'listo' ? 'done' : 'elsewhere' } }))
    drawList(section.querySelector('.photo-rows'), photos, 'photo', ({ id }) => id, (row, photo) => drawPhoto(row, photo, store, estimate?.estado === 'borrador'))
  }
}

/**
 * Shows a photo with its progress.
 * @param {any} row
 * @param {any} photo
 * @param {any} store
 * @param {boolean} [isRemovable] even if the service has it
 */
export function drawPhoto (row, { id, nombre, tomada_en: taken, state, sent = 0, bytes, error }, store, isRemovable = false) {
  const percent = Math.floor(100 * sent / bytes)
  const size = `${Math.ceil(bytes / 1000).toLocaleString(locale)} kB`
  const isOpen = state === 'waiting' || state === 'sending'
  const isStopped = state === 'failed' || state === 'blocked'
  const progress = row.querySelector('progress')
  const [retry, remove] = row.querySelectorAll('button')
  const reasons = [error?.detail, ...Object.values(error?.errors ?? {}).flat()].filter(Boolean)
  const title = taken == null ? nombre : new Date(taken).toLocaleString(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false })
  fill(row, { title, sync: state, detail: isStopped ? reasons.join(' ') : isOpen && sent > 0 ? `${percent} % ${text('of')} ${size}` : size })
  progress.hidden = !isOpen || sent === 0
  progress.value = percent
  retry.hidden = !isStopped
  remove.hidden = state === 'elsewhere' || (state === 'done' && !isRemovable)
  remove.setAttribute('aria-label', `${text('take')} ${nombre}`)
  onClick(retry, async () => await store.files.retry(id))
  onClick(remove, async () => {
    if (!confirm(text(state === 'done' ? 'removePhoto' : 'removeUnsentPhoto'))) return
    await (state === 'done' ? store.adjuntos.remove(id) : store.files.discard(id))
  })
  drawThumbnail(row.querySelector('canvas'), id, store).catch(() => {})
}

async function take (store, photo, { id, contract }) {
  const taken = new Date(photo.lastModified)
  const blob = await scaled(photo)
  const nombre = `foto ${taken.toLocaleString('sv-SE').replaceAll(':', '.')}.jpg`
  await store.files.add(blob, { contract, estimate: id, nombre, tomada_en: taken.toISOString() }).catch((error) => {
    if (error.code !== 'files_full' && error.name !== 'QuotaExceededError') throw error
    throw new Error(text('phoneFull'))
  })
}

/** A photo as JPEG, upright and without the place that the camera has written into it. @param {Blob} photo @returns {Promise<Blob>} */
async function scaled (photo) {
  const image = await createImageBitmap(photo).catch(() => { throw new Error(text('unreadable')) })
  const scale = Math.min(1, mostPixels / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (blob === null) throw new Error(text('noMemory'))
  return blob
}

/** Draws the middle of a photo that is on this phone, once. */
async function drawThumbnail (canvas, id, store) {
  if (canvas.dataset.photo === String(id)) return
  canvas.dataset.photo = String(id)
  const blob = await store.files.get(id)
  if (blob === undefined) return
  const image = await createImageBitmap(blob)
  const side = Math.min(image.width, image.height)
  canvas.getContext('2d').drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, canvas.width, canvas.height)
  image.close()
}
