import { fetchContent } from './fetch-content.ts'

/** Differences of a color below this are those of smoothing. */
const TOLERANCE = 24

/** Draws where two pictures differ, over a pale copy of the first. @returns how many pixels differ, in words */
export async function drawDifference(canvas: HTMLCanvasElement, firstUrl: string, secondUrl: string): Promise<string> {
  const [first, second] = await Promise.all([readPicture(firstUrl), readPicture(secondUrl)])
  const width = Math.max(first.width, second.width)
  const height = Math.max(first.height, second.height)
  canvas.width = width
  canvas.height = height
  const pixels = new ImageData(width, height)
  let count = 0
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isDifferent = !isSame(first, second, x, y)
      if (isDifferent) count += 1
      setPixel(pixels, (y * width + x) * 4, isDifferent ? null : getGray(first, x, y))
    }
  }
  canvas.getContext('2d')?.putImageData(pixels, 0, 0)
  const share = ((count / (width * height)) * 100).toLocaleString('en', { maximumFractionDigits: 2 })
  return count === 0 ? 'No pixel differs.' : `${count.toLocaleString('en')} pixels differ (${share} %).`
}

async function readPicture(url: string): Promise<ImageData> {
  const response = await fetchContent(url)
  if (!response.ok) throw new Error('The picture could not be loaded.')
  const picture = await createImageBitmap(await response.blob())
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser has no canvas.')
  context.drawImage(picture, 0, 0)
  picture.close()
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

function isSame(first: ImageData, second: ImageData, x: number, y: number): boolean {
  if (x >= Math.min(first.width, second.width) || y >= Math.min(first.height, second.height)) return false
  const at = (y * first.width + x) * 4
  const other = (y * second.width + x) * 4
  for (let channel = 0; channel < 4; channel += 1) {
    const distance = (first.data[at + channel] ?? 0) - (second.data[other + channel] ?? 0)
    if (Math.abs(distance) > TOLERANCE) return false
  }
  return true
}

function getGray({ data, width }: ImageData, x: number, y: number): number {
  const at = (y * width + x) * 4
  const gray = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
  return 200 + gray / 5
}

/** @param gray null for red, which marks a difference */
function setPixel({ data }: ImageData, at: number, gray: number | null): void {
  data[at] = gray ?? 220
  data[at + 1] = gray ?? 30
  data[at + 2] = gray ?? 30
  data[at + 3] = 255
}
