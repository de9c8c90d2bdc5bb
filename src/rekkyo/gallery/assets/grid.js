// A sheet of any number of cards of which only those in view exist.
//
// Browsers cannot scroll over more than some tens of millions of pixels. Beyond MAX_HEIGHT the scrollbar is a scaled
// picture of the sheet: small movements (wheel, keys) move by as many pixels, large ones (dragging) in proportion.

import { heard } from "./notice.js";

const MAX_HEIGHT = 4_000_000;
export const PAGE = 60;
const MAX_PAGES = 80;
const KEYS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "Enter"];

export class Grid {
  constructor({ scroll, spacer, cards, fetchPage, draw, open, moved }) {
    Object.assign(this, { scroll, spacer, cards, fetchPage, draw, open, moved });
    this.count = 0;
    this.at = 0;
    this.lastTop = 0;
    this.here = -1;
    this.size = 190;
    this.ratio = 1;
    this.pages = new Map();
    this.shown = new Map();
    this.version = 0;
    this.waiting = false;
    this.later = [];
    scroll.addEventListener("scroll", () => this.scrolled());
    scroll.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.layout()).observe(scroll);
  }

  // Another sheet was asked for. What is still fetched for the old one is dropped, and keys are kept for the new one:
  // End after choosing an order means the end of the chosen solutions.
  wait() {
    this.version += 1;
    this.waiting = true;
  }

  // first: the number of the page that is there already; rank: what stands at the top.
  reset(count, first = 0, firstPage = null, rank = 0) {
    this.version += 1;
    this.waiting = false;
    this.pages.clear();
    if (firstPage) this.pages.set(first, firstPage);
    this.cards.replaceChildren();
    this.shown.clear();
    this.count = count;
    this.at = 0;
    this.mark(-1);
    this.layout();
    if (rank) this.toRank(rank);
    for (const key of this.later.splice(0)) this.press(key);
  }

  // More have been found: at the end, or, in any other order, anywhere.
  grow(count, isAtTheEnd) {
    if (this.waiting) return;
    this.count = count;
    if (isAtTheEnd) {
      for (const [page, content] of this.pages) if (content.numbers && content.numbers.length < PAGE) this.pages.delete(page);
    } else {
      this.version += 1;
      this.pages.clear();
    }
    this.layout();
  }

  layout() {
    const width = this.scroll.clientWidth, first = this.columns ? this.firstRank() : 0;
    this.columns = Math.max(1, Math.floor(width / this.size));
    const cardWidth = width / this.columns;
    const cardHeight = Math.max(36, Math.min(1.6, this.ratio) * (cardWidth - 12) + 30);
    if (cardWidth !== this.cardWidth || cardHeight !== this.cardHeight) {
      for (const card of this.shown.values()) card.remove();
      this.shown.clear();
    }
    const within = this.cardHeight ? (this.at % this.cardHeight) / this.cardHeight : 0;
    Object.assign(this, { cardWidth, cardHeight });
    this.height = Math.ceil(this.count / this.columns) * this.cardHeight;
    this.physical = Math.min(this.height, MAX_HEIGHT);
    this.spacer.style.height = `${this.physical}px`;
    this.to((Math.floor(first / this.columns) + within) * this.cardHeight);
  }

  firstRank() { return Math.floor(this.at / this.cardHeight) * this.columns; }

  to(at) {
    const view = this.scroll.clientHeight;
    this.at = Math.max(0, Math.min(at, this.height - view));
    const share = this.height > view ? this.at / (this.height - view) : 0;
    const top = this.physical === this.height ? this.at : share * (this.physical - view);
    this.scroll.scrollTop = top;
    this.lastTop = this.scroll.scrollTop;
    this.render();
    this.moved(this.at ? this.firstRank() : 0);
  }

  scrolled() {
    const top = this.scroll.scrollTop, view = this.scroll.clientHeight, moved = top - this.lastTop;
    if (moved === 0) return;
    this.lastTop = top;
    if (this.physical === this.height) this.at = top;
    else if (Math.abs(moved) < view && top > 0 && top < this.physical - view) {
      this.to(this.at + moved);
      return;
    } else this.at = (top / (this.physical - view)) * (this.height - view);
    this.render();
    this.moved(this.at ? this.firstRank() : 0);
  }

  toRank(rank) { this.to(Math.floor(rank / this.columns) * this.cardHeight); }

  show(rank) {
    const top = Math.floor(rank / this.columns) * this.cardHeight, view = this.scroll.clientHeight;
    if (top < this.at) this.to(top);
    else if (top + this.cardHeight > this.at + view) this.to(top + this.cardHeight - view);
    this.mark(rank);
  }

  mark(rank) {
    this.here = rank;
    for (const [other, card] of this.shown) this.markCard(card, other);
    if (this.shown.has(rank)) this.scroll.setAttribute("aria-activedescendant", this.shown.get(rank).id);
    else this.scroll.removeAttribute("aria-activedescendant");
  }

  markCard(card, rank) {
    card.classList.toggle("here", rank === this.here);
    card.setAttribute("aria-selected", rank === this.here);
  }

  render() {
    if (!this.count) return;
    const view = this.scroll.clientHeight;
    const first = Math.max(0, Math.floor(this.at / this.cardHeight) - 1) * this.columns;
    const last = Math.min(this.count, (Math.ceil((this.at + view) / this.cardHeight) + 1) * this.columns);
    for (const [rank, card] of this.shown) if (rank < first || rank >= last) { card.remove(); this.shown.delete(rank); }
    const offset = this.scroll.scrollTop - this.at;
    for (let rank = first; rank < last; rank += 1) {
      let card = this.shown.get(rank);
      if (!card) {
        card = this.makeCard(rank);
        this.shown.set(rank, card);
        this.cards.append(card);
      }
      const x = (rank % this.columns) * this.cardWidth, y = Math.floor(rank / this.columns) * this.cardHeight + offset;
      card.style.transform = `translate(${x}px, ${y}px)`;
      this.fill(rank, card);
    }
    this.want(Math.floor(first / PAGE), Math.floor(Math.max(first, last - 1) / PAGE));
  }

  // Draw all cards again, with other stars.
  star(names) {
    this.stars = names;
    for (const card of this.shown.values()) delete card.dataset.number;
    this.render();
  }

  makeCard(rank) {
    const card = document.createElement("div");
    card.className = "card";
    card.id = `card-${rank}`;
    card.setAttribute("role", "option");
    card.append(heard("Not loaded yet"));
    card.setAttribute("aria-setsize", this.count);
    card.setAttribute("aria-posinset", rank + 1);
    this.markCard(card, rank);
    card.style.width = `${this.cardWidth}px`;
    card.style.height = `${this.cardHeight}px`;
    card.addEventListener("click", () => { this.mark(rank); this.openRank(rank); });
    return card;
  }

  fill(rank, card) {
    const page = this.pages.get(Math.floor(rank / PAGE));
    const k = rank % PAGE;
    if (!page || !page.numbers || k >= page.numbers.length || card.dataset.number === String(page.numbers[k])) return;
    card.dataset.number = page.numbers[k];
    card.innerHTML = this.draw(page.rows[k]);
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = page.numbers[k].toLocaleString("en") + (this.stars?.has(String(page.numbers[k])) ? " ★" : "");
    card.firstElementChild.setAttribute("aria-hidden", "true");
    card.append(heard("Solution "), name);
  }

  want(first, last) {
    clearTimeout(this.timer);
    if (this.waiting) return;
    const missing = [];
    for (let page = first; page <= last; page += 1) if (!this.pages.has(page)) missing.push(page);
    if (missing.length) this.timer = setTimeout(() => missing.forEach(page => this.load(page)), 30);
  }

  async load(page) {
    if (this.pages.has(page)) return;
    const version = this.version;
    this.pages.set(page, {});
    try {
      const content = await this.fetchPage(page * PAGE, PAGE);
      if (version !== this.version) return;
      this.pages.set(page, content);
      for (const old of this.pages.keys()) {
        if (this.pages.size <= MAX_PAGES) break;
        if (old !== page) this.pages.delete(old);
      }
    } catch {
      if (version === this.version) this.pages.delete(page);
      return;
    }
    this.render();
  }

  async numberAt(rank) {
    const page = this.pages.get(Math.floor(rank / PAGE));
    if (page && page.numbers) return page.numbers[rank % PAGE];
    return (await this.fetchPage(rank, 1)).numbers[0];
  }

  async openRank(rank) {
    const isOld = this.waiting;
    if (isOld && !this.pages.get(Math.floor(rank / PAGE))?.numbers) return;
    const number = await this.numberAt(rank);
    if (number !== undefined) this.open(number, isOld ? undefined : rank);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!KEYS.includes(event.key) || (event.key === "Enter" && event.target !== this.scroll)) return;
    if (this.waiting) this.later.push(event.key);
    else this.press(event.key);
    event.preventDefault();
  }

  press(key) {
    if (!this.count) return;
    const perView = Math.max(1, Math.floor(this.scroll.clientHeight / this.cardHeight)) * this.columns;
    const here = this.here < 0 ? this.firstRank() : this.here;
    if (key === "Enter") { this.openRank(here); return; }
    const next = {
      ArrowRight: here + 1, ArrowLeft: here - 1, ArrowDown: here + this.columns, ArrowUp: here - this.columns,
      PageDown: here + perView, PageUp: here - perView, Home: 0, End: this.count - 1,
    }[key];
    this.show(Math.max(0, Math.min(this.count - 1, next)));
  }
}
