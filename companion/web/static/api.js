// What is asked of the companion. An answer is {ok, status, body}; nothing is thrown.

const PATIENCE_MS = 8000;

export function get(path) {
  return ask(path, {});
}

export function post(path, plain) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(plain),
  });
}

async function ask(path, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
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
