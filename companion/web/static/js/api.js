// Requests to the companion. An answer is {ok, status, body}; status is 0 if there was none. Never throws.

const TIMEOUT_MS = 8000;

export function get(path) {
  return request(path, {});
}

export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function request(path, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, { ...options, signal: stop.signal, cache: "no-store" });
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: text ? JSON.parse(text) : null };
  } catch (error) {
    return { ok: false, status: 0, body: null };
  } finally {
    clearTimeout(timer);
  }
}
