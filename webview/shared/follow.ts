/** Keeps a scrolling list at its bottom while it grows, until the reader scrolls up. */
export interface Follower {
  readonly following: boolean;
  /** Distance of the view's lower edge from the end of the content, px. */
  distance(): number;
  /** To the bottom (or the top of what is not worth following), and follow from now on. */
  jump(): void;
  /** Stay where the reader is. */
  release(): void;
  dispose(): void;
}

export interface FollowerOptions {
  readonly scroller: HTMLElement;
  /** The one child whose height is the content's. */
  readonly content: HTMLElement;
  readonly onChange: (following: boolean) => void;
  /** False while the content is one to be read from its top. Default: always true. */
  readonly worthFollowing?: () => boolean;
  /** After each scroll. */
  readonly onScroll?: () => void;
}

/** Closer than this to the bottom counts as at the bottom, px. */
const nearBottomPx = 4;

/** Content outside the view gets its true height only when it comes near: pin again over this many frames. */
const pinFrames = 3;

export function createFollower(options: FollowerOptions): Follower {
  const { scroller, content } = options;
  let following = true;
  let lastTop = scroller.scrollTop;
  let lastHeight = scroller.scrollHeight;
  let framesLeft = 0;
  let frame = 0;

  const distance = (): number => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  const remember = (): void => {
    lastTop = scroller.scrollTop;
    lastHeight = scroller.scrollHeight;
  };
  const set = (value: boolean): void => {
    if (value === following) return;
    following = value;
    options.onChange(value);
  };
  const toBottom = (): void => {
    if (distance() > 0 && options.worthFollowing?.() !== false) scroller.scrollTop = scroller.scrollHeight;
    remember();
  };
  const pin = (): void => {
    frame = 0;
    if (!following) return;
    toBottom();
    framesLeft -= 1;
    if (framesLeft > 0) frame = requestAnimationFrame(pin);
  };
  const pinSoon = (): void => {
    framesLeft = pinFrames;
    if (frame === 0) frame = requestAnimationFrame(pin);
  };

  const onResize = (): void => {
    if (following) {
      toBottom();
      pinSoon();
    } else {
      remember();
    }
  };
  const onScroll = (): void => {
    // A smaller scroll position is the reader's doing only if the content did not shrink under it.
    const movedUp = scroller.scrollTop < lastTop - 1 && scroller.scrollHeight >= lastHeight;
    if (distance() <= nearBottomPx) set(true);
    else if (movedUp) set(false);
    remember();
    options.onScroll?.();
  };
  const onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && scroller.scrollTop > 0) set(false);
  };

  const observer = new ResizeObserver(onResize);
  observer.observe(content);
  observer.observe(scroller);
  scroller.addEventListener('scroll', onScroll, { passive: true });
  scroller.addEventListener('wheel', onWheel, { passive: true });

  return {
    get following() {
      return following;
    },
    distance,
    jump: () => {
      set(true);
      if (options.worthFollowing?.() === false) scroller.scrollTop = 0;
      toBottom();
      pinSoon();
    },
    release: () => {
      set(false);
    },
    dispose: () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('wheel', onWheel);
      if (frame !== 0) cancelAnimationFrame(frame);
    },
  };
}
