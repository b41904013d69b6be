import * as z from 'zod';

/**
 * What travels between host and webview. A request is answered once, by id. An event carries `epoch` (a new one for each
 * shown session or host life; others are dropped) and `seq` (grows by one within an epoch; a gap means: ask for a snapshot).
 */
export const requestEnvelope = z.object({ kind: z.literal('request'), id: z.number().int(), name: z.string(), body: z.unknown() });
export const responseEnvelope = z.discriminatedUnion('ok', [
  z.object({ kind: z.literal('response'), id: z.number().int(), ok: z.literal(true), body: z.unknown() }),
  z.object({ kind: z.literal('response'), id: z.number().int(), ok: z.literal(false), message: z.string() }),
]);
export const eventEnvelope = z.object({
  kind: z.literal('event'),
  name: z.string(),
  epoch: z.string(),
  seq: z.number().int(),
  body: z.unknown(),
});
export type RequestEnvelope = z.infer<typeof requestEnvelope>;
export type ResponseEnvelope = z.infer<typeof responseEnvelope>;
export type EventEnvelope = z.infer<typeof eventEnvelope>;

/** A map `name -> [request, response]`; both sides take their types from it and check at the boundary. */
export type RequestMap = Readonly<Record<string, readonly [z.ZodType, z.ZodType]>>;
export type EventMap = Readonly<Record<string, z.ZodType>>;
export type RequestOf<M extends RequestMap, N extends keyof M> = z.infer<M[N][0]>;
export type ResponseOf<M extends RequestMap, N extends keyof M> = z.infer<M[N][1]>;
