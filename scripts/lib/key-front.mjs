// VS Code in a browser keeps secrets encrypted with half a key that its server hands out at POST /mint-key. The bare server has no
// such address, so without this front nothing that is secret could be kept in a window of it. All else goes through as it is.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';

const keyBytes = 32;

/** The server's half of the key, the same for as long as `file` is there. */
function keyHalf(file) {
  if (fs.existsSync(file)) {
    const kept = fs.readFileSync(file);
    if (kept.length === keyBytes) return kept;
  }
  const fresh = randomBytes(keyBytes);
  fs.writeFileSync(file, fresh, { mode: 0o600 });
  return fresh;
}

/** What the page has shown that it may use the server: the cookie that the server itself sets for who knows the token. */
const knowsToken = (request, token) => token === undefined || (request.headers.cookie ?? '').split(/;\s*/).includes(`vscode-tkn=${token}`);

function head(request) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Listens on 127.0.0.1 before a server that listens on `target`.
 * @param {{port: number, target: number, keyFile: string, token?: string | undefined}} options `port` 0 for any free one
 * @returns {Promise<{port: number, close(): Promise<void>}>}
 */
export async function startKeyFront({ port, target, keyFile, token }) {
  const agent = new http.Agent({ keepAlive: true });
  const front = http.createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/mint-key') {
      const allowed = knowsToken(request, token);
      response.writeHead(allowed ? 200 : 403);
      response.end(allowed ? keyHalf(keyFile) : undefined);
      return;
    }
    const { method, url: path, headers } = request;
    const inner = http.request({ host: '127.0.0.1', port: target, method, path, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    inner.on('error', () => { response.destroy(); });
    response.on('close', () => { inner.destroy(); });
    request.pipe(inner);
  });
  front.on('upgrade', (request, socket, rest) => {
    const inner = net.connect(target, '127.0.0.1', () => {
      inner.write(head(request));
      inner.write(rest);
      inner.pipe(socket);
      socket.pipe(inner);
    });
    inner.setNoDelay(true);
    socket.setNoDelay(true);
    inner.on('error', () => { socket.destroy(); });
    socket.on('error', () => { inner.destroy(); });
    inner.on('close', () => { socket.destroy(); });
    socket.on('close', () => { inner.destroy(); });
  });
  await new Promise((resolve, reject) => {
    front.once('error', reject);
    front.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: front.address().port,
    async close() {
      agent.destroy();
      const closed = new Promise((resolve) => { front.close(resolve); });
      front.closeAllConnections();
      await closed;
    },
  };
}
