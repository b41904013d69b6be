/**
 * VS Code replaces the global `fetch` of the extension host by one that knows the user's proxy and certificates
 * (`http.proxy`, `http.systemCertificates`). It is looked up at each call, because the host may put it in place
 * after this module was loaded.
 */
export const hostFetch: typeof fetch = (input, init) => globalThis.fetch(input, init);
