// Saves values in the browser. `area` is "localStorage" or "sessionStorage". A browser may refuse
// storage; then nothing is saved.

export function readItem(area, name) {
  try {
    return window[area].getItem(name);
  } catch (error) {
    return null;
  }
}

export function saveItem(area, name, value) {
  try {
    window[area].setItem(name, value);
  } catch (error) {
    // not saved
  }
}
