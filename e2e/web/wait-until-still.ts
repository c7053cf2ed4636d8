import type { Page } from 'playwright-core'

/**
 * Waits until the page has adapted to a new size or theme, and nothing that opens or closes is half transparent, which would
 * change its contrast.
 */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const animations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(animations.map(({ finished }) => finished.catch(() => null)))
  })
}
