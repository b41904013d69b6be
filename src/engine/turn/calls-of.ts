import type { CallAbout, ModelClient, ModelRequest } from '../ports/models';

/** The same client, whose requests say what they are made for. */
export function callsOf(client: ModelClient, about: CallAbout): ModelClient {
  const stream: ModelClient['stream'] = (request: ModelRequest, signal) => client.stream({ ...request, about }, signal);
  return Object.create(client, { stream: { enumerable: true, value: stream } }) as ModelClient;
}
