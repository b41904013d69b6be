const hiddenDelayMs = 100;

/** Calls once before the next paint; in a hidden page, where nothing is painted, after a moment. */
export function nextFrame(call: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(call, hiddenDelayMs);
  else requestAnimationFrame(call);
}
