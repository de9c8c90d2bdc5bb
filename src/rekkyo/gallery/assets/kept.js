// What this browser remembers: the theme, and for each run the favourites. A browser that forbids it forgets.

export function recall(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`rekkyo: ${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`rekkyo: ${key}`, JSON.stringify(value));
  } catch {
    // Then it lasts as long as the page.
  }
}

export class Favourites {
  constructor(key, changed) {
    this.key = `favourites of ${key}`;
    this.changed = changed;
    const found = recall(this.key, []);
    this.names = new Set(Array.isArray(found) ? found.filter(name => typeof name === "string") : []);
  }

  toggle(name) {
    if (!this.names.delete(name)) this.names.add(name);
    remember(this.key, [...this.names]);
    this.changed();
  }
}
