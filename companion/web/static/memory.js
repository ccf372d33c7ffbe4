// What this browser remembers for us: `place` is "localStorage", or "sessionStorage" for this visit.
// A browser may refuse; then nothing was remembered.

export function recall(place, name) {
  try {
    return window[place].getItem(name);
  } catch (error) {
    return null;
  }
}

export function remember(place, name, value) {
  try {
    window[place].setItem(name, value);
  } catch (error) {
    // it is missed next time
  }
}
