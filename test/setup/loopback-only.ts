import net from 'node:net';

/**
 * Tests reach nothing but this machine: a connection to any other host throws at once, whichever client makes it (`fetch`,
 * `http`, `tls` all end in `Socket.connect`).
 */

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127\..*)$/;

interface Target {
  readonly host?: string | undefined;
  readonly path?: string | undefined;
}

/** The target of `socket.connect(…)`: `(options)`, `(port, host?)`, `(path)`, or Node's own already normalised array. */
export function targetOf(args: readonly unknown[]): Target {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) return first;
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first };
  return { host: typeof args[1] === 'string' ? args[1] : undefined };
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
  const { host, path } = targetOf(args);
  if (path === undefined && host !== undefined && !loopback.test(host)) {
    throw new Error(`A test tried to reach ${host}: only loopback is allowed`);
  }
  return Reflect.apply(connect, this, args) as net.Socket;
};
