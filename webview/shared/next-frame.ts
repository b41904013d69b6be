const hiddenDelayMs = 100;

/** Calls now and before each of the next `frames` paints: what is scrolled to moves while rows around it are drawn. */
export function forFrames(frames: number, call: () => void): void {
  call();
  if (frames > 0) requestAnimationFrame(() => { forFrames(frames - 1, call); });
}

/** Calls once before the next paint; in a hidden page, where nothing is painted, after a moment. */
export function nextFrame(call: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(call, hiddenDelayMs);
  else requestAnimationFrame(call);
}
