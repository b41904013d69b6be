import { callStreams } from './call-streams';
import { refusalStreams } from './refusal-streams';
import type { Stream } from './stream';
import { textStreams } from './text-streams';
import { toldStreams } from './told-streams';
import { wireStreams } from './wire-streams';

export const streams: readonly Stream[] = [...textStreams, ...callStreams, ...wireStreams, ...refusalStreams, ...toldStreams];
